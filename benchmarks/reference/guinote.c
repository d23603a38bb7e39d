/* The measure of speed: a throwaway C prototype of two-player and four-player Guiñote, written before the
   product to find out how fast the rules and the search can be. `python -m benchmarks speed` compiles it
   and compares the product's engine and search with it in the same run; nothing else uses it.

   It is kept as it was. It is not the product: no tute, no cut-off at 101, no partner relief, no choice of
   cantes and swaps, no views; one cante for each trick won, the swap always upwards or downwards.
   What it has: random play of a whole hand, SO-ISMCTS (UCB1 with availability counts, random rollouts, the
   difference of points as utility), and the exact endgame by points.

   card = suit*10 + rank, rank 0..9 = 2 4 5 6 7 caballo sota rey tres as; stock[0] is the muestra. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int64_t i64;
typedef uint64_t u64;
#define M63 0x7FFFFFFFFFFFFFFFULL
#define FULL ((1ULL << 40) - 1)
#define SOTAS ((1ULL << 6) | (1ULL << 16) | (1ULL << 26) | (1ULL << 36))
#define SCALE 130.0
#define popcount(x) __builtin_popcountll(x)
#define ctz(x) __builtin_ctzll(x)

static const uint8_t VAL[40] = {0,0,0,0,0,2,3,4,10,11, 0,0,0,0,0,2,3,4,10,11,
                                0,0,0,0,0,2,3,4,10,11, 0,0,0,0,0,2,3,4,10,11};

typedef struct {
    u64 hand[4], known[4], void_[4], sung, played;
    int32_t pts[2], won[2];
    int32_t trump, swapc, stockn, turn, nt, lead, best, bestp, tpts, np;
    int8_t stock[28];
} State;

static inline u64 rnd(u64 x) { return (x * 6364136223846793005ULL + 1442695040888963407ULL) & M63; }
static inline int below(u64 x, int n) { return (int)(((x >> 31) * (u64)n) >> 32); }
static inline u64 suitmask(int s) { return 1023ULL << (10 * s); }
#ifdef __BMI2__
#include <immintrin.h>
static inline int nth(u64 m, int k) { return ctz(_pdep_u64(1ULL << k, m)); }
#else
static inline int nth(u64 m, int k) { for (int i = 0; i < 5; i++) m = i < k ? m & (m - 1) : m; return ctz(m); }
#endif
static u64 SUIT[40], BEAT[160];
static float SQRTLOG[1 << 20];
static void init(void) {
    for (int i = 2; i < 1 << 20; i++) SQRTLOG[i] = sqrt(log(i));
    for (int c = 0; c < 40; c++) {
        SUIT[c] = suitmask(c / 10);
        for (int t = 0; t < 4; t++) BEAT[t * 40 + c] = (SUIT[c] & -(2ULL << c)) | (c / 10 != t ? suitmask(t) : 0);
    }
}

static inline u64 shuffle(int8_t *b, int n, u64 x) {
    for (int i = n - 1; i > 0; i--) { x = rnd(x); int j = below(x, i + 1); int8_t t = b[i]; b[i] = b[j]; b[j] = t; }
    return x;
}

static u64 deal(State *s, int np, u64 x) {
    int8_t b[40];
    for (int i = 0; i < 40; i++) b[i] = i;
    x = shuffle(b, 40, x);
    memset(s, 0, sizeof *s);
    for (int p = 0; p < np; p++) for (int i = 0; i < 6; i++) s->hand[p] |= 1ULL << b[p * 6 + i];
    s->stockn = 40 - 6 * np;
    memcpy(s->stock, b + 6 * np, s->stockn);
    int mu = s->stock[0], tr = mu / 10;
    s->trump = tr; s->swapc = mu != tr * 10 + 4 ? tr * 10 + 4 : tr * 10; s->np = np;
    return x;
}

/* forced play: beat in suit, else follow, else (over)trump, else anything */
static inline u64 follow(u64 h, int lead, u64 beat) {
    u64 f = h & SUIT[lead], w = h & beat, r = w ? w : h;
    r = f ? f : r;
    return f & w ? f & w : r;
}
static inline u64 legal(const State *s) {
    u64 h = s->hand[s->turn];
    return s->stockn > 0 || s->nt == 0 ? h : follow(h, s->lead, BEAT[s->trump * 40 + s->best]);
}

