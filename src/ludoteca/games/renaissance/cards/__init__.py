"""What each part of the table allows: leaders, payments, productions, depots and the
market, as pure functions."""
