/* The searcher of Santorini for every host that runs WebAssembly: the house, and the browser.

   `board` is where a host writes a position, in the order of `load`; `list` where choices are exchanged. */

#include "rules.h"
#include "weights.h"
#include "worth.h"
#include "search.h"

#define EXPORT(name) __attribute__((export_name(#name)))

static u8 board_bytes[64];
static Choice list_choices[CHOICES_MAX];
static State state;
static int list_count, value_found, depth_found;

EXPORT(board) u8 *board(void) { return board_bytes; }
EXPORT(list) Choice *list(void) { return list_choices; }

/* Spaces and workers are written one higher, so that 0 is nowhere. */
EXPORT(load) void load(void) {
    const u8 *from = board_bytes;
    if (!EDGE) draw_island();
    game.seats = from[0];
    for (int n = 0; n < 3; n++) game.order[n] = from[1 + n], game.god[n] = from[4 + n];
    gather_powers();
    weigh();
    __builtin_memset(&state, 0, sizeof state);
    state.seat = from[7], state.out = from[8], state.risen = from[9];
    for (int n = 0; n < 3; n++) state.tokens[n] = from[10 + n];
    for (int space = 0; space < SPACES; space++) {
        int tower = from[13 + space], level = tower % DOMED;
        u32 here = 1u << space;
        if (level > 0) state.rise1 |= here;
        if (level > 1) state.rise2 |= here;
        if (level > 2) state.rise3 |= here;
        if (tower >= DOMED) state.domes |= here;
    }
    for (int n = 0; n < 6; n++) state.worker[n] = (i8)(from[38 + n] - 1);
    state.mover = (i8)(from[44] - 1), state.origin = (i8)(from[45] - 1);
    state.moves = from[46], state.moved = from[47], state.rose = from[48], state.level = from[49];
    state.builds = from[50], state.built = (i8)(from[51] - 1), state.builder = (i8)(from[52] - 1);
    state.builders = from[53], state.asleep = from[54], state.held = from[55];
    state.winner = (i8)(from[56] - 1);
}

EXPORT(save) void save(void) {
    u8 *to = board_bytes;
    to[7] = state.seat, to[8] = state.out, to[9] = state.risen;
    for (int n = 0; n < 3; n++) to[10 + n] = state.tokens[n];
    for (int space = 0; space < SPACES; space++)
        to[13 + space] = (u8)(level_of(&state, space) + (state.domes >> space & 1 ? DOMED : 0));
    for (int n = 0; n < 6; n++) to[38 + n] = (u8)(state.worker[n] + 1);
    to[44] = (u8)(state.mover + 1), to[45] = (u8)(state.origin + 1);
    to[46] = state.moves, to[47] = state.moved, to[48] = state.rose, to[49] = state.level;
    to[50] = state.builds, to[51] = (u8)(state.built + 1), to[52] = (u8)(state.builder + 1);
    to[53] = state.builders, to[54] = state.asleep, to[55] = state.held;
    to[56] = (u8)(state.winner + 1);
}

/* For a host that knows what is on the table as a turn begins, and not what rivals' gods make of it. */
EXPORT(begin) void begin(void) {
    u8 tokens = state.tokens[state.seat];
    begin_turn(&state, state.seat);
    /* They were given when the turn began. */
    state.tokens[state.seat] = tokens;
}

/* What may be answered in the position that was loaded; returns how many. */
EXPORT(choices) int choices(void) { return list_count = proceed(&state, list_choices); }

/* Carry out a choice; returns how many may follow. */
EXPORT(play) int play(int choice) { return list_count = apply(&state, (Choice)choice, list_choices); }

static u64 leaves(const State *s, const Choice *from, int count, int depth) {
    if (depth == 1) return (u64)count;
    u64 total = 0;
    for (int n = 0; n < count; n++) {
        State later = *s;
        Choice following[CHOICES_MAX];
        int size = apply(&later, from[n], following);
        total += later.winner != NOWHERE ? 1 : leaves(&later, following, size, depth - 1);
    }
    return total;
}

/* How many ways there are to play so many steps; a match that ends earlier is one way. */
EXPORT(perft) u64 perft(int depth) {
    Choice now[CHOICES_MAX];
    State s = state;
    int count = proceed(&s, now);
    return leaves(&s, now, count, depth);
}

/* What earlier searches found out is no longer true when another game, or another turn, is thought about. */
EXPORT(forget) void forget(void) {
    search_now = (search_now + 1) & 63;
    if (!search_now) {
        __builtin_memset(known, 0, sizeof known);
        search_now = 1;
    }
    __builtin_memset(liked, 0, sizeof liked);
}

/* The best of the first `count` choices in the list, for the seat that decides, as far as the host gives
   time for; the list is left with the best first. */
EXPORT(search) int search(int count, int turns_max) {
    nodes = 0, stopped = 0, me = state.seat, value_found = 0, depth_found = 0;
    order(&state, list_choices, count, 0xFFFF);
    for (int turns = 1; turns <= turns_max && !stopped; turns++) {
        int low = -2 * WON;
        steps_max = turns + 1 < STEPS_MAX ? turns + 1 : STEPS_MAX;
        for (int n = 0; n < count; n++) {
            Choice choice = list_choices[n];
            int value;
            if (n) {
                value = after(&state, choice, turns * TURN, low, low + 1, 1, steps_max);
                if (value > low && !stopped) value = after(&state, choice, turns * TURN, low, 2 * WON, 1, steps_max);
            } else {
                value = after(&state, choice, turns * TURN, low, 2 * WON, 1, steps_max);
            }
            if (stopped) break;
            if (value > low || !n) {
                low = value;
                for (int place = n; place; place--) list_choices[place] = list_choices[place - 1];
                list_choices[0] = choice;
                value_found = value;
            }
        }
        if (!stopped) depth_found = turns;
        if (value_found > FOUND || value_found < -FOUND) break;
    }
    return list_choices[0];
}

/* What the position that was loaded is worth at a glance, to who is on turn. */
EXPORT(glance) int glance(void) {
    me = state.seat;
    return worth(&state);
}

EXPORT(value) int value(void) { return value_found; }
EXPORT(depth) int depth(void) { return depth_found; }
EXPORT(nodes) u64 nodes_looked_at(void) { return nodes; }

void *memset(void *to, int byte, __SIZE_TYPE__ size) {
    for (u8 *at = to; size--;) *at++ = (u8)byte;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, __SIZE_TYPE__ size) {
    u8 *at = to;
    for (const u8 *source = from; size--;) *at++ = *source++;
    return to;
}
