/* The rules of Santorini's turn, as gods/ has them in Python, on bitboards: space n is bit n.
   `tests/games/santorini/test_engine.py` plays both side by side. Names are those of the Python files. */

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef signed short i16;
typedef unsigned int u32;
typedef unsigned long long u64;

enum { SPACES = 25, SIDE = 5, TOP = 3, DOMED = 8, BOTH = 3, NOWHERE = -1, CHOICES_MAX = 256 };
#define ISLAND ((1u << SPACES) - 1)

/* In the order of GODS. */
enum {
    MORTAL, APOLLO, ARTEMIS, ATHENA, ATLAS, DEMETER, HEPHAESTUS, HERMES, MINOTAUR, PAN, PROMETHEUS,
    APHRODITE, CHRONUS, EROS, HERA, HESTIA, HYPNUS, LIMUS, MORPHEUS, PERSEPHONE, POSEIDON, SELENE, TRITON,
    ZEUS, HADES, TERPSICHORE, URANIA, GODS_COUNT
};

/* A choice: what, from where, to where. */
enum { MOVE, BLOCK, DOME, FINISH };
typedef u16 Choice;
#define CHOICE(kind, source, target) ((Choice)((kind) | (source) << 2 | (target) << 7))
#define KIND(choice) ((choice) & 3)
#define SOURCE(choice) ((choice) >> 2 & 31)
#define TARGET(choice) ((choice) >> 7)

typedef struct {
    /* Spaces with at least one, two and three blocks; spaces with a dome. */
    u32 rise1, rise2, rise3, domes;
    i8 worker[6];
    u8 seat, out, risen;
    u8 tokens[3];
    /* The turn (see Turn in state.py). */
    i8 mover, origin, built, builder;
    u8 moves, moved, rose, level, builds, builders, asleep, held;
    i8 winner;
    /* States are compared byte by byte. */
    u8 unused[3];
} State;

/* What may come next in a turn; workers as bits, 1 and 2. */
typedef struct {
    u8 movers, builders, end, rise, drop;
} Step;

/* The seats of rivals whose god has a say in a turn, or NOWHERE. Chronus has it in his own turn too. */
typedef struct {
    i8 athena, limus, aphrodite, chronus;
    u8 hades, hera, hypnus, persephone, demands;
} Powers;

static struct {
    u8 seats;
    u8 order[3];
    u8 god[3];
    Powers powers[3][8];
} game;

static u32 NEAR[SPACES], ROUND[SPACES];
static i8 BEYOND[SPACES][SPACES];
static u32 EDGE;

static void draw_island(void) {
    for (int space = 0; space < SPACES; space++) {
        int row = space / SIDE, column = space % SIDE;
        NEAR[space] = ROUND[space] = 0;
        for (int target = 0; target < SPACES; target++) BEYOND[space][target] = NOWHERE;
        if (row == 0 || row == SIDE - 1 || column == 0 || column == SIDE - 1) EDGE |= 1u << space;
        for (int i = -1; i <= 1; i++) {
            for (int j = -1; j <= 1; j++) {
                if (!i && !j) continue;
                ROUND[space] |= 1u << ((row + i + SIDE) % SIDE * SIDE + (column + j + SIDE) % SIDE);
                if (row + i < 0 || row + i >= SIDE || column + j < 0 || column + j >= SIDE) continue;
                int target = (row + i) * SIDE + column + j, far_row = row + 2 * i, far = column + 2 * j;
                NEAR[space] |= 1u << target;
                if (far_row >= 0 && far_row < SIDE && far >= 0 && far < SIDE)
                    BEYOND[space][target] = (i8)(far_row * SIDE + far);
            }
        }
    }
}

