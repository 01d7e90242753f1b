/* The yardstick: plain alpha-beta and perft for checkers in tight C.

   The same rules, the same order of moves and the same count of nodes as the solver without its
   techniques: only the language differs.  Prints count and seconds of one run.

   reference search|perft OWN ENEMY KINGS BLACK DEPTH */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long bits;
typedef struct { bits own, enemy, kings, black; } board; /* no gaps: compared as bytes */
#define SQUARES 0x7FBFDFEFFULL
#define CROWNING 0x78000000FULL
#define WIN 1000000
#define INFINITE 1000001
#define MOST 128

static long long visited;

static bits can_jump(bits up, bits down, bits enemy, bits empty) {
    return (up & ((enemy << 4 & empty << 8) | (enemy << 5 & empty << 10))) |
           (down & ((enemy >> 4 & empty >> 8) | (enemy >> 5 & empty >> 10)));
}

static int add(board *found, int n, bits own, bits enemy, bits kings, int black) {
    found[n] = (board){own, enemy, kings, black};
    return n + 1;
}

static int jump(board *f, int n, bits at, bits own, bits enemy, bits kings, bits king, int black);

static int land(board *f, int n, bits at, bits own, bits enemy, bits kings, bits king, int black) {
    if (!king && at & CROWNING) return add(f, n, enemy, own | at, kings | at, !black);
    return jump(f, n, at, own, enemy, kings, king, black);
}

static int jump(board *f, int n, bits at, bits own, bits enemy, bits kings, bits king, int black) {
    bits empty = SQUARES ^ (own | enemy), over;
    int before = n;
    if (king || !black) {
        if (over = at >> 4, at & enemy << 4 & empty << 8)
            n = land(f, n, at >> 8, own, enemy ^ over, kings & ~over, king, black);
        if (over = at >> 5, at & enemy << 5 & empty << 10)
            n = land(f, n, at >> 10, own, enemy ^ over, kings & ~over, king, black);
    }
    if (king || black) {
        if (over = at << 4, at & enemy >> 4 & empty >> 8)
            n = land(f, n, at << 8, own, enemy ^ over, kings & ~over, king, black);
        if (over = at << 5, at & enemy >> 5 & empty >> 10)
            n = land(f, n, at << 10, own, enemy ^ over, kings & ~over, king, black);
    }
    return n > before ? n : add(f, n, enemy, own | at, king ? kings | at : kings, !black);
}

static int step(const board *b, board *found, int n, bits moving, int left, int right) {
    while (moving) {
        bits piece = moving & -moving, to = piece << left >> right;
        bits kings = b->kings & piece ? b->kings ^ (piece | to) : b->kings | (to & CROWNING);
        moving ^= piece;
        n = add(found, n, b->enemy, b->own ^ (piece | to), kings, !b->black);
    }
    return n;
}

static int moves(const board *b, board *found, int distinct) {
    bits empty = SQUARES ^ (b->own | b->enemy);
    bits up = b->black ? b->own & b->kings : b->own, down = b->black ? b->own : b->own & b->kings;
    bits jumping = can_jump(up, down, b->enemy, empty);
    int n = 0, kept = 0;
    if (!jumping) {
        n = step(b, found, n, up & empty << 4, 0, 4);
        n = step(b, found, n, up & empty << 5, 0, 5);
        n = step(b, found, n, down & empty >> 4, 4, 0);
        return step(b, found, n, down & empty >> 5, 5, 0);
    }
    while (jumping) {
        bits piece = jumping & -jumping;
        jumping ^= piece;
        n = jump(found, n, piece, b->own ^ piece, b->enemy, b->kings & ~piece, piece & b->kings,
                 b->black);
    }
    if (!distinct || n < 2 || !(b->own & b->kings)) return n;
    for (int i = 0, j; i < n; i++) { /* a king can go round both ways */
        for (j = 0; j < kept && memcmp(&found[i], &found[j], sizeof(board)); j++) {}
        if (j == kept) found[kept++] = found[i];
    }
    return kept;
}

static int is_lost(const board *b) {
    bits empty = SQUARES ^ (b->own | b->enemy);
    bits up = b->black ? b->own & b->kings : b->own, down = b->black ? b->own : b->own & b->kings;
    return !can_jump(up, down, b->enemy, empty) && !(up & (empty << 4 | empty << 5)) &&
           !(down & (empty >> 4 | empty >> 5));
}

static int value(const board *b, int depth, int alpha, int beta, int ply) {
    visited++;
    if (depth <= 0) {
        if (is_lost(b)) return ply - WIN;
        return __builtin_popcountll(b->own) - __builtin_popcountll(b->enemy) +
               __builtin_popcountll(b->own & b->kings) - __builtin_popcountll(b->enemy & b->kings);
    }
    board children[MOST];
    int n = moves(b, children, 1), best = -INFINITE;
    if (!n) return ply - WIN;
    for (int i = 0; i < n; i++) {
        int found = -value(&children[i], depth - 1, -beta, -alpha, ply + 1);
        if (found > best) {
            best = found;
            if (found > alpha) alpha = found;
            if (found >= beta) break;
        }
    }
    return best;
}

static long long perft(const board *b, int depth) {
    if (!depth) return 1;
    board children[MOST];
    int n = moves(b, children, 0);
    long long total = 0;
    for (int i = 0; i < n; i++) total += perft(&children[i], depth - 1);
    return total;
}

int main(int count, char **words) {
    if (count != 7) return 2;
    board b;
    memset(&b, 0, sizeof b);
    b.own = strtoull(words[2], 0, 10);
    b.enemy = strtoull(words[3], 0, 10);
    b.kings = strtoull(words[4], 0, 10);
    b.black = atoi(words[5]);
    int depth = atoi(words[6]), times = 0;
    clock_t started = clock();
    do { /* often enough to be measured */
        visited = 0;
        if (words[1][0] == 's') value(&b, depth, -INFINITE, INFINITE, 0);
        else visited = perft(&b, depth);
        times++;
    } while (clock() - started < CLOCKS_PER_SEC / 5);
    printf("%lld %.9f\n", visited, (double)(clock() - started) / CLOCKS_PER_SEC / times);
    return 0;
}
