// Cloth that tears and is cut, and what must hold of it, for several tests.
#ifndef PLIANT_TESTS_TEARS_H
#define PLIANT_TESTS_TEARS_H

#include "../inside.h"
#include "scenery.h"

#include "base/hash.h"

enum { KINDS = 7 };

static UNUSED pli_mesh *mesh_of_kind(int32_t kind, int32_t size)
{
    pli_mesh *mesh = NULL;
    switch (kind) {
    case 0:
        return mesh_grid(size, size, 1.0, PLI_GRID_DIAGONAL);
    case 1:
        return mesh_grid(size, size, 1.0, PLI_GRID_ALTERNATING);
    case 2:
        return mesh_grid(size, size, 1.0, PLI_GRID_QUADS);
    case 3:
        return mesh_grid(size, size, 1.0, PLI_GRID_CROSSED);
    case 4:
        return mesh_jittered(mesh_grid(size, size, 1.0, PLI_GRID_ALTERNATING), 0.3, 0.2);
    case 5:
        must(pli_mesh_create_sphere(3, 0.5f, &mesh, &problem));
        return mesh;
    default:
        must(pli_mesh_create_tube(size, size, 0.3f, 1.0f, false, PLI_GRID_ALTERNATING, &mesh, &problem));
        return mesh;
    }
}

static const char *const models[] = {"distance", "dihedral",        "stick",           "opposite_distance",
                                     "triangle", "triangle_linear", "triangle_signed", "ring_laplacian"};
enum { MODELS = sizeof models / sizeof *models };

static UNUSED pli_deformable cloth_of(pli_world *world, const pli_mesh *mesh, pli_tearing tearing)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.tearing = tearing;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    for (int32_t i = 0; i < MODELS; i++)
        tune(world, constrain(world, cloth, models[i], NULL), "compliance", i == 0 ? 1e-7 : 1e-3);
    return cloth;
}

static UNUSED const pli_mesh *current(pli_world *world, pli_deformable cloth)
{
    const pli_mesh *mesh = NULL;
    must(pli_deformable_get_mesh(world, cloth, &mesh, &problem));
    return mesh;
}

static UNUSED double cloth_mass(const pli_world *world, pli_deformable cloth)
{
    int32_t stride, count = pli_deformable_positions(world, cloth).count;
    const char *masses = (const char *)pli_deformable_inverse_masses(world, cloth, &stride);
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++)
        sum += 1.0 / (double)*(const float *)(const void *)(masses + (size_t)i * (size_t)stride);
    return sum;
}

/* ---- constraints against generators ------------------------------------------------------------ */

// A stencil as a number that does not depend on the order of its particles.
static UNUSED uint64_t signature(const int32_t *particles, int32_t count)
{
    uint64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        uint64_t x = (uint64_t)(uint32_t)particles[i] + 0x9e3779b97f4a7c15ull;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ x >> 27) * 0x94d049bb133111ebull;
        sum += x ^ x >> 31;
    }
    return sum;
}

static UNUSED int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static UNUSED uint64_t *signatures_of_set(const pli_world *world, pli_constraints set, int32_t count)
{
    int32_t particles[256], n;
    uint64_t *all = malloc(sizeof *all * ((size_t)count + 1));
    for (int32_t i = 0; i < count; i++) {
        must(pli_constraints_stencil(world, set, i, particles, &n, NULL, NULL, &problem));
        all[i] = signature(particles, n);
    }
    qsort(all, (size_t)count, sizeof *all, compare);
    return all;
}

static UNUSED uint64_t *signatures_of_mesh(const pli_mesh *mesh, const char *generator, int32_t *count)
{
    pli_stencils s = {0};
    must(pli_stencils_generate(mesh, generator, &s, &problem));
    uint64_t *all = malloc(sizeof *all * ((size_t)s.count + 1));
    for (int32_t i = 0; i < s.count; i++) {
        int32_t begin = s.offsets ? s.offsets[i] : i * s.cardinality;
        all[i] = signature(s.particles + begin, s.offsets ? s.offsets[i + 1] - begin : s.cardinality);
    }
    *count = s.count;
    qsort(all, (size_t)s.count, sizeof *all, compare);
    pli_stencils_release(&s);
    return all;
}

static UNUSED bool neighbours(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t i = t->ring_offsets[a]; i < t->ring_offsets[a + 1]; i++)
        if (t->ring_vertices[i] == b)
            return true;
    return false;
}

