/* The engine playing against itself, for training/santorini.py: matches in, quiet positions out. */

#include "../src/ludoteca/games/santorini/engine/engine.c"

enum { MATCH_TURNS = 120, TURN_STEPS = 40, OPENING = 2, RANDOM_TURN = 12 };

/* A quiet position: the gods of who begins the turn and of the rival, what the search found, whether the first
   one won the match, and the features of both. */
typedef struct {
    u8 god, rival, won, seat;
    int value;
    i8 mine[FEATURES], theirs[FEATURES];
} Kept;

static Kept kept_positions[MATCH_TURNS];
static u64 chance;

EXPORT(kept) Kept *kept(void) { return kept_positions; }
EXPORT(kept_size) int kept_size(void) { return sizeof(Kept); }
EXPORT(seed) void seed(u64 number) { chance = number * 0x9E3779B97F4A7C15ull + 1; }

static int below(int count) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return (int)((chance >> 33) % (u64)count);
}

/* How often each feature is there: what the position would be worth if nothing else counted. */
static void count_features(const State *s, int seat, i8 *counts) {
    int whole[FEATURES];
    __builtin_memcpy(whole, weights[seat], sizeof whole);
    __builtin_memset(weights[seat], 0, sizeof whole);
    for (int n = 0; n < FEATURES; n++) {
        weights[seat][n] = 1;
        counts[n] = (i8)worth_of(s, seat, occupied(s));
        weights[seat][n] = 0;
    }
    __builtin_memcpy(weights[seat], whole, sizeof whole);
}

static Choice best_of(const Choice *from, int count) {
    int size = 0;
    /* Every walk comes to an end. */
    if (state.moves > 1)
        for (int n = 0; n < count; n++)
            if (KIND(from[n]) != MOVE) list_choices[size++] = from[n];
    if (!size)
        for (; size < count; size++) list_choices[size] = from[size];
    for (int n = size - 1; n > 0; n--) {
        int other = below(n + 1);
        Choice one = list_choices[n];
        list_choices[n] = list_choices[other], list_choices[other] = one;
    }
    return size == 1 ? list_choices[0] : (Choice)search(size, 40);
}

/* One match between two gods; returns how many positions were kept. */
EXPORT(match) int match(int god, int rival) {
    Choice now[CHOICES_MAX];
    int size = 0;
    __builtin_memset(board_bytes, 0, sizeof board_bytes);
    board_bytes[0] = 2, board_bytes[2] = 1, board_bytes[4] = (u8)god, board_bytes[5] = (u8)rival;
    u32 taken = 0;
    for (int n = 0; n < 4; n++) {
        int space;
        do space = below(SPACES);
        while (taken >> space & 1);
        taken |= 1u << space;
        board_bytes[38 + n] = (u8)(space + 1);
    }
    load();
    begin_turn(&state, 0);
    int count = proceed(&state, now);
    for (int turn = 0; turn < MATCH_TURNS && state.winner == NOWHERE; turn++) {
        int seat = state.seat, wins = can_win(&state, seat, occupied(&state));
        int any = turn < OPENING || (!wins && !below(RANDOM_TURN)), first = !any && !wins && count > 1;
        if (first) {
            Kept *one = &kept_positions[size];
            one->god = game.god[seat], one->rival = game.god[1 - seat], one->seat = (u8)seat;
            count_features(&state, seat, one->mine);
            count_features(&state, 1 - seat, one->theirs);
        }
        if (!any) forget();
        for (int step = 0; state.winner == NOWHERE && state.seat == seat; step++) {
            Choice choice = any || step > TURN_STEPS ? now[below(count)] : best_of(now, count);
            if (first) kept_positions[size++].value = value_found, first = 0;
            count = apply(&state, choice, now);
        }
    }
    if (state.winner == NOWHERE) return 0;
    for (int n = 0; n < size; n++) kept_positions[n].won = kept_positions[n].seat == state.winner;
    return size;
}
