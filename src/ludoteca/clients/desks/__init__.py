"""A seat as its client sees it: over Ludoteca's own protocol (`house`) or over a seed's (`seed`)."""
