// A strip that is clamped at one end and hangs under its weight, for every model of bending that takes a rigidity.
#ifndef PLI_LAB_CLAMPED_STRIP_H
#define PLI_LAB_CLAMPED_STRIP_H

#include "base/elastica.h"
#include "base/lab_world.h"

typedef struct lab_strip {
    const char *model; // "plate", or a constraint type.
    double length;     // Free length [m].
    int32_t cells;     // Along the free length,
    int32_t across;    // and across; 0: a quarter of them.
    double density, rigidity;
    pli_grid_pattern pattern;
    double jitter;                // Vertices are moved by up to so many edges in the plane.
    int32_t substeps, iterations; // 0: 10 and 1, the defaults.
    pli_stretch stretch;          // As in lab_body_def,
    bool automatic;               // likewise.
    bool solve;                   // The set is solved instead of swept.
} lab_strip;

enum { LAB_MODELS_MAX = 16 };

// Reasons for rows that are known to miss: models that are swept, and what a plate lacks.
extern const char lab_swept[], lab_nearly[];

// The models that take a rigidity in newton metres: "plate", then the bending types of the table. Returns how many.
int32_t lab_rigid_models(const char *models[LAB_MODELS_MAX]);
// Makes the model of a body act with this rigidity [N m], beside edges, or a membrane where a plate bends and the library chooses how stretch is found.
void lab_bend(lab_body_def *def, const char *model, double rigidity);
// The strip that checks and studies share: .2 m of .2 kg/m2 on alternating diagonals, with the rigidity rho g L^3 / gamma.
lab_strip lab_strip_of(const char *model, double gamma, int32_t cells);
// Where the end of the strip is, over its length, after it came to rest. The clamp holds two rows of vertices.
lab_elastica_end lab_strip_hang(lab *l, const lab_strip *strip, int32_t frames);

#endif