static UNUSED bool second_neighbours(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t i = t->ring_offsets[a]; i < t->ring_offsets[a + 1]; i++)
        if (neighbours(t, t->ring_vertices[i], b))
            return true;
    return false;
}

// Constraints carried over a cut may be fewer than a generator makes of the torn mesh, but must be among those.
static UNUSED void check_carried(const pli_world *world, pli_constraints set, const char *type, int32_t count,
                                 const pli_topology *t)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t p[4], n;
        must(pli_constraints_stencil(world, set, i, p, &n, NULL, NULL, &problem));
        bool carried = n == 2 ? second_neighbours(t, p[0], p[1])
                              : neighbours(t, p[2], p[0]) && neighbours(t, p[2], p[1]);
        if (n == 4)
            carried = carried && neighbours(t, p[2], p[3]);
        holds(carried, "%s %d spans a cut: %d %d %d", type, (int)i, (int)p[0], (int)p[1], n > 2 ? (int)p[2] : -1);
    }
}

static UNUSED void check_set(pli_world *world, pli_deformable cloth, pli_constraints set)
{
    pli_constraints_info info;
    must(pli_constraints_get_info(world, set, &info, &problem));
    const pli_mesh *mesh = current(world, cloth);
    const char *type = info.type->name;
    bool exact = strcmp(info.generator, "edges") == 0 || strcmp(info.generator, "hinges") == 0 ||
                 strcmp(info.generator, "opposite") == 0 || strcmp(info.generator, "rings") == 0;
    if (!exact) {
        check_carried(world, set, type, info.constraint_count, pli_mesh_topology(mesh));
        return;
    }
    int32_t count;
    uint64_t *expected = signatures_of_mesh(mesh, info.generator, &count);
    uint64_t *found = signatures_of_set(world, set, info.constraint_count);
    holds(info.constraint_count + info.degenerate_count >= count && info.constraint_count <= count,
          "%s: %d constraints, the torn mesh has %d", type, (int)info.constraint_count, (int)count);
    for (int32_t i = 0, k = 0; i < info.constraint_count; i++, k++) {
        while (k < count && expected[k] != found[i])
            k++;
        holds(k < count, "%s: a constraint that the torn mesh has not", type);
    }
    free(expected);
    free(found);
}

// No two constraints of a colour share a particle.
static UNUSED void check_colours(pli_world *world, pli_constraints set)
{
    if (inside_is_sequential(world))
        return;
    pli_constraints_info info;
    must(pli_constraints_get_info(world, set, &info, &problem));
    int32_t particles = inside_particle_count(world, set), colours = inside_colour_count(world, set);
    uint8_t *taken = calloc((size_t)particles * (size_t)colours, 1);
    for (int32_t i = 0; i < info.constraint_count; i++) {
        int32_t fixed[PLI_CARDINALITY_MAX], colour = inside_colour_of(world, set, i);
        const int32_t *places;
        holds(colour >= 0, "%s: constraint %d has not one colour", info.name, (int)i);
        int32_t n = colour < 0 ? 0 : inside_particles_of(world, set, i, &places, fixed);
        for (int32_t k = 0; k < n; k++)
            holds(taken[(size_t)places[k] * (size_t)colours + (size_t)colour]++ == 0, "%s: colour %d twice", info.name,
                  (int)colour);
    }
    free(taken);
}

static UNUSED void check_all(pli_world *world, pli_deformable cloth, const pli_mesh *before, double mass,
                             const char *what)
{
    const pli_mesh *mesh = current(world, cloth);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    const pli_topology *t = pli_mesh_topology(mesh), *old = pli_mesh_topology(before);
    holds(report->non_manifold_edges == 0 && report->non_manifold_vertices == 0 && report->duplicate_faces == 0 &&
              report->isolated_vertices == pli_mesh_get_report(before)->isolated_vertices && report->oriented,
          "%s: %d edges and %d vertices are not manifold", what, (int)report->non_manifold_edges,
          (int)report->non_manifold_vertices);
    holds(t->corner_count == old->corner_count, "%s: corners", what);
    for (int32_t c = 0; c < t->corner_count; c++)
        for (int32_t k = 0; k < 3; k++)
            holds(t->positions[3 * t->face_vertices[c] + k] == old->positions[3 * old->face_vertices[c] + k],
                  "%s: corner %d lies elsewhere", what, (int)c);
    int32_t *triangles = malloc(sizeof *triangles * 3 * (size_t)t->triangle_count);
    memcpy(triangles, pli_deformable_triangles(world, cloth), sizeof *triangles * 3 * (size_t)t->triangle_count);
    holds(memcmp(triangles, t->triangles, sizeof *triangles * 3 * (size_t)t->triangle_count) == 0, "%s: triangles",
          what);
    free(triangles);
    near(cloth_mass(world, cloth), mass, 2e-6 * mass, "%s", what);
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        check_set(world, cloth, pli_world_constraints_at(world, i));
        check_colours(world, pli_world_constraints_at(world, i));
    }
}

