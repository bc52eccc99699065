"""Atlas: puts a dome on any level."""

from ludoteca.games.santorini.gods.god import God

ATLAS = God(name="Atlas", caps=lambda _state, _worker: True)
