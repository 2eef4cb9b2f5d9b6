// Findings about a world (pliant/check.h): each row of the table looks for one kind. A kind is a constant, a row, and a function.
#ifndef PLI_QUERY_FINDINGS_FINDINGS_H
#define PLI_QUERY_FINDINGS_FINDINGS_H

#include "model/model.h"
#include "pliant/check.h"

typedef struct pli_finder {
    pli_world *world;
    double dt; // Length of the coming steps [s].
    // At the first step: rows skip checks that take longer than a pass over the vertices, and problems that the step reports.
    bool quick;
    // Whether findings are added to the world's list; the first finding, and the number of findings.
    bool keeps;
    pli_finding first;
    int32_t count;
    bool out_of_memory;
} pli_finder;

// Adds a finding, with the text that `format` makes.
void pli_finding_add(pli_finder *finder, const pli_finding *finding, const char *format, ...) PLI_PRINTF(3, 4);
// Returns a finding of this kind about deformable i.
pli_finding pli_finding_about(const pli_world *world, int32_t i, pli_finding_kind kind);
// The name of a deformable or a collider in texts; `text` has room for generated names.
typedef char pli_name_buffer[80];
const char *pli_finding_name(const pli_world *world, int32_t i, pli_name_buffer text);
const char *pli_finding_collider_name(const pli_world *world, int32_t i, pli_name_buffer text);

// Logs the first finding and the number of others, once per world, at the start of its first step of dt seconds.
void pli_world_advise(pli_world *world, double dt);

// The rows of the table.
void pli_findings_of_loads(pli_finder *finder);
void pli_findings_of_weight(pli_finder *finder);
void pli_findings_of_bending(pli_finder *finder);
void pli_findings_of_creases(pli_finder *finder);
void pli_findings_of_inside(pli_finder *finder);
void pli_findings_of_thin(pli_finder *finder);
void pli_findings_of_thickness(pli_finder *finder);
void pli_findings_of_tracking(pli_finder *finder);
void pli_findings_of_touching(pli_finder *finder);

// From this stretch of edges on, a load is too heavy for sweeps, and the stretch is visible.
#define PLI_VISIBLE_STRETCH 0.02

// Loads hang from a deformable: rigid bodies that are attached to it, and particles that are much heavier than the others. This is the load
// that stretches its adjacent edges most.
typedef struct pli_load {
    const pli_rigid_body_data *rigid; // NULL for a particle.
    int32_t vertex;                   // A vertex that carries it; -1 if there is no load.
    int32_t count;                    // The number of vertices that carry it.
    double mass;                      // [kg]
    double strain; // Stretch of its adjacent edges, when one sweep in each substep of `step` seconds carries it.
} pli_load;

// The heaviest load; its mass is 0 if there is none, or if the deformable is not fixed anywhere.
pli_load pli_deformable_heaviest_load(const pli_world *world, const pli_deformable_data *deformable, double step);

#endif
