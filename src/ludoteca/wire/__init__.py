"""What the protocols share: cutting a stream into lines, JSON lines, and Ludoteca's own protocol."""
