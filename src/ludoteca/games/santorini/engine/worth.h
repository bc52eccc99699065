/* What a position is worth at the start of a turn, and who could win at once there. */

enum { KINDS_BESIDE = 6, KINDS_FURTHER = 5, DISTANCES = 3, TOWERS = 5, TOKENS = 5 };

static u8 KIND_OF_PLACE[SPACES];
static u32 FURTHER[SPACES];
/* What features are worth to a seat, with its god and its rivals' gods: see training/santorini.py. */
static int weights[3][FEATURES];

static int count_of(u32 spaces) { return __builtin_popcount(spaces); }

static void weigh(void) {
    for (int space = 0; space < SPACES; space++) {
        int row = space / SIDE, column = space % SIDE;
        FURTHER[space] = 0;
        for (int other = 0; other < SPACES; other++) {
            int i = other / SIDE - row, j = other % SIDE - column;
            if (i * i <= 4 && j * j <= 4 && (i * i == 4 || j * j == 4)) FURTHER[space] |= 1u << other;
        }
        if (row > 2) row = SIDE - 1 - row;
        if (column > 2) column = SIDE - 1 - column;
        int low = row < column ? row : column, high = row < column ? column : row;
        KIND_OF_PLACE[space] = (u8)(low ? 1 + low + high : high);
    }
    for (int seat = 0; seat < game.seats; seat++)
        for (int n = 0; n < FEATURES; n++) {
            weights[seat][n] = BASE[n] + OWN[game.god[seat]][n];
            for (int rival = 0; rival < game.seats; rival++)
                if (rival != seat) weights[seat][n] += AGAINST[game.god[rival]][n];
        }
}

/* Whom Hypnus keeps where they are; workers as bits. */
static int kept_asleep(const State *s, const Powers *powers, int seat) {
    if (seat == s->seat) return s->asleep;
    if (!powers->hypnus) return 0;
    int first = s->worker[2 * seat], second = s->worker[2 * seat + 1];
    if (first == NOWHERE || second == NOWHERE) return 0;
    int one = level_of(s, first), two = level_of(s, second);
    return one == two ? 0 : one > two ? 1 : 2;
}

static int spaced(u32 spaces, int from) { return NEAR[from] & spaces ? 0 : FURTHER[from] & spaces ? 1 : 2; }

static int worth_of(const State *s, int seat, u32 taken) {
    const int *each = weights[seat];
    const Powers *powers = &game.powers[seat][s->out];
    const u32 *reach = game.god[seat] == URANIA ? ROUND : NEAR;
    int value = 0, threats = 0, asleep = powers->hypnus ? kept_asleep(s, powers, seat) : 0;
    u32 free = ISLAND & ~s->domes & ~taken, own = of_seat(s, seat), rivals = taken & ~own;
    u32 ground = free & ~s->rise1, first = free & s->rise1 & ~s->rise2, second = free & s->rise2 & ~s->rise3;
    /* Nobody wins on an edge that Hera guards. */
    u32 third = free & s->rise3 & (powers->hera ? ~EDGE : ~0u), domes = s->domes & ~taken;
    for (int worker = 2 * seat; worker < 2 * seat + 2; worker++) {
        int space = s->worker[worker];
        if (space == NOWHERE) continue;
        int level = level_of(s, space);
        value += each[AT_HEIGHT + level] + each[AT_PLACE + KIND_OF_PLACE[space]];
        /* Who sleeps goes nowhere. */
        if (asleep >> (worker & 1) & 1) continue;
        u32 near = reach[space], far = FURTHER[space];
        const int *beside = each + AT_BESIDE + KINDS_BESIDE * level;
        const int *further = each + AT_FURTHER + KINDS_FURTHER * level;
        value += each[AT_RIVAL + spaced(rivals, space)] +
                 beside[0] * count_of(near & ground) + beside[1] * count_of(near & first) +
                 beside[2] * count_of(near & second) + beside[3] * count_of(near & third) +
                 beside[4] * count_of(near & domes) + beside[5] * count_of(near & taken) +
                 further[0] * count_of(far & ground) + further[1] * count_of(far & first) +
                 further[2] * count_of(far & second) + further[3] * count_of(far & third) +
                 further[4] * count_of(far & domes);
        if (level == 2) threats += count_of(near & third);
        if (level > 1 && game.god[seat] == PAN) threats += count_of(near & ground);
    }
    int one = s->worker[2 * seat], other = s->worker[2 * seat + 1];
    if (one != NOWHERE && other != NOWHERE) {
        value += each[AT_PAIR + spaced(1u << other, one)];
        if (level_of(s, one) != level_of(s, other)) value += each[AT_UNEVEN];
    }
    if (threats && seat != s->seat) value += each[AT_THREAT + (threats > 1)];
    if (s->risen >> seat & 1) value += each[AT_RISEN];
    int towers = count_of(s->rise3 & s->domes), tokens = s->tokens[seat];
    return value + each[AT_TOWERS + (towers < TOWERS ? towers : TOWERS - 1)] +
           each[AT_TOKENS + (tokens < TOKENS ? tokens : TOKENS - 1)];
}