// A cloth whose ends at low and high x are pulled apart and turned against each other.
typedef struct pulled {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable cloth;
    pli_attachment ends[2];
    double mass;
} pulled;

// Holds the cloth by a tenth of its length at the low and at the high end of x.
static UNUSED void hold_ends(pulled *p)
{
    const pli_topology *t = pli_mesh_topology(p->mesh);
    int32_t *ends = malloc(sizeof *ends * (size_t)t->vertex_count);
    float low = pli_mesh_get_report(p->mesh)->bounds_min.x, high = pli_mesh_get_report(p->mesh)->bounds_max.x;
    for (int32_t k = 0; k < 2; k++) {
        pli_attachment_def hold = pli_attachment_def_default();
        for (int32_t v = 0; v < t->vertex_count; v++) {
            float x = t->positions[3 * v];
            if (k == 0 ? x < low + 0.1f * (high - low) : x > high - 0.1f * (high - low))
                ends[hold.particle_count++] = v;
        }
        hold.deformable = p->cloth, hold.particles = ends;
        must(pli_attachment_create(p->world, &hold, &p->ends[k], &problem));
    }
    free(ends);
}

static UNUSED pulled pulled_cloth(const pli_world_def *def, pli_mesh *mesh, pli_tearing tearing)
{
    pulled p = {.world = world_from(def), .mesh = mesh};
    p.cloth = cloth_of(p.world, mesh, tearing);
    p.mass = cloth_mass(p.world, p.cloth);
    hold_ends(&p);
    return p;
}

static UNUSED void pull(const pulled *p, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++) {
        float trajectory = 0.02f * (float)(pli_world_step_count(p->world) + 1);
        for (int32_t k = 0; k < 2; k++) {
            pli_transform pose = pli_transform_identity();
            pose.position.x = k ? trajectory : -trajectory;
            pose.position.z = k ? 0.3f * trajectory : 0.0f;
            must(pli_attachment_set_pose(p->world, p->ends[k], pose, &problem));
        }
        step(p->world, 1.0 / 60.0);
    }
}

static UNUSED void let_go(const pulled *p)
{
    pli_mesh_destroy(p->mesh);
    pli_world_destroy(p->world);
}

static UNUSED pli_world_def tear_def(pli_order order)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = order;
    def.settings.substeps = 8;
    return def;
}

static UNUSED pli_constraints balloons(pli_world *world, pli_deformable *cloth, pli_mesh **mesh)
{
    // Two spheres in one mesh.
    pli_mesh *one = NULL;
    must(pli_mesh_create_sphere(2, 0.2f, &one, &problem));
    const pli_topology *t = pli_mesh_topology(one);
    int32_t n = t->vertex_count, corners = t->corner_count;
    float *positions = malloc(sizeof *positions * 6 * (size_t)n);
    int32_t *faces = malloc(sizeof *faces * 2 * (size_t)corners);
    for (int32_t i = 0; i < 6 * n; i++)
        positions[i] = t->positions[i % (3 * n)] * (i < 3 * n ? 1.0f : 1.5f) + (i >= 3 * n && i % 3 == 0 ? 1.0f : 0.0f);
    for (int32_t i = 0; i < 2 * corners; i++)
        faces[i] = t->face_vertices[i % corners] + (i < corners ? 0 : n);
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = 2 * n, def.face_vertices = faces, def.face_count = 2 * t->face_count;
    must(pli_mesh_create(&def, mesh, &problem));
    pli_mesh_destroy(one);
    free(positions);
    free(faces);
    *cloth = deform(world, *mesh, NULL);
    tune(world, constrain(world, *cloth, "distance", NULL), "compliance", 1e-3);
    return constrain(world, *cloth, "volume", NULL);
}

#endif
