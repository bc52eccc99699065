"""The shell that waits: sockets, clocks, files. What happens at a table is decided below it, in the hall."""
