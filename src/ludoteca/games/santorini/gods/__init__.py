"""The gods: one file each, which says only how that god differs from a mortal."""

from ludoteca.games.santorini.gods.aphrodite import APHRODITE
from ludoteca.games.santorini.gods.apollo import APOLLO
from ludoteca.games.santorini.gods.artemis import ARTEMIS
from ludoteca.games.santorini.gods.athena import ATHENA
from ludoteca.games.santorini.gods.atlas import ATLAS
from ludoteca.games.santorini.gods.chronus import CHRONUS
from ludoteca.games.santorini.gods.demeter import DEMETER
from ludoteca.games.santorini.gods.eros import EROS
from ludoteca.games.santorini.gods.god import God
from ludoteca.games.santorini.gods.hades import HADES
from ludoteca.games.santorini.gods.hephaestus import HEPHAESTUS
from ludoteca.games.santorini.gods.hera import HERA
from ludoteca.games.santorini.gods.hermes import HERMES
from ludoteca.games.santorini.gods.hestia import HESTIA
from ludoteca.games.santorini.gods.hypnus import HYPNUS
from ludoteca.games.santorini.gods.limus import LIMUS
from ludoteca.games.santorini.gods.minotaur import MINOTAUR
from ludoteca.games.santorini.gods.morpheus import MORPHEUS
from ludoteca.games.santorini.gods.pan import PAN
from ludoteca.games.santorini.gods.persephone import PERSEPHONE
from ludoteca.games.santorini.gods.poseidon import POSEIDON
from ludoteca.games.santorini.gods.prometheus import PROMETHEUS
from ludoteca.games.santorini.gods.selene import SELENE
from ludoteca.games.santorini.gods.terpsichore import TERPSICHORE
from ludoteca.games.santorini.gods.triton import TRITON
from ludoteca.games.santorini.gods.urania import URANIA
from ludoteca.games.santorini.gods.zeus import ZEUS

# A player without a god.
MORTAL = God(name="")

GODS: dict[str, God] = {
    god.name: god
    for god in (
        MORTAL,
        APOLLO,
        ARTEMIS,
        ATHENA,
        ATLAS,
        DEMETER,
        HEPHAESTUS,
        HERMES,
        MINOTAUR,
        PAN,
        PROMETHEUS,
        APHRODITE,
        CHRONUS,
        EROS,
        HERA,
        HESTIA,
        HYPNUS,
        LIMUS,
        MORPHEUS,
        PERSEPHONE,
        POSEIDON,
        SELENE,
        TRITON,
        ZEUS,
        HADES,
        TERPSICHORE,
        URANIA,
    )
}