static inline void swap7(State *s) {
    if (s->swapc < 0) return;
    u64 b = 1ULL << s->swapc;
    for (int q = 0; q < s->np; q++) if ((s->hand[q] & b) && s->won[q & 1] > 0) {
        u64 mu = 1ULL << s->stock[0];
        s->hand[q] ^= b | mu; s->known[q] |= mu;
        s->stock[0] = s->swapc; s->swapc = -1; return;
    }
}

/* at most one cante for the side that won the trick, forty before twenty */
static inline void sing(State *s, int side) {
    u64 trb = 1ULL << (s->trump * 10 + 6), cb = 0; int cq = 0;
    for (int q = side; q < s->np; q += 2) {
        u64 h = s->hand[q], pr = h & (h >> 1) & SOTAS & ~s->sung;
        if (pr) { if (pr & trb) { cb = trb; cq = q; } else if (!cb) { cb = pr & -pr; cq = q; } }
    }
    if (cb) { s->sung |= cb; s->known[cq] |= cb * 3; s->pts[side] += cb == trb ? 40 : 20; }
}
static inline void draw(State *s, int w) {
    int k = s->stockn;
    for (int i = 0; i < s->np; i++) s->hand[(w + i) & (s->np - 1)] |= 1ULL << s->stock[--k];
    s->stockn = k;
}

static inline void play(State *s, int c) {
    int p = s->turn, np = s->np;
    s->hand[p] ^= 1ULL << c;
    s->tpts += VAL[c];
    if (s->nt == 0) { s->lead = s->best = c; s->bestp = p; }
    else if (BEAT[s->trump * 40 + s->best] >> c & 1) { s->best = c; s->bestp = p; }
    if (++s->nt < np) { s->turn = (p + 1) & (np - 1); return; }
    int w = s->bestp, side = w & 1;
    s->pts[side] += s->tpts; s->won[side]++; s->nt = 0; s->tpts = 0; s->turn = w;
    sing(s, side);
    if (s->stockn > 0) {
        swap7(s);
        draw(s, w);
        if (s->stockn > 0) swap7(s); else s->known[(w + np - 1) & (np - 1)] |= 1ULL << s->stock[0];
    } else if (s->hand[w] == 0) { s->pts[side] += 10; s->turn = -1; }
}

static void observe(State *s, int c) {
    int p = s->turn; u64 b = 1ULL << c;
    if (s->stockn == 0 && s->nt > 0) {
        u64 f = SUIT[s->lead], w = BEAT[s->trump * 40 + s->best];
        if (!(f & w & b)) {
            s->void_[p] |= f & w;
            if (!(f & b)) { s->void_[p] |= f; if (!(w & b)) s->void_[p] |= w; }
        }
    }
    s->played |= b;
    play(s, c);
    for (int q = 0; q < s->np; q++) s->known[q] &= ~s->played;
}

static inline __attribute__((always_inline)) u64 rollout_np(State *s, u64 x, const int np) {
    while (s->nt > 0) {
        u64 m = legal(s); x = rnd(x); play(s, nth(m, below(x, popcount(m))));
        if (s->turn < 0) return x;
    }
    int w = s->turn, side = w & 1; const u64 *beats = BEAT + s->trump * 40;
    while (s->hand[w]) {
        int free = s->stockn > 0; u64 h = s->hand[w];
        x = rnd(x);
        int lead = nth(h, below(x, popcount(h))), best = lead, pts = VAL[lead], p = w;
        s->hand[w] = h ^ 1ULL << lead;
        for (int i = 1; i < np; i++) {
            p = (p + 1) & (np - 1);
            h = s->hand[p];
            u64 beat = beats[best], m = free ? h : follow(h, lead, beat);
            x = rnd(x);
            int c = nth(m, below(x, popcount(m)));
            s->hand[p] = h ^ 1ULL << c;
            pts += VAL[c];
            int won = beat >> c & 1;
            best = won ? c : best; w = won ? p : w;
        }
        side = w & 1;
        s->pts[side] += pts; s->won[side]++;
        sing(s, side);
        if (free) { swap7(s); draw(s, w); if (s->stockn > 0) swap7(s); }
    }
    s->pts[side] += 10; s->turn = -1;
    return x;
}
/* uniformly random play to the end of the hand, trick by trick */
static inline u64 rollout(State *s, u64 x) {
    if (s->turn < 0) return x;
    return s->np == 2 ? rollout_np(s, x, 2) : rollout_np(s, x, 4);
}

