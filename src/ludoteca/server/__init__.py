"""The shell that waits: sockets, clocks, files. Everything it decides nothing about is below it."""
