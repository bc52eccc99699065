/* Learned by `python -m training.santorini --matches 10000 --seed 2`: see training/santorini.py. */

static const int HEIGHT[4] = {-56, -26, 82, 82};
/* Corner, beside it, middle of an edge; inner corner, inner edge, centre. */
static const int PLACE[6] = {-65, -22, -14, 21, 36, 45};
/* By the worker's level: each free space around with 0 to 3 blocks, each dome, each space with a worker. */
static const int AROUND[4][6] = {
    {-10, 4, 7, 5, -10, -5},
    {-7, 9, 64, 15, 7, -5},
    {-21, -6, 111, 283, -9, -1},
    {-21, -6, 111, 283, -9, -1},
};
/* One step to the third level is open to who is not on turn; more than one is. */
static const int THREAT[2] = {-36, 154};
static const int TEMPO = 44;
