// Which model bends a sheet of a given rigidity: the plate, which is solved, or constraints, which are swept.
#include "pliant/material.h"

#include "material/rest_geometry.h"

#include <math.h>

// A plate is right where sets are not: hinges lose up to half of a rigidity at the borders of strips and on coarse meshes
// (docs/validation.md, peirce). Meshes below SMALL cost next to nothing either way. In larger ones, whose factorisation does not stay in
// cache, sets do where sweeps lose less than LOSS: 4 S of a rigidity, S = D h^2 / (rho l^4) (material/representation.c). A factorisation of
// more than LARGE takes gigabytes, and a minute to make.
#define LOSS 0.01
enum { SMALL = 4096, LARGE = 300000 };
// A shape is flat whose normals are one but for this.
#define FLAT 1e-4

static pli_dvec3 normal_of(const pli_topology *t, int32_t triangle)
{
    const int32_t *corner = t->triangles + 3 * (size_t)triangle;
    const pli_dvec3 a = pli_rest_point(t, corner[0]);
    const pli_dvec3 across = pli_dcross(pli_dsub(pli_rest_point(t, corner[1]), a),
                                        pli_dsub(pli_rest_point(t, corner[2]), a));
    const double length = pli_dlength(across);
    return pli_dscale(across, length > 0.0 ? 1.0 / length : 0.0);
}

static bool is_flat(const pli_topology *t)
{
    for (int32_t i = 1; i < t->triangle_count; i++)
        if (pli_dlength(pli_dcross(normal_of(t, 0), normal_of(t, i))) > FLAT)
            return false;
    return true;
}

const char *pli_bending_choose(const pli_mesh *mesh, double density, double rigidity, double step)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    double area = 0.0;
    for (int32_t i = 0; i < t->triangle_count; i++)
        area += pli_rest_area(t, i);
    const double square = t->triangle_count > 0 ? 2.0 * area / t->triangle_count : 0.0;
    const double loss = 4.0 * rigidity * step * step / (density * square * square);
    if (t->vertex_count < SMALL || (loss > LOSS && t->vertex_count <= LARGE))
        return "plate";
    return is_flat(t) ? "isometric" : "dihedral";
}
