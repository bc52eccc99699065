"""Apollo: changes places with a rival who stands in the way."""

from ludoteca.games.santorini.gods.god import God

APOLLO = God(name="Apollo", shoves=lambda _state, source, _target: source)
