"""What the numbers on a board tell about the mines: certain cells, exact chances, and
layouts drawn at random.

Every layout that fits the open numbers is equally likely (see rules.py on the first click). Closed cells that
touch no number are alike and form the *sea*; those that touch the same numbers are alike and form a *group*.
Groups linked by numbers form a *component*. Within a component layouts are counted group by group: all that
the groups still to come need to know is what is left of each number, and how many mines lie so far. So the
work grows with how many numbers are open at once, and not with the number of layouts.
"""

from ludoteca.games.multisweeper.solver.knowledge import Knowledge

__all__ = ["Knowledge"]