/* Who is out has no power any more, over anybody. */
static void gather_powers(void) {
    for (int seat = 0; seat < 3; seat++) {
        for (int out = 0; out < 8; out++) {
            Powers *powers = &game.powers[seat][out];
            *powers = (Powers){NOWHERE, NOWHERE, NOWHERE, NOWHERE, 0, 0, 0, 0, 0};
            for (i8 owner = 0; owner < game.seats; owner++) {
                if (out >> owner & 1) continue;
                if (game.god[owner] == CHRONUS) powers->chronus = owner;
                if (owner == seat) continue;
                switch (game.god[owner]) {
                case ATHENA: powers->athena = owner; break;
                case LIMUS: powers->limus = owner; break;
                case APHRODITE: powers->aphrodite = owner; powers->demands = 1; break;
                case PERSEPHONE: powers->persephone = powers->demands = 1; break;
                case HADES: powers->hades = 1; break;
                case HERA: powers->hera = 1; break;
                case HYPNUS: powers->hypnus = 1; break;
                }
            }
        }
    }
}

static inline const Powers *powers_of(const State *s) { return &game.powers[s->seat][s->out]; }

static inline int lowest(u32 spaces) { return __builtin_ctz(spaces); }

static inline int level_of(const State *s, int space) {
    return (s->rise1 >> space & 1) + (s->rise2 >> space & 1) + (s->rise3 >> space & 1);
}

/* Spaces with at least so many blocks. */
static inline u32 at_least(const State *s, int blocks) {
    return blocks <= 0 ? ISLAND : blocks == 1 ? s->rise1 : blocks == 2 ? s->rise2 : blocks == 3 ? s->rise3 : 0;
}

static inline u32 bit(int space) { return space == NOWHERE ? 0 : 1u << space; }

static inline u32 of_seat(const State *s, int seat) {
    return bit(s->worker[2 * seat]) | bit(s->worker[2 * seat + 1]);
}

static inline u32 occupied(const State *s) { return of_seat(s, 0) | of_seat(s, 1) | of_seat(s, 2); }

static inline int worker_on(const State *s, int space) {
    for (int worker = 0; worker < 6; worker++)
        if (s->worker[worker] == space) return worker;
    return NOWHERE;
}

static inline const u32 *around(const State *s) { return game.god[s->seat] == URANIA ? ROUND : NEAR; }

/* What may come next */

static inline u8 only(int worker) { return (u8)(1 << (worker & 1)); }

static Step plain(const State *s) {
    Step step = {0, 0, 0, 1, TOP};
    if (!s->moves) step.movers = BOTH;
    else if (!s->builds) step.builders = only(s->mover);
    else step.end = 1;
    return step;
}

static Step steps(const State *s) {
    Step step = {0, 0, 0, 1, TOP};
    switch (game.god[s->seat]) {
    case ARTEMIS:
        if (s->moves != 1 || s->builds) return plain(s);
        step.movers = step.builders = only(s->mover);
        return step;
    case DEMETER:
    case HEPHAESTUS:
    case HESTIA:
        if (s->builds != 1) return plain(s);
        step.builders = only(s->mover);
        step.end = 1;
        return step;
    case HERMES:
        if (s->builds) {
            step.end = 1;
        } else if (!s->moves) {
            step.movers = step.builders = BOTH;
        } else if (s->level) {
            step.movers = step.builders = BOTH;
            step.rise = step.drop = 0;
        } else {
            step.builders = only(s->mover);
        }
        return step;
    case MORPHEUS:
        if (!s->moves) return plain(s);
        step.end = 1;
        if (s->tokens[s->seat]) step.builders = only(s->mover);
        return step;
    case POSEIDON: {
        if (!s->builds) return plain(s);
        int other = s->mover ^ 1, space = s->worker[other];
        step.end = 1;
        if (space != NOWHERE && !(s->rise1 >> space & 1) && !(s->domes >> space & 1) && s->builds <= 3)
            step.builders = only(other);
        return step;
    }
    case PROMETHEUS:
        if (s->moves) return plain(s);
        if (s->builds) {
            step.movers = only(s->builder);
            step.rise = 0;
        } else {
            step.movers = step.builders = BOTH;
        }
        return step;
    case SELENE:
        if (!s->moves || s->builds) return plain(s);
        step.builders = BOTH;
        return step;
    case TERPSICHORE: {
        u8 present = 0;
        for (int worker = 0; worker < 2; worker++)
            if (s->worker[2 * s->seat + worker] != NOWHERE) present |= (u8)(1 << worker);
        if (present & ~s->moved) step.movers = present & (u8)~s->moved;
        else if (present & ~s->builders) step.builders = present & (u8)~s->builders;
        else step.end = 1;
        return step;
    }
    case TRITON:
        if (!s->moves || s->builds || !(EDGE >> s->worker[s->mover] & 1)) return plain(s);
        step.movers = step.builders = only(s->mover);
        return step;
    }
    return plain(s);
}

