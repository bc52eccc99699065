"""Learned from 1,600 matches by `python -m training.shelfie --rounds 100 --tries 8 --seed 1`."""

# Groups by size, three times: nowhere to grow, one free cell beside them, more. Then the share of
# a wish that is still open, by the tiles that are missing below; the share of a token for each
# missing tile, by goal; and a tile, whatever it is.
# fmt: off
WEIGHTS: tuple[float, ...] = (
    0.052, 0.120, 1.992, 3.312, 4.401, 8.242, -0.005, 0.451, 2.198, 4.141, 5.593, 7.579, 0.002, 1.239,
    2.645, 4.286, 5.817, 7.710, 0.496, 0.603, 0.597, 0.450, 0.333, 0.719, 0.693, 0.819, 0.747, 0.800,
    0.899, 0.840, 0.892, 0.871, 0.690, 0.796, 0.785, 0.855, 0.247,
)
