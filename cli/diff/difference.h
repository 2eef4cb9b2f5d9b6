// The divergence of two runs: the compared data, the result, and the report.
#ifndef PLI_CLI_DIFFERENCE_H
#define PLI_CLI_DIFFERENCE_H

#include <jansson.h>

#include <stdbool.h>
#include <stdint.h>

// The vertices of one object on one side.
typedef struct pli_cli_vertices {
    const char *name;                    // Borrowed.
    const float *positions, *velocities; // 3 floats per vertex; velocities are null if unknown.
    int32_t count;
    double origin[3]; // The positions are relative to it.
} pli_cli_vertices;

// One vertex, compared between the sides.
typedef struct pli_cli_vertex_difference {
    char object[64];
    int32_t vertex;
    double position[2][3], velocity[2][3]; // [m], [m/s]
    double distance, speed;                // Differences between the sides.
} pli_cli_vertex_difference;

typedef struct pli_cli_difference {
    bool found, has_velocities;
    // Unit of comparison, "step" or "frame": the number of compared units, and the one that differs; step 0 is the start.
    const char *unit;
    int32_t count, at;
    // Part of the step, if it is known.
    int32_t substep; // 0 if it is not known.
    char stage[32], part[64], type[64], set[64];
    pli_cli_vertex_difference first, most; // The first vertex that differs, and the one with the largest distance.
    int64_t differing, vertices;
    char reason[400]; // Additional text of the report; empty for none.
    uint64_t hash;    // Common hash at the end if the runs are equal; 0 if there is none.
} pli_cli_difference;

// Compares the objects bit by bit and stores the first vertex that differs and the one with the largest distance. Returns false, with
// the reason, if their vertex counts differ.
bool pli_cli_difference_look(pli_cli_difference *difference, const pli_cli_vertices *a, const pli_cli_vertices *b,
                             int32_t object_count);

// Prints the result on stdout, with the names of the two sides.
void pli_cli_difference_print(const pli_cli_difference *difference, const char *a, const char *b);
json_t *pli_cli_difference_json(const pli_cli_difference *difference, const char *a, const char *b);

#endif
