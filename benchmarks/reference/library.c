/* The prototype as a shared library, so that its runs and ours can take turns in one process. */
#define LIB
#include "guinote.c"

static Node *TREE;

void reference_init(void) {
    init();
    TREE = malloc(sizeof(Node) * 100001);
}

/* Deals and plays n hands at random. */
i64 reference_playouts(int players, int n) {
    u64 x = 1;
    return bench_playouts(players, n, &x);
}

/* Searches the first card of a hand; returns the number of nodes. */
int reference_search(int players, int iterations, u64 seed) {
    State root;
    u64 x = 5;
    deal(&root, players, seed);
    return search(&root, root.turn, iterations, 0.7f, &x, TREE);
}

/* Solves the second phase of a two-player hand played at random so far; returns microseconds. */
double reference_endgame(u64 seed) {
    static Solver z;
    if (!z.tt) {
        z.np = 2, z.ttbits = 13;
        z.tt = calloc(sizeof(TT), 1 << z.ttbits);
    }
    State s;
    u64 x = deal(&s, 2, seed);
    random_until(&s, 12, x);
    memcpy(z.h, s.hand, sizeof z.h);
    z.trump = s.trump, z.gen++;
    double start = now();
    ab(&z, s.turn, 0, 0, 0, 0, 0, 0, s.sung, -9999, 9999);
    return (now() - start) * 1e6;
}
