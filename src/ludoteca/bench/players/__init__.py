"""Players of the load: how to sit down and move in a protocol. One module for each protocol; a game that has
none of its own is played over Ludoteca's own protocol alone."""