/* Winning at once */

/* Whether a worker that was moved to a space on level 2 on the way can go on to one of these goals, when every
   step but the last ends on the edge. */
static int rounds_to(const State *s, int space, u32 free, u32 goals, int hades) {
    u32 met = 1u << space, fresh = met;
    free |= met;
    while (fresh) {
        int here = lowest(fresh), level = level_of(s, here);
        fresh &= fresh - 1;
        if (level == 2 && NEAR[here] & goals) return 1;
        u32 on = NEAR[here] & free & EDGE & ~met & ~at_least(s, level + 2);
        if (hades) on &= at_least(s, level);
        met |= on, fresh |= on;
    }
    return 0;
}

static int swaps_to(const State *s, int seat, int space, u32 goals) {
    if (game.god[seat] == APOLLO) return (goals & ~of_seat(s, seat)) != 0;
    u32 blocked = s->domes | occupied(s);
    for (goals &= ~of_seat(s, seat); goals; goals &= goals - 1) {
        int beyond = BEYOND[space][lowest(goals)];
        if (beyond != NOWHERE && !(blocked >> beyond & 1)) return 1;
    }
    return 0;
}

/* Chronus at four towers: whether he reaches a fifth that wants only its dome. */
static int completes_five(const State *s, const Powers *powers, int worker, u32 taken) {
    u32 wanting = s->rise3 & ~s->domes;
    State his = *s;
    his.seat = (u8)(worker >> 1);
    if (his.seat != s->seat) his.asleep = 0;
    Step step = {BOTH, 0, 0, 1, TOP};
    u32 targets = moves_of(&his, powers, step, worker), left = taken & ~(1u << s->worker[worker]);
    for (; targets; targets &= targets - 1)
        if (NEAR[lowest(targets)] & wanting & ~left) return 1;
    return 0;
}

/* Whether a seat wins for certain with the turn that it begins, as far as that is quickly seen: a step up to
   the third level, and the gods' own ways. Aphrodite's demands are not looked at. */
static int can_win(const State *s, int seat, u32 taken) {
    const Powers *powers = &game.powers[seat][s->out];
    int god = game.god[seat], asleep = kept_asleep(s, powers, seat);
    int low = powers->athena != NOWHERE && s->risen >> powers->athena & 1;
    const u32 *near = god == URANIA ? ROUND : NEAR;
    u32 counts = powers->hera ? ISLAND & ~EDGE : ISLAND, free = ISLAND & ~s->domes & ~taken;
    u32 tops = s->rise3 & ~s->domes & counts, goals = tops & ~taken;
    for (int k = 0; k < 2; k++) {
        int worker = 2 * seat + k, space = s->worker[worker];
        if (space == NOWHERE || asleep >> k & 1) continue;
        int level = level_of(s, space);
        if (tops && !low && level == 2) {
            u32 targets = near[space] & tops;
            if (targets & ~taken) return 1;
            if (targets && (god == APOLLO || god == MINOTAUR) && swaps_to(s, seat, space, targets)) return 1;
        }
        switch (god) {
        case ARTEMIS:
            if (goals && !low && level && !(powers->hades && level > 2)) {
                u32 between = NEAR[space] & free & s->rise2 & ~s->rise3;
                for (; between; between &= between - 1)
                    if (NEAR[lowest(between)] & goals) return 1;
            }
            break;
        case TRITON:
            if (goals && !low && rounds_to(s, space, free, goals, powers->hades)) return 1;
            break;
        case PAN:
            if (level > 1 && !powers->persephone && near[space] & free & counts & ~at_least(s, level - 1)) return 1;
            break;
        case EROS: {
            int other = s->worker[worker ^ 1];
            if (other == NOWHERE || powers->persephone) break;
            int meeting = level_of(s, other);
            if ((game.seats == 2 && meeting != 1) || meeting > level + !low) break;
            if (powers->hades && meeting < level) break;
            if (NEAR[space] & NEAR[other] & free & counts & at_least(s, meeting) & ~at_least(s, meeting + 1)) return 1;
            break;
        }
        case CHRONUS:
            if (count_of(s->rise3 & s->domes) == 4 && !powers->demands && completes_five(s, powers, worker, taken))
                return 1;
        }
    }
    return 0;
}