static u64 determinize(State *s, const State *root, int seat, u64 x) {
    int8_t buf[40]; int np = root->np, k = root->stockn, n = 0, i = 0;
    *s = *root;
    u64 hid = FULL & ~root->played & ~root->hand[seat];
    if (k > 0) hid &= ~(1ULL << root->stock[0]);
    for (int q = 0; q < np; q++) if (q != seat) hid &= ~root->known[q];
    for (u64 m = hid; m; m &= m - 1) buf[n++] = ctz(m);
    for (int attempt = 0; attempt < 20; attempt++) {
        x = shuffle(buf, n, x);
        i = 0; int ok = 1;
        for (int q = 0; q < np; q++) {
            if (q == seat) continue;
            u64 h = root->known[q], v = root->void_[q];
            int need = popcount(root->hand[q]) - popcount(h);
            for (int d = 0; d < need; d++) {
                int j = i;
                while (j < n && (v >> buf[j] & 1)) j++;
                if (j == n) { ok = 0; j = i; }
                int8_t t = buf[j]; buf[j] = buf[i]; buf[i] = t;
                h |= 1ULL << t; i++;
            }
            s->hand[q] = h;
        }
        if (ok) break;
    }
    for (int j = 1; j < k; j++) s->stock[j] = buf[i++];
    return x;
}

/* one row per expanded node, one slot per card in it: w = sum of point differences for the
   side that plays the card, q = w / n scaled, e = c / sqrt(n), so that UCB is q + e * sqrt(log(avail)) */
typedef struct { int32_t avail, n, w; float q, e; int32_t child; } Slot;
typedef struct { u64 tried; Slot s[40]; } Node;

static int search(const State *root, int seat, int iters, float cexp, u64 *px, Node *t) {
    int used = 1; u64 x = *px; State st, *s = &st; Slot *path[64];
    t->tried = 0;
    for (int it = 0; it < iters; it++) {
        x = determinize(s, root, seat, x);
        int depth = 0; u64 sides = 0; Node *node = t;
        while (s->turn >= 0) {
            u64 m = legal(s), nw = m & ~node->tried;
            int c = 0; float best = -1e30f;
            if (nw) {
                x = rnd(x); c = nth(nw, below(x, popcount(nw))); node->tried |= 1ULL << c;
                node->s[c] = (Slot){0};
                for (u64 r = m & node->tried; r; r &= r - 1) node->s[ctz(r)].avail++;
            } else for (u64 r = m; r; r &= r - 1) {
                Slot *k = &node->s[ctz(r)];
                int av = ++k->avail;
                float u = k->q + k->e * SQRTLOG[av];
                if (u > best) { best = u; c = ctz(r); }
            }
            Slot *k = &node->s[c];
            sides |= (u64)(s->turn & 1) << depth;
            path[depth++] = k; play(s, c);
            if (nw) break;
            if (!k->child) { t[used].tried = 0; k->child = used++; }
            node = &t[k->child];
        }
        x = rollout(s, x);
        int d = s->pts[0] - s->pts[1];
        for (int i = 0; i < depth; i++) {
            Slot *k = path[i];
            k->n++; k->w += sides >> i & 1 ? -d : d;
            k->q = k->w / (k->n * SCALE); k->e = cexp / sqrt(k->n);
        }
    }
    *px = x;
    return used;
}

static u64 random_until(State *s, int left, u64 x) {
    while (40 - popcount(s->played) > left) { u64 m = legal(s); x = rnd(x); observe(s, nth(m, below(x, popcount(m)))); }
    return x;
}

/* Exact open-hand endgame (stock gone): alpha-beta at card plies, hash table at trick starts.
   Value = points of side 0 minus side 1 from here on, cantes and the last ten included. */
typedef struct { i64 key; int16_t lo, hi; int32_t mv; } TT;
typedef struct { u64 h[4]; int np, trump; i64 gen; TT *tt; int ttbits; i64 nodes; } Solver;

static inline int card_points(u64 m) { /* points in a card set, by rank columns */
    const u64 C = 1ULL | 1ULL << 10 | 1ULL << 20 | 1ULL << 30;
    return 2 * popcount(m & C << 5) + 3 * popcount(m & C << 6) + 4 * popcount(m & C << 7)
         + 10 * popcount(m & C << 8) + 11 * popcount(m & C << 9);
}