/* Where this worker can move now. */
static u32 moves_of(const State *s, const Powers *powers, Step step, int worker) {
    int source = s->worker[worker], own = game.god[s->seat];
    if (source == NOWHERE || s->asleep & only(worker)) return 0;
    int level = level_of(s, source);
    u32 targets = around(s)[source] & ~s->domes & ~at_least(s, level + step.rise + 1);
    if (step.drop < TOP) targets &= at_least(s, level - step.drop);
    if (own == ARTEMIS && s->origin != NOWHERE) targets &= ~(1u << s->origin);
    if (powers->athena != NOWHERE && s->risen >> powers->athena & 1) targets &= ~at_least(s, level + 1);
    if (powers->hades) targets &= at_least(s, level);
    u32 taken = targets & occupied(s);
    targets &= ~taken;
    if (taken && (own == APOLLO || own == MINOTAUR)) {
        for (taken &= ~of_seat(s, s->seat); taken; taken &= taken - 1) {
            int target = lowest(taken);
            if (own == MINOTAUR) {
                int beyond = BEYOND[source][target];
                if (beyond == NOWHERE || (s->domes | occupied(s)) >> beyond & 1) continue;
            }
            targets |= 1u << target;
        }
    }
    return targets;
}

/* Where this worker can build now: blocks, and domes. */
static u32 blocks_of(const State *s, const Powers *powers, int worker, u32 *domes) {
    int source = s->worker[worker], own = game.god[s->seat];
    *domes = 0;
    if (source == NOWHERE) return 0;
    u32 open = around(s)[source] & ~s->domes & ~occupied(s);
    u32 blocks = open & ~s->rise3;
    if (own == ZEUS && !(s->rise3 >> source & 1)) blocks |= 1u << source;
    int marked = worker == 2 * s->seat;
    *domes = own == ATLAS || (own == SELENE && marked) ? open : open & s->rise3;
    switch (own) {
    case DEMETER:
        if (s->builds) blocks &= ~bit(s->built), *domes &= ~bit(s->built);
        break;
    case HEPHAESTUS:
        if (s->builds) blocks &= bit(s->built), *domes = 0;
        break;
    case HESTIA:
        if (s->builds) blocks &= ~EDGE, *domes &= ~EDGE;
        break;
    case SELENE:
        if (worker != s->mover) {
            blocks = 0;
            if (!marked) *domes = 0;
        }
        break;
    }
    if (powers->limus != NOWHERE) {
        u32 guarded = 0;
        for (int limus = 2 * powers->limus; limus < 2 * powers->limus + 2; limus++)
            if (s->worker[limus] != NOWHERE) guarded |= NEAR[s->worker[limus]];
        blocks &= ~guarded;
        *domes &= ~guarded | s->rise3;
    }
    return blocks;
}

static inline int add(Choice *choices, int count, int kind, int source, u32 targets) {
    for (; targets; targets &= targets - 1) choices[count++] = CHOICE(kind, source, lowest(targets));
    return count;
}

static int add_moves(const State *s, const Powers *powers, Step step, int movers, Choice *choices) {
    int count = 0;
    for (int k = 0; k < 2; k++)
        if (movers >> k & 1) {
            int worker = 2 * s->seat + k;
            u32 targets = moves_of(s, powers, step, worker);
            if (targets) count = add(choices, count, MOVE, s->worker[worker], targets);
        }
    return count;
}

