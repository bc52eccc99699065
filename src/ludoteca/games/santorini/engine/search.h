/* Alpha-beta over the steps of a turn, deeper and deeper turn by turn.

   Values are seen from the side that decides. With three players the others are taken to play together
   against the one who thinks, so there are always two sides. */

enum { WON = 1000000, FOUND = WON / 2, STEPS_MAX = 4, STEPS_AHEAD = 2, PLIES_MAX = 64, ENTRIES = 1 << 18 };
/* Depth is counted in half turns, so that a reduction can be half a turn. */
enum { TURN = 2 };

enum { NOTHING, EXACT, AT_MOST, AT_LEAST };
typedef struct {
    u32 check;
    int value;
    Choice best;
    i8 depth;
    u8 bound;
} Known;

static Known known[ENTRIES];
/* How often a choice has cut off a branch, by side. */
static int liked[2][1 << 12];
static u64 nodes;
static int me, stopped, steps_max, deepest;

/* The host says whether there is time left. */
__attribute__((import_module("host"), import_name("more"))) extern int more(void);

/* What a position is worth, at the start of a turn */

static u8 KIND_OF_PLACE[SPACES];

static int count_of(u32 spaces) { return __builtin_popcount(spaces); }

static int worth_of(const State *s, int seat, u32 taken) {
    int value = 0, threats = 0;
    u32 free = ISLAND & ~s->domes & ~taken;
    u32 ground = free & ~s->rise1, first = free & s->rise1 & ~s->rise2, second = free & s->rise2 & ~s->rise3;
    u32 third = free & s->rise3;
    for (int worker = 2 * seat; worker < 2 * seat + 2; worker++) {
        int space = s->worker[worker];
        if (space == NOWHERE) continue;
        int level = level_of(s, space);
        u32 near = NEAR[space];
        const int *each = AROUND[level];
        value += HEIGHT[level] + PLACE[KIND_OF_PLACE[space]] + each[0] * count_of(near & ground) +
                 each[1] * count_of(near & first) + each[2] * count_of(near & second) +
                 each[3] * count_of(near & third) + each[4] * count_of(near & s->domes) +
                 each[5] * count_of(near & taken);
        if (level == 2) threats += count_of(near & third);
    }
    if (threats && seat != s->seat) value += THREAT[threats > 1];
    return value;
}

static int worth(const State *s) {
    u32 taken = occupied(s);
    int value = 0;
    for (int seat = 0; seat < game.seats; seat++) {
        if (s->out >> seat & 1) continue;
        int one = worth_of(s, seat, taken);
        value += seat == me ? one : -one;
    }
    return (s->seat == me ? value : -value) + TEMPO;
}

/* Whether a step up to the third level is open to a seat at the start of its turn. */
static int can_climb(const State *s, int seat, u32 taken) {
    const Powers *powers = &game.powers[seat][s->out];
    if (powers->athena != NOWHERE && s->risen >> powers->athena & 1) return 0;
    const u32 *near = game.god[seat] == URANIA ? ROUND : NEAR;
    u32 goals = s->rise3 & ~s->domes & ~taken;
    if (powers->hera) goals &= ~EDGE;
    for (int k = 0; k < 2; k++) {
        int space = s->worker[2 * seat + k];
        if (space == NOWHERE || !(s->rise2 >> space & 1) || s->rise3 >> space & 1) continue;
        if (seat == s->seat && s->asleep >> k & 1) continue;
        if (near[space] & goals) return 1;
    }
    return 0;
}

/* Whether somebody of the other side would win at once if it were their turn. */
static int threatened(const State *s, u32 taken) {
    for (int seat = 0; seat < game.seats; seat++)
        if ((seat == me) != (s->seat == me) && !(s->out >> seat & 1) && can_climb(s, seat, taken)) return 1;
    return 0;
}

/* The search */

static void order(const State *s, Choice *choices, int count, Choice first) {
    int promise[CHOICES_MAX];
    const int *favour = liked[s->seat == me];
    for (int n = 0; n < count; n++) {
        Choice choice = choices[n];
        int value = favour[choice];
        if (choice == first) value = 1 << 30;
        else if (KIND(choice) == MOVE) {
            int target = level_of(s, TARGET(choice));
            value += 4096 * (target - level_of(s, SOURCE(choice))) + 512 * target;
        }
        int place = n;
        for (; place && promise[place - 1] < value; place--)
            promise[place] = promise[place - 1], choices[place] = choices[place - 1];
        promise[place] = value;
        choices[place] = choice;
    }
}

