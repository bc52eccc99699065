"""Zeus: may put a block under the worker that builds, which rises with it."""

from ludoteca.games.santorini.gods.god import God

ZEUS = God(name="Zeus", lifts=True)