static int add_builds(const State *s, const Powers *powers, int builders, Choice *choices, int count) {
    for (int k = 0; k < 2; k++)
        if (builders >> k & 1) {
            int worker = 2 * s->seat + k;
            u32 domes, blocks = blocks_of(s, powers, worker, &domes);
            count = add(choices, count, BLOCK, s->worker[worker], blocks);
            count = add(choices, count, DOME, s->worker[worker], domes);
        }
    return count;
}

/* What a choice brings about */

static int wins_by_power(const State *s, int worker, int source_level, int target) {
    switch (game.god[s->seat]) {
    case PAN: return source_level - level_of(s, target) >= 2;
    case EROS: {
        int other = s->worker[worker ^ 1];
        if (other == NOWHERE || !(NEAR[target] >> other & 1)) return 0;
        int level = level_of(s, target);
        return level == level_of(s, other) && (level == 1 || game.seats == 3);
    }
    }
    return 0;
}

static void act_move(State *s, const Powers *powers, int source, int target) {
    int worker = worker_on(s, source), victim = worker_on(s, target);
    if (victim != NOWHERE)
        s->worker[victim] = (i8)(game.god[s->seat] == APOLLO ? source : BEYOND[source][target]);
    s->worker[worker] = (i8)target;
    int before = level_of(s, source), after = level_of(s, target);
    if (s->mover != worker) s->origin = (i8)source;
    s->mover = (i8)worker;
    s->moves = s->moves ? 2 : 1;
    s->moved |= only(worker);
    s->rose |= after > before;
    s->level &= after == before;
    s->builds = 0;
    int won = (after > before && after == TOP) || wins_by_power(s, worker, before, target);
    if (won && !(powers->hera && EDGE >> target & 1)) s->winner = (i8)s->seat;
}

static void act_build(State *s, const Powers *powers, int source, int target, int dome) {
    int worker = worker_on(s, source);
    u32 here = 1u << target;
    if (dome) s->domes |= here;
    else s->rise3 |= here & s->rise2, s->rise2 |= here & s->rise1, s->rise1 |= here;
    s->builds++;
    s->built = (i8)target;
    s->builder = (i8)worker;
    s->builders |= only(worker);
    if (game.god[s->seat] == MORPHEUS) s->tokens[s->seat]--;
    if (powers->chronus != NOWHERE && __builtin_popcount(s->rise3 & s->domes) >= 5) s->winner = powers->chronus;
}

static void act(State *s, const Powers *powers, Choice choice) {
    if (KIND(choice) == MOVE) act_move(s, powers, SOURCE(choice), TARGET(choice));
    else act_build(s, powers, SOURCE(choice), TARGET(choice), KIND(choice) == DOME);
}

/* Looking ahead in a turn (gods/ahead.py) */

static int beside(const State *s, int owner, int workers) {
    u32 hers = of_seat(s, owner);
    int found = 0;
    for (int k = 0; k < 2; k++) {
        int space = s->worker[2 * s->seat + k];
        if (workers >> k & 1 && space != NOWHERE && NEAR[space] & hers) found |= 1 << k;
    }
    return found;
}

/* Which workers have not moved as rivals demand. */
static int wrong(const State *s, const Powers *powers) {
    int found = 0;
    if (powers->aphrodite != NOWHERE) {
        int bound = s->held & s->moved;
        found |= bound & ~beside(s, powers->aphrodite, bound);
    }
    if (powers->persephone && !s->rose) found |= BOTH;
    return found;
}

/* Whether nothing but builds is needed for the turn, or the match, to end. */
static int completes(const State *s, const Powers *powers) {
    if (s->winner != NOWHERE) return 1;
    Step step = steps(s);
    if (step.end) return 1;
    Choice builds[CHOICES_MAX];
    int count = add_builds(s, powers, step.builders, builds, 0);
    for (int n = 0; n < count; n++) {
        State later = *s;
        act(&later, powers, builds[n]);
        if (completes(&later, powers)) return 1;
    }
    return 0;
}

