/* Alpha-beta over the steps of a turn, deeper and deeper turn by turn.

   Values are seen from the side that decides. With three players the others are taken to play together
   against the one who thinks, so there are always two sides. */

enum { WON = 1000000, FOUND = WON / 2, STEPS_MAX = 4, STEPS_AHEAD = 2, PLIES_MAX = 64, ENTRIES = 1 << 18 };
/* Depth is counted in half turns, so that a reduction can be half a turn. */
enum { TURN = 2, AHEAD = 80 };

enum { NOTHING, EXACT, AT_MOST, AT_LEAST };
typedef struct {
    u32 check;
    int value;
    Choice best;
    i8 depth;
    /* The bound, and above it the search that found it. */
    u8 bound;
} Known;

static Known known[ENTRIES];
static u8 search_now;
/* How often a choice has cut off a branch, by side. */
static int liked[2][1 << 12];
static u64 nodes;
static int me, stopped, steps_max;

/* The host says whether there is time left. */
__attribute__((import_module("host"), import_name("more"))) extern int more(void);

/* Whether somebody of the other side would win at once if it were their turn. */
static int threatened(const State *s, u32 taken) {
    for (int seat = 0; seat < game.seats; seat++)
        if ((seat == me) != (s->seat == me) && !(s->out >> seat & 1) && can_win(s, seat, taken)) return 1;
    return 0;
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

/* Whether who begins a turn can neither move nor build first. */
static int stuck(const State *s) {
    const Powers *powers = powers_of(s);
    Step step = steps(s);
    return !moves_of(s, powers, step, 2 * s->seat) && !moves_of(s, powers, step, 2 * s->seat + 1);
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

/* Whether two builds of this turn could as well have been made the other way round. */
static int either_way(const State *s) {
    int god = game.god[s->seat];
    return s->builds >= 2 || (s->builds == 1 && s->moves &&
           (god == DEMETER || (god == HESTIA && !(EDGE >> s->built & 1))));
}

/* Without endless walks and endless building, and without the same builds in another order. */
static int sensible(const State *s, Choice *choices, int count, int walk, int steps_now) {
    int kept = 0, tire = s->moves && walk <= 0, build = either_way(s), enough = s->builds >= steps_now;
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

static int searched(const State *s, Choice *choices, int count, int depth, int low, int high, int ply, int walk,
                    int forced);

/* A position at the start of a turn, from the side that begins it. */
static int begun(State *s, int depth, int low, int high, int ply) {
    u32 taken = occupied(s);
    /* Aphrodite may forbid even a winning step: then the choices have to be looked at. */
    if (powers_of(s)->aphrodite == NOWHERE && can_win(s, s->seat, taken)) return WON - ply;
    int forced = threatened(s, taken);
    /* Whoever is threatened has few answers: the threat is looked through to its end. */
    if (forced && depth <= 0 && ply < PLIES_MAX) depth = depth < -3 * TURN ? 0 : 1;
    if ((depth <= 0 || ply >= PLIES_MAX) && !stuck(s)) return worth(s);
    /* So far ahead that no answer of one or two turns is likely to change it. */
    if (!forced && depth <= 2 * TURN && high < FOUND && high > -FOUND) {
        int now = worth(s);
        if (now - AHEAD * depth >= high) return now;
    }
    Choice choices[CHOICES_MAX];
    int seat = s->seat, count = proceed(s, choices), mine = seat == me;
    if (s->winner != NOWHERE) return (s->winner == me) == mine ? WON - ply : ply - WON;
    if (s->out >> me & 1) return mine ? ply - WON : WON - ply;
    if (depth <= 0 || ply >= PLIES_MAX) return (s->seat == me) == mine ? worth(s) : -worth(s);
    if ((s->seat == me) == mine) return searched(s, choices, count, depth, low, high, ply, STEPS_AHEAD, forced);
    return -searched(s, choices, count, depth, -high, -low, ply, STEPS_AHEAD, forced);
}

/* The value of a choice, from the side that makes it. */
static int after(const State *s, Choice choice, int depth, int low, int high, int ply, int walk) {
    if ((++nodes & 2047) == 0 && !more()) stopped = 1;
    if (stopped) return 0;
    State later = *s;
    Choice choices[CHOICES_MAX];
    int count = apply_in(&later, choice, choices, 1), mine = s->seat == me;
    if (later.winner != NOWHERE) return (later.winner == me) == mine ? WON - ply : ply - WON;
    if (later.out >> me & 1) return mine ? ply - WON : WON - ply;
    if (count != FRESH)
        return searched(&later, choices, count, depth, low, high, ply, walk - (KIND(choice) == MOVE), 0);
    if ((later.seat == me) == mine) return begun(&later, depth - TURN, low, high, ply + 1);
    return -begun(&later, depth - TURN, -high, -low, ply + 1);
}

static int searched(const State *s, Choice *choices, int count, int depth, int low, int high, int ply, int walk,
                    int forced) {
    if (walk < -STEPS_MAX) return worth(s);
    u64 hash = hash_of(s) * (u64)(2 * (walk + 16) + 1);
    Known *entry = &known[hash % ENTRIES];
    Choice first = 0xFFFF, best_choice = 0xFFFF;
    u32 check = (u32)(hash >> 32);
    /* The last steps of the last turn are quicker looked at again than looked up. */
    int keeps = depth > TURN || (!s->moves && !s->builds);
    if (keeps && entry->check == check && entry->bound >> 2 == search_now) {
        int value = entry->value, bound = entry->bound & 3;
        if (value > FOUND) value -= ply;
        else if (value < -FOUND) value += ply;
        first = entry->best;
        if (entry->depth >= depth &&
            (bound == EXACT || (bound == AT_LEAST && value >= high) || (bound == AT_MOST && value <= low)))
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
    u8 bound = best <= low ? AT_MOST : best >= high ? AT_LEAST : EXACT;
    if (keeps) *entry = (Known){check, kept, best_choice, (i8)depth, (u8)(bound | search_now << 2)};
    return best;
}
