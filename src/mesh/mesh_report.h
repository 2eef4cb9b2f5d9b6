// Fills a report, first from the given arrays, then from a draft.
#ifndef PLI_MESH_MESH_REPORT_H
#define PLI_MESH_MESH_REPORT_H

#include "mesh/draft.h"

#include <float.h>

// Checks everything that needs no topology and begins the report with it. A status other than OK rejects the mesh;
// `readable` says whether a draft can be made nevertheless.
pli_status pli_check_mesh_def(const pli_mesh_def *def, pli_mesh_report *report, bool *readable, pli_error *error);

// Counts duplicate faces and coincident vertices, which needs no edges. Returns false when memory ran out.
bool pli_report_duplicates(const pli_draft *draft, pli_mesh_report *report);

// Counts defects of edges and vertices, components and boundary loops. Returns false when memory ran out.
bool pli_report_topology(const pli_draft *draft, pli_mesh_report *report);

// Rejects faces that use a vertex twice and non-manifold edges.
pli_status pli_judge_report(const pli_draft *draft, const pli_mesh_report *report, pli_error *error);

// Adds lengths, areas, volume and bounds. All positions must be finite. `vertex_areas`, if not null, must be zero for
// every vertex and receives a third of the area of each triangle at its corners.
void pli_measure_draft(const pli_draft *draft, pli_mesh_report *report, double *vertex_areas);

// Clamps the measures of a huge mesh to finite values.
static inline float pli_clamp_to_float(double value) { return value > (double)FLT_MAX ? FLT_MAX : (float)value; }

#endif