/* All situations that moves can lead to are few: walks differ in where two workers stand and how they came. */
enum { SITUATIONS = 1 << 15, SLOTS = 1 << 16 };
static State queue[SITUATIONS];
static u16 slots[SLOTS];

static u64 mixed(u64 hash, u64 word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 29;
}

static inline u64 packed(const i8 *bytes) {
    return (u64)(u8)bytes[0] | (u64)(u8)bytes[1] << 8 | (u64)(u8)bytes[2] << 16 | (u64)(u8)bytes[3] << 24;
}

static u64 hash_of(const State *s) {
    u64 workers = packed(s->worker) | (u64)(u8)s->worker[4] << 32 | (u64)(u8)s->worker[5] << 40;
    u64 turn = packed(&s->mover) | (u64)(s->moves | s->rose << 2 | s->level << 3 | s->moved << 4) << 32 |
               (u64)(s->builds | s->builders << 4) << 40 | (u64)(s->asleep | s->held << 2) << 48;
    u64 rest = s->seat | (u64)s->out << 4 | (u64)s->risen << 8 | (u64)s->tokens[0] << 16 |
               (u64)s->tokens[1] << 24 | (u64)s->tokens[2] << 32;
    u64 hash = mixed(0, s->rise1 | (u64)s->rise2 << 32);
    hash = mixed(hash, s->rise3 | (u64)s->domes << 32);
    hash = mixed(hash, workers);
    hash = mixed(hash, turn);
    return mixed(hash, rest);
}

static int same(const State *a, const State *b) {
    const u8 *x = (const u8 *)a, *y = (const u8 *)b;
    for (u32 n = 0; n < sizeof(State); n++)
        if (x[n] != y[n]) return 0;
    return 1;
}

/* Whether the turn can be completed as demanded by more moves; `narrow` moves only the first who must. */
static int leads_by(const State *s, const Powers *powers, int demanded, int narrow) {
    static u16 used[SITUATIONS];
    int count = 1, found = 0;
    queue[0] = *s;
    for (int head = 0; head < count && !found; head++) {
        const State *here = &queue[head];
        int amiss = demanded ? wrong(here, powers) : 0;
        if (!amiss && completes(here, powers)) { found = 1; break; }
        Step step = steps(here);
        if (here->winner != NOWHERE || (amiss && powers->persephone && !step.rise)) continue;
        int wanted = narrow && amiss ? amiss & -amiss : BOTH;
        Choice moves[CHOICES_MAX];
        int size = add_moves(here, powers, step, step.movers & wanted, moves);
        for (int n = 0; n < size && count < SITUATIONS - 1; n++) {
            State later = *here;
            act(&later, powers, moves[n]);
            u32 slot = (u32)hash_of(&later) % SLOTS;
            while (slots[slot] && !same(&queue[slots[slot]], &later)) slot = (slot + 1) % SLOTS;
            if (slots[slot] || same(&queue[0], &later)) continue;
            slots[slot] = (u16)count;
            used[count] = (u16)slot;
            queue[count++] = later;
        }
    }
    for (int n = 1; n < count; n++) slots[used[n]] = 0;
    return found;
}

static int leads(const State *s, const Powers *powers, int demanded) {
    /* Who has moved for good needs no looking ahead. */
    if (!steps(s).movers) return !(demanded && wrong(s, powers)) && completes(s, powers);
    return leads_by(s, powers, demanded, 1) || leads_by(s, powers, demanded, 0);
}

static int builds_in_vain(const State *s, const Powers *powers, Step step, const Choice *choices, int count) {
    if (KIND(choices[0]) == MOVE || !step.movers || s->moves) return 0;
    for (int n = 0; n < count; n++) {
        State later = *s;
        Choice moves[CHOICES_MAX];
        act(&later, powers, choices[n]);
        Step following = steps(&later);
        if (following.end || add_moves(&later, powers, following, following.movers, moves)) return 0;
    }
    return 1;
}

