"""`python -m ludoteca.cli`."""

from ludoteca.cli import main

main(prog_name="ludoteca")