static int ab(Solver *z, int p, int nt, int lead, int best, int bestp, int tpts, u64 trick, u64 sung, int alpha, int beta) {
    int np = z->np, a0 = alpha, b0 = beta, tmv = -1; TT *e = 0; i64 key = 0;
    u64 h = z->h[p], m = h;
    z->nodes++;
    if (nt == 0) {
        u64 all = 0; int R = 10;
        for (int q = 0; q < np; q++) {
            u64 g = z->h[q], pr = g & (g >> 1) & SOTAS & ~sung;
            all |= g;
            if (pr) R += 20 * popcount(pr) + (pr >> (z->trump * 10 + 6) & 1) * 20;
        }
        R += card_points(all);
        if (R <= alpha) return R;
        if (-R >= beta) return -R;
        key = all | (i64)p << 40 | (i64)((sung >> 6 & 1) | (sung >> 15 & 2) | (sung >> 24 & 4) | (sung >> 33 & 8)) << 42 | z->gen << 46;
        e = &z->tt[rnd(key) >> (63 - z->ttbits)];
        if (e->key == key) {
            if (e->lo >= beta) return e->lo;
            if (e->hi <= alpha) return e->hi;
            if (e->lo == e->hi) return e->lo;
            if (e->lo > alpha) alpha = e->lo;
            if (e->hi < beta) beta = e->hi;
            a0 = alpha; b0 = beta; tmv = e->mv;
        }
    } else m = follow(h, lead, BEAT[z->trump * 40 + best]);
    u64 others = trick;
    for (int q = 0; q < np; q++) if (q != p) others |= z->h[q];
    int maxi = !(p & 1), v = maxi ? -9999 : 9999, bm = -1, prev = -1;
    u64 wins = nt ? BEAT[z->trump * 40 + best] : 0;
    /* order: table move; then, high to low when leading or winning, low to high when losing */
    u64 todo = m;
    while (todo) {
        int c;
        if (tmv >= 0 && (todo >> tmv & 1)) { c = tmv; tmv = -1; todo ^= 1ULL << c; }
        else {
            u64 w = todo & wins;
            c = nt == 0 ? 63 - __builtin_clzll(todo) : w ? ctz(w) : ctz(todo);
            todo ^= 1ULL << c;
            /* worthless neighbours in one hand are one move */
            if (VAL[c] == 0 && prev >= 0 && VAL[prev] == 0 && prev / 10 == c / 10) {
                int lo = prev < c ? prev : c, hi = prev < c ? c : prev;
                if (!(others & (SUIT[c] & -(2ULL << lo)) & ((1ULL << hi) - 1))) { prev = c; continue; }
            }
        }
        prev = c;
        int nb = best, nbp = bestp, nl = lead, r;
        if (nt == 0) { nl = nb = c; nbp = p; } else if (wins >> c & 1) { nb = c; nbp = p; }
        z->h[p] = h ^ 1ULL << c;
        if (nt + 1 < np) r = ab(z, (p + 1) & (np - 1), nt + 1, nl, nb, nbp, tpts + VAL[c], trick | 1ULL << c, sung, alpha, beta);
        else {
            int side = nbp & 1, g = tpts + VAL[c];
            if (z->h[nbp] == 0) { g += 10; r = side ? -g : g; }
            else {
                u64 trb = 1ULL << (z->trump * 10 + 6), cb = 0;
                for (int q = side; q < np; q += 2) {
                    u64 y = z->h[q], pr = y & (y >> 1) & SOTAS & ~sung;
                    if (pr & trb) cb = trb; else if (pr && !cb) cb = pr & -pr;
                }
                if (cb) g += cb == trb ? 40 : 20;
                if (side) g = -g;
                r = g + ab(z, nbp, 0, 0, 0, 0, 0, 0, sung | cb, alpha - g, beta - g);
            }
        }
        z->h[p] = h;
        if (maxi) { if (r > v) { v = r; bm = c; } if (v > alpha) alpha = v; }
        else { if (r < v) { v = r; bm = c; } if (v < beta) beta = v; }
        if (alpha >= beta) break;
    }
    if (e) {
        if (e->key != key) { e->key = key; e->lo = -9999; e->hi = 9999; }
        if (v > a0 && v > e->lo) e->lo = v;   /* fail high or exact: a lower bound */
        if (v < b0 && v < e->hi) e->hi = v;   /* fail low or exact: an upper bound */
        e->mv = bm;
    }
    return v;
}