static int as_demanded(const State *s, const Powers *powers, Choice *choices, int count) {
    if (KIND(choices[0]) != MOVE) return count;
    Choice kept[CHOICES_MAX];
    int size = 0;
    for (int n = 0; n < count; n++) {
        State later = *s;
        act(&later, powers, choices[n]);
        if (leads(&later, powers, 1)) kept[size++] = choices[n];
    }
    if (!size) return count;
    for (int n = 0; n < size; n++) choices[n] = kept[n];
    return size;
}

/* The turn (rules.py) */

static int next_seat(const State *s) {
    int place = 0;
    while (game.order[place] != s->seat) place++;
    for (int n = 1; n <= game.seats; n++) {
        int seat = game.order[(place + n) % game.seats];
        if (!(s->out >> seat & 1)) return seat;
    }
    return s->seat;
}

static void begin_turn(State *s, int seat) {
    s->seat = (u8)seat;
    s->mover = s->origin = s->built = s->builder = NOWHERE;
    s->moves = s->moved = s->rose = s->builds = s->builders = s->asleep = s->held = 0;
    s->level = 1;
    const Powers *powers = powers_of(s);
    if (powers->hypnus) {
        int first = s->worker[2 * seat], second = s->worker[2 * seat + 1];
        int one = first == NOWHERE ? -1 : level_of(s, first), two = second == NOWHERE ? -1 : level_of(s, second);
        if (one != two) s->asleep = one > two ? 1 : 2;
    }
    if (powers->aphrodite != NOWHERE) s->held = (u8)beside(s, powers->aphrodite, BOTH);
    if (game.god[seat] == MORPHEUS) s->tokens[seat]++;
}

static void end_turn(State *s) {
    s->risen = (u8)((s->risen & ~(1 << s->seat)) | s->rose << s->seat);
    begin_turn(s, next_seat(s));
}

static void lose(State *s) {
    int seat = s->seat, following = next_seat(s);
    s->out |= (u8)(1 << seat);
    s->worker[2 * seat] = s->worker[2 * seat + 1] = NOWHERE;
    if (__builtin_popcount(s->out) == game.seats - 1) s->winner = (i8)following;
    else begin_turn(s, following);
}

/* What may be answered now; ends turns, and games of those who cannot go on, as they must. Who asks only for
   the turn that goes on is told FRESH when another one begins, whose choices are then not looked for. */
enum { FRESH = -1 };
static int proceed_in(State *s, Choice *choices, int one_turn) {
    while (s->winner == NOWHERE) {
        const Powers *powers = powers_of(s);
        Step step = steps(s);
        int count = step.movers ? add_moves(s, powers, step, step.movers, choices) : 0;
        if (step.builders) count = add_builds(s, powers, step.builders, choices, count);
        if (count && builds_in_vain(s, powers, step, choices, count)) count = 0;
        if (count && !(KIND(choices[count - 1]) == MOVE && s->moves && !leads(s, powers, 0))) {
            if (powers->demands) count = as_demanded(s, powers, choices, count);
            if (step.end) choices[count++] = CHOICE(FINISH, 0, 0);
            return count;
        }
        if (step.end) end_turn(s);
        else lose(s);
        if (one_turn && s->winner == NOWHERE) return FRESH;
    }
    return 0;
}

static int proceed(State *s, Choice *choices) { return proceed_in(s, choices, 0); }

/* Carry out a choice; returns how many may follow. */
static int apply_in(State *s, Choice choice, Choice *choices, int one_turn) {
    if (KIND(choice) == FINISH) {
        end_turn(s);
        if (one_turn) return FRESH;
    } else {
        act(s, powers_of(s), choice);
    }
    return proceed_in(s, choices, one_turn);
}

static int apply(State *s, Choice choice, Choice *choices) { return apply_in(s, choice, choices, 0); }
