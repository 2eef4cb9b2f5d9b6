// Where two runs part: what is compared, what is found, and how it is told.
#ifndef PLI_CLI_DIFFERENCE_H
#define PLI_CLI_DIFFERENCE_H

#include <jansson.h>

#include <stdbool.h>
#include <stdint.h>

// The vertices of one object on one side.
typedef struct pli_cli_vertices {
    const char *name;                    // Borrowed.
    const float *positions, *velocities; // 3 floats a vertex; velocities are null where they are not known.
    int32_t count;
    double origin[3]; // The positions are relative to it.
} pli_cli_vertices;

// A vertex on both sides.
typedef struct pli_cli_vertex_difference {
    char object[64];
    int32_t vertex;
    double position[2][3], velocity[2][3]; // [m], [m/s]
    double distance, speed;                // Between the sides.
} pli_cli_vertex_difference;

typedef struct pli_cli_difference {
    bool found, has_velocities;
    // One "step" or "frame" is compared at once: how many there are, and the one that differs; step 0 is the start.
    const char *unit;
    int32_t count, at;
    // The part of the step, where it is known.
    int32_t substep; // 0 where it is not.
    char stage[32], part[64], type[64], set[64];
    pli_cli_vertex_difference first, most; // The first vertex, and the one that is farthest apart.
    int64_t differing, vertices;
    char reason[400]; // Further words for the report; empty for none.
    uint64_t hash;    // The hash of both at the end, where they are equal; 0 where there is none.
} pli_cli_difference;

// Compares the objects to the bit and notes the first vertex that differs and the one farthest apart. False, with the reason,
// where they have not as many vertices.
bool pli_cli_difference_look(pli_cli_difference *difference, const pli_cli_vertices *a, const pli_cli_vertices *b,
                             int32_t object_count);

// Tells it on stdout, with the names of the two sides.
void pli_cli_difference_print(const pli_cli_difference *difference, const char *a, const char *b);
json_t *pli_cli_difference_json(const pli_cli_difference *difference, const char *a, const char *b);

#endif
