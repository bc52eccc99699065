"""The terminal client: the whole house in a terminal, as a full-screen application or line by line."""
