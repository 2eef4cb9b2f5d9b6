// The tutorial's colours by hand, in C: the same as colourEdges of by-hand.js. Run, it prints those of a net of 8 x 8.
#include <stdint.h>
#include <stdio.h>

enum { SIDE = 8, VERTICES = SIDE * SIDE, EDGES = 2 * SIDE * (SIDE - 1) };

// Colours so that no two edges of a colour share a vertex: each edge takes the first that is free at both ends.
static void colour_edges(const int32_t (*edges)[2], int32_t count, uint64_t *used, int32_t *colours)
{
    for (int32_t e = 0; e < count; e++) {
        uint64_t taken = used[edges[e][0]] | used[edges[e][1]]; // A bit for each colour, 0 at first.
        colours[e] = 0;
        while (taken >> colours[e] & 1)
            colours[e]++;
        for (int32_t k = 0; k < 2; k++)
            used[edges[e][k]] |= (uint64_t)1 << colours[e];
    }
}

int main(void)
{
    int32_t edges[EDGES][2], colours[EDGES], count = 0;
    uint64_t used[VERTICES] = {0};
    for (int32_t v = 0; v < VERTICES; v++) {
        if (v % SIDE + 1 < SIDE)
            edges[count][0] = v, edges[count++][1] = v + 1;
        if (v + SIDE < VERTICES)
            edges[count][0] = v, edges[count++][1] = v + SIDE;
    }
    colour_edges((const int32_t(*)[2])edges, count, used, colours);
    for (int32_t e = 0; e < count; e++)
        printf("%d%c", colours[e], e + 1 < count ? ' ' : '\n');
    return 0;
}
