/* The engine playing against itself, for training/santorini.py: matches in, quiet positions out. */

#include "../src/ludoteca/games/santorini/engine/engine.c"

enum { TURNS_MAX = 40, MATCH_TURNS = 120, TURN_STEPS = 40, OPENING = 2, RANDOM_TURN = 12 };

/* A quiet position as `save` writes it; whether who begins the turn there won the match; what the search found. */
typedef struct {
    u8 board[57], won, seat;
    int value;
} Kept;

enum { KEPT_MAX = 4096 };
static Kept kept_positions[KEPT_MAX];
/* How often the features are there, of who begins the turn and of the rival. */
static i8 counted[KEPT_MAX][2][FEATURES];
static u64 chance;

EXPORT(positions) Kept *positions(void) { return kept_positions; }
EXPORT(counts) i8 *counts(void) { return &counted[0][0][0]; }
EXPORT(winner) int winner(void) { return state.winner; }
EXPORT(seed) void seed(u64 number) { chance = number * 0x9E3779B97F4A7C15ull + 1; }

static int below(int count) {
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return (int)((chance >> 33) % (u64)count);
}

/* How often each feature is there: what the position would be worth if nothing else counted. */
static void count_features(const State *s, int seat, i8 *found) {
    int whole[FEATURES];
    __builtin_memcpy(whole, weights[seat], sizeof whole);
    __builtin_memset(weights[seat], 0, sizeof whole);
    for (int n = 0; n < FEATURES; n++) {
        weights[seat][n] = 1;
        found[n] = (i8)worth_of(s, seat, occupied(s));
        weights[seat][n] = 0;
    }
    __builtin_memcpy(weights[seat], whole, sizeof whole);
}

/* Count the features of the first positions of the list. */
EXPORT(count) void count(int positions) {
    for (int n = 0; n < positions; n++) {
        __builtin_memcpy(board_bytes, kept_positions[n].board, sizeof kept_positions[n].board);
        load();
        for (int other = 0; other < 2; other++) count_features(&state, state.seat ^ other, counted[n][other]);
    }
}

static Choice best_of(const Choice *from, int count, int turns_max) {
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
    return size == 1 ? list_choices[0] : (Choice)search(size, turns_max);
}

/* One match between two gods; returns how many positions were kept. */
EXPORT(match) int match(int god, int rival) {
    Choice now[CHOICES_MAX];
    int kept = 0;
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
    int size = proceed(&state, now);
    for (int turn = 0; turn < MATCH_TURNS && state.winner == NOWHERE; turn++) {
        taken = occupied(&state);
        int seat = state.seat, wins = can_win(&state, seat, taken);
        int any = turn < OPENING || (!wins && !below(RANDOM_TURN));
        /* What the search judges: where threats are, it looks on. */
        int first = !any && !wins && size > 1 && !can_win(&state, 1 - seat, taken);
        if (first) {
            save();
            __builtin_memcpy(kept_positions[kept].board, board_bytes, sizeof kept_positions[kept].board);
            kept_positions[kept].seat = (u8)seat;
        }
        if (!any) forget();
        for (int step = 0; state.winner == NOWHERE && state.seat == seat; step++) {
            int turns_max = !step ? TURNS_MAX : depth_found > 1 ? depth_found : 1;
            Choice choice = any || step > TURN_STEPS ? now[below(size)] : best_of(now, size, turns_max);
            if (first) kept_positions[kept++].value = value_found, first = 0;
            size = apply(&state, choice, now);
        }
    }
    if (state.winner == NOWHERE) return 0;
    for (int n = 0; n < kept; n++) kept_positions[n].won = kept_positions[n].seat == state.winner;
    return kept;
}