static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }

static i64 bench_playouts(int np, int n, u64 *px) {
    State s; i64 acc = 0; u64 x = *px;
    for (int i = 0; i < n; i++) { x = deal(&s, np, x); x = rollout(&s, x); acc = (acc * 31 + s.pts[0] * 512 + s.pts[1]) & 0xFFFFFFFFFFFFLL; }
    *px = x; return acc;
}
static i64 bench_rollouts(const State *root, int n, u64 *px) {
    i64 acc = 0; u64 x = *px;
    for (int i = 0; i < n; i++) { State s = *root; x = rollout(&s, x); acc = (acc * 31 + s.pts[0] * 512 + s.pts[1]) & 0xFFFFFFFFFFFFLL; }
    *px = x; return acc;
}

#ifndef LIB
#define BEST(reps, stmt) ({ double b_ = 1e9; for (int r_ = 0; r_ < (reps); r_++) { double t_ = now(); stmt; t_ = now() - t_; if (t_ < b_) b_ = t_; } b_; })
int main(void) {
    init();
    const int N = 100000; State s, root; u64 x, y = 0; i64 acc = 0;
    for (int np = 2; np <= 4; np += 2) {
        double b = BEST(15, x = 1; acc = bench_playouts(np, N, &x));
        printf("{\"what\":\"playout\",\"np\":%d,\"check\":%ld,\"per_s\":%.0f,\"ns_per_ply\":%.2f}\n", np, acc, N / b, b / N / 40 * 1e9);
        deal(&root, np, 7);
        b = BEST(15, x = 1; acc = bench_rollouts(&root, N, &x));
        printf("{\"what\":\"rollout\",\"np\":%d,\"check\":%ld,\"per_s\":%.0f,\"ns_per_ply\":%.2f}\n", np, acc, N / b, b / N / 40 * 1e9);
    }
    static const struct { int np, left; } pos[] = {{2, 40}, {4, 40}, {2, 8}, {4, 24}, {4, 8}};
    static const int its[] = {20000, 100000};
    Node *t = malloc(sizeof(Node) * 100001);
    for (int e = 0; e < 2; e++) for (int i = 0; i < 5; i++) {
        int iters = its[e], used = 0;
        x = deal(&s, pos[i].np, 7); random_until(&s, pos[i].left, x);
        double b = BEST(8, y = 5; used = search(&s, s.turn, iters, 0.7f, &y, t));
        printf("{\"what\":\"ismcts\",\"np\":%d,\"left\":%d,\"iters\":%d,\"nodes\":%d,\"rng\":%lu,\"iters_per_s\":%.0f,\"node_bytes\":%zu,\"visits\":{", pos[i].np, pos[i].left, iters, used, y, iters / b, sizeof(Node));
        for (int c = 0, first = 1; c < 40; c++) if (t[0].tried >> c & 1) printf("%s\"%d\":%d", first ? "" : ",", c, t[0].s[c].n), first = 0;
        printf("}}\n");
    }
    /* exact endgame: random hands played at random to the end of the stock */
    for (int np = 2; np <= 4; np += 2) {
        int deals = np == 2 ? 1000 : 200; double tot = 0, worst = 0; i64 chk = 0, nodes = 0, wn = 0;
        Solver z = {.np = np, .ttbits = np == 2 ? 13 : 18}; z.tt = calloc(sizeof(TT), 1 << z.ttbits);
        for (int i = 0; i < deals; i++) {
            x = deal(&s, np, 1000 + i); random_until(&s, 6 * np, x);
            memcpy(z.h, s.hand, sizeof z.h); z.trump = s.trump; z.gen = i + 1; z.nodes = 0;
            double a = now(); int v = ab(&z, s.turn, 0, 0, 0, 0, 0, 0, s.sung, -9999, 9999); a = now() - a;
            tot += a; if (a > worst) worst = a; chk = (chk * 31 + v + 1000) & 0xFFFFFFFFFFFFLL; nodes += z.nodes; if (z.nodes > wn) wn = z.nodes;
        }
        printf("{\"what\":\"exact\",\"np\":%d,\"deals\":%d,\"check\":%ld,\"mean_us\":%.1f,\"worst_us\":%.1f,\"mean_nodes\":%ld,\"worst_nodes\":%ld}\n", np, deals, chk, tot / deals * 1e6, worst * 1e6, nodes / deals, wn);
    }
    return 0;
}
#endif
