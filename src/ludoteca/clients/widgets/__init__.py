"""Where a person at a terminal answers: the line that is typed into, and the grid of choices."""