/* Without endless walks and endless building, and without the same builds in another order. */
static int sensible(const State *s, Choice *choices, int count, int walk, int steps_now) {
    int kept = 0, tire = s->moves && walk <= 0, build = s->builds >= 2, enough = s->builds >= steps_now;
    if (!tire && !build) return count;
    Choice all[CHOICES_MAX];
    for (int n = 0; n < count; n++) {
        Choice choice = all[n] = choices[n];
        if (tire && KIND(choice) == MOVE) continue;
        if (build && (KIND(choice) == BLOCK || KIND(choice) == DOME) &&
            (enough || (int)TARGET(choice) < s->built)) continue;
        choices[kept++] = choice;
    }
    if (kept) return kept;
    for (int n = 0; n < count; n++) choices[n] = all[n];
    return count;
}

static int searched(const State *s, Choice *choices, int count, int depth, int low, int high, int ply, int walk);

/* The value of a choice, from the side that makes it. */
static int after(const State *s, Choice choice, int depth, int low, int high, int ply, int walk) {
    if ((++nodes & 2047) == 0 && !more()) stopped = 1;
    if (stopped) return 0;
    State later = *s;
    Choice choices[CHOICES_MAX];
    int count = apply(&later, choice, choices), mine = s->seat == me;
    if (later.winner != NOWHERE) return (later.winner == me) == mine ? WON - ply : ply - WON;
    if (later.out >> me & 1) return mine ? ply - WON : WON - ply;
    if (later.moves || later.builds)
        return searched(&later, choices, count, depth, low, high, ply, walk - (KIND(choice) == MOVE));
    if ((later.seat == me) == mine) return searched(&later, choices, count, depth - TURN, low, high, ply + 1, STEPS_AHEAD);
    return -searched(&later, choices, count, depth - TURN, -high, -low, ply + 1, STEPS_AHEAD);
}

static int searched(const State *s, Choice *choices, int count, int depth, int low, int high, int ply, int walk) {
    int beginning = !s->moves && !s->builds, forced = 0;
    if (beginning) {
        u32 taken = occupied(s);
        if (ply > deepest) deepest = ply;
        /* Aphrodite may forbid even a winning step: then the choices have to be looked at. */
        if (powers_of(s)->aphrodite == NOWHERE && can_climb(s, s->seat, taken)) return WON - ply;
        forced = threatened(s, taken);
        /* Whoever is threatened has few answers: the threat is looked through to its end. */
        if (forced && depth <= 0 && ply < PLIES_MAX) depth = depth < -3 * TURN ? 0 : 1;
        if (depth <= 0 || ply >= PLIES_MAX) return worth(s);
    }
    if (walk < -STEPS_MAX) return worth(s);
    u64 hash = hash_of(s) * (u64)(2 * (walk + 16) + 1);
    Known *entry = &known[hash % ENTRIES];
    Choice first = 0xFFFF, best_choice = 0xFFFF;
    u32 check = (u32)(hash >> 32);
    if (entry->check == check && entry->bound) {
        int value = entry->value;
        if (value > FOUND) value -= ply;
        else if (value < -FOUND) value += ply;
        first = entry->best;
        if (entry->depth >= depth &&
            (entry->bound == EXACT || (entry->bound == AT_LEAST && value >= high) ||
             (entry->bound == AT_MOST && value <= low)))
            return value;
    }
    count = sensible(s, choices, count, walk, ply == 1 ? steps_max : STEPS_AHEAD);
    order(s, choices, count, first);
    int best = -2 * WON, alpha = low;
    for (int n = 0; n < count; n++) {
        int value, less = 0;
        /* Late choices are first looked at less deeply, and only whether they are better at all. */
        if (n >= 4 && depth > TURN && !forced && KIND(choices[n]) != FINISH)
            less = n >= 12 && depth > 2 * TURN ? 2 : 1;
        if (n) {
            value = after(s, choices[n], depth - less, alpha, alpha + 1, ply, walk);
            if (value > alpha && (less || value < high)) value = after(s, choices[n], depth, alpha, high, ply, walk);
        } else {
            value = after(s, choices[n], depth, alpha, high, ply, walk);
        }
        if (stopped) return 0;
        if (value > best) best = value, best_choice = choices[n];
        if (best > alpha) alpha = best;
        if (alpha >= high) {
            int *favour = &liked[s->seat == me][choices[n]];
            *favour += depth * depth;
            if (*favour > 1 << 20)
                for (int side = 0; side < 2; side++)
                    for (int k = 0; k < 1 << 12; k++) liked[side][k] /= 2;
            break;
        }
    }
    int kept = best > FOUND ? best + ply : best < -FOUND ? best - ply : best;
    *entry = (Known){check, kept, best_choice, (i8)depth, best <= low ? AT_MOST : best >= high ? AT_LEAST : EXACT};
    return best;
}
