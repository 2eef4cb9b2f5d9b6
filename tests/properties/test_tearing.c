// Tears and cuts on all kinds of meshes: what is left is a manifold with the same faces and the same
// mass, and its constraints are those that generators make of the torn mesh: none spans a cut.
#include "scenery.h"

#include "base/hash.h"
#include "solver/set.h"
#include "solver/torn.h"

enum { KINDS = 7 };

static pli_mesh *mesh_of_kind(int32_t kind, int32_t size)
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

static pli_deformable cloth_of(pli_world *world, const pli_mesh *mesh, pli_tearing tearing)
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

static const pli_mesh *current(pli_world *world, pli_deformable cloth)
{
    const pli_mesh *mesh = NULL;
    must(pli_deformable_current_mesh(world, cloth, &mesh, &problem));
    return mesh;
}

static double cloth_mass(const pli_world *world, pli_deformable cloth)
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
static uint64_t signature(const int32_t *particles, int32_t count)
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

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t *signatures_of_set(const pli_world *world, pli_constraint_set set, int32_t count)
{
    int32_t particles[256], n;
    uint64_t *all = malloc(sizeof *all * ((size_t)count + 1));
    for (int32_t i = 0; i < count; i++) {
        must(pli_constraint_set_at(world, set, i, particles, &n, NULL, NULL, &problem));
        all[i] = signature(particles, n);
    }
    qsort(all, (size_t)count, sizeof *all, compare);
    return all;
}

static uint64_t *signatures_of_mesh(const pli_mesh *mesh, const char *generator, int32_t *count)
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

static bool neighbours(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t i = t->ring_offsets[a]; i < t->ring_offsets[a + 1]; i++)
        if (t->ring_vertices[i] == b)
            return true;
    return false;
}

static bool second_neighbours(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t i = t->ring_offsets[a]; i < t->ring_offsets[a + 1]; i++)
        if (neighbours(t, t->ring_vertices[i], b))
            return true;
    return false;
}

// What is made by geometry may be fewer than a generator makes of the torn mesh, but must lie in it.
static void check_carried(const pli_world *world, pli_constraint_set set, const char *type, int32_t count,
                          const pli_topology *t)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t p[4], n;
        must(pli_constraint_set_at(world, set, i, p, &n, NULL, NULL, &problem));
        bool carried = n == 2 ? second_neighbours(t, p[0], p[1])
                              : neighbours(t, p[2], p[0]) && neighbours(t, p[2], p[1]);
        if (n == 4)
            carried = carried && neighbours(t, p[2], p[3]);
        holds(carried, "%s %d spans a cut: %d %d %d", type, (int)i, (int)p[0], (int)p[1], n > 2 ? (int)p[2] : -1);
    }
}

static void check_set(pli_world *world, pli_deformable cloth, pli_constraint_set set)
{
    pli_constraint_set_info info;
    must(pli_constraint_set_info_get(world, set, &info, &problem));
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
static void check_colours(pli_world *world, pli_constraint_set handle)
{
    const pli_set *set = pli_set_get(world, handle, &problem);
    if (world->order == PLI_ORDER_SEQUENTIAL)
        return;
    int32_t *last = malloc(sizeof *last * (size_t)set->body->count), size = 0;
    for (int32_t v = 0; v < set->body->count; v++)
        last[v] = -1;
    for (int32_t colour = 0; colour < set->colour_count; colour++)
        for (int32_t i = 0; i < set->count; i++) {
            int32_t fixed[PLI_CARDINALITY_MAX], slot = pli_set_slot(set, i);
            const int32_t *particles;
            if (slot < set->colour_offsets[colour] || slot >= set->colour_offsets[colour] + set->colour_sizes[colour])
                continue;
            size++;
            int32_t n = pli_set_particles(set, i, &particles, fixed);
            for (int32_t k = 0; k < n; k++) {
                holds(last[particles[k]] != colour, "%s: colour %d twice", set->name, (int)colour);
                last[particles[k]] = colour;
            }
        }
    holds(size == set->count, "%s: %d of %d constraints have a colour", set->name, (int)size, (int)set->count);
    free(last);
}

static void check_all(pli_world *world, pli_deformable cloth, const pli_mesh *before, double mass, const char *what)
{
    const pli_mesh *mesh = current(world, cloth);
    const pli_mesh_report *report = pli_mesh_report_get(mesh);
    const pli_topology *t = pli_mesh_topology(mesh), *old = pli_mesh_topology(before);
    holds(report->non_manifold_edges == 0 && report->non_manifold_vertices == 0 && report->duplicate_faces == 0 &&
              report->isolated_vertices == pli_mesh_report_get(before)->isolated_vertices && report->oriented,
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
    for (int32_t i = 0; i < pli_world_constraint_set_count(world); i++) {
        check_set(world, cloth, pli_world_constraint_set(world, i));
        check_colours(world, pli_world_constraint_set(world, i));
    }
}

/* ---- random cuts ------------------------------------------------------------------------------- */

static pli_cut_def random_plane(void)
{
    pli_cut_def cut = pli_cut_def_default();
    cut.point = (pli_vec3){(float)uniform(-0.4, 0.4), (float)uniform(-0.4, 0.4), (float)uniform(-0.4, 0.4)};
    cut.normal = (pli_vec3){(float)uniform(-1, 1), (float)uniform(-0.2, 0.2), (float)uniform(-1, 1)};
    cut.reach = (float)uniform(0.1, 0.8);
    return cut;
}

static int32_t random_path(const pli_mesh *mesh, int32_t *path, int32_t length)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    path[0] = (int32_t)uniform(0, t->vertex_count - 1e-3);
    for (int32_t i = 1; i < length; i++) {
        int32_t begin = t->ring_offsets[path[i - 1]], degree = t->ring_offsets[path[i - 1] + 1] - begin;
        path[i] = t->ring_vertices[begin + (int32_t)uniform(0, degree - 1e-3)];
    }
    return length;
}

// Where the corners of all faces are, as the user sees them.
static vec *corner_places(const pli_world *world, pli_deformable cloth)
{
    int32_t count = pli_mesh_topology(pli_deformable_mesh(world, cloth))->corner_count;
    vec *places = malloc(sizeof *places * (size_t)count);
    for (int32_t c = 0; c < count; c++)
        places[c] = position_of(world, cloth, pli_deformable_face_vertices(world, cloth)[c]);
    return places;
}

static void random_cuts_leave_a_sound_mesh(void **state)
{
    (void)state;
    for (int32_t round = 0; round < 4 * KINDS; round++) {
        pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
        def.order = round % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_of_kind(round % KINDS, 9);
        pli_deformable cloth = cloth_of(world, mesh, pli_deformable_def_default().tearing);
        double mass = cloth_mass(world, cloth);
        for (int32_t i = 0; i < 6; i++) {
            int32_t path[12], copies = 0, before = pli_deformable_positions(world, cloth).count;
            pli_cut_def cut = random_plane();
            if (i % 2) {
                cut.path_count = random_path(current(world, cloth), path, 3 + i);
                cut.path = path;
            }
            vec *places = corner_places(world, cloth);
            must(pli_deformable_cut(world, cloth, &cut, &copies, &problem));
            holds(pli_deformable_positions(world, cloth).count == before + copies, "copies are counted");
            vec *after = corner_places(world, cloth);
            for (int32_t c = 0; c < pli_mesh_topology(mesh)->corner_count; c++)
                holds(length(sub(places[c], after[c])) == 0.0, "corner %d has moved", (int)c);
            free(places);
            free(after);
            check_all(world, cloth, mesh, mass, i % 2 ? "a path" : "a plane");
            step(world, 1e-3);
        }
        pli_mesh_destroy(mesh);
        pli_world_destroy(world);
    }
}

/* ---- tears ------------------------------------------------------------------------------------- */

// A cloth whose ends at low and high x are pulled apart and turned against each other.
typedef struct pulled {
    pli_world *world;
    pli_mesh *mesh;
    pli_deformable cloth;
    pli_attachment ends[2];
    double mass;
} pulled;

static pulled pulled_cloth(const pli_world_def *def, pli_mesh *mesh, pli_tearing tearing)
{
    pulled p = {.world = world_from(def), .mesh = mesh};
    p.cloth = cloth_of(p.world, mesh, tearing);
    p.mass = cloth_mass(p.world, p.cloth);
    const pli_topology *t = pli_mesh_topology(mesh);
    int32_t *ends = malloc(sizeof *ends * (size_t)t->vertex_count);
    float low = pli_mesh_report_get(mesh)->bounds_min.x, high = pli_mesh_report_get(mesh)->bounds_max.x;
    for (int32_t k = 0; k < 2; k++) {
        pli_attachment_def hold = pli_attachment_def_default();
        for (int32_t v = 0; v < t->vertex_count; v++) {
            float x = t->positions[3 * v];
            if (k == 0 ? x < low + 0.1f * (high - low) : x > high - 0.1f * (high - low))
                ends[hold.particle_count++] = v;
        }
        hold.deformable = p.cloth, hold.particles = ends;
        must(pli_attachment_create(p.world, &hold, &p.ends[k], &problem));
    }
    free(ends);
    return p;
}

static void pull(const pulled *p, int32_t steps)
{
    for (int32_t i = 0; i < steps; i++) {
        float way = 0.02f * (float)(pli_world_step_count(p->world) + 1);
        for (int32_t k = 0; k < 2; k++) {
            pli_transform pose = pli_transform_identity();
            pose.position.x = k ? way : -way;
            pose.position.z = k ? 0.3f * way : 0.0f;
            must(pli_attachment_set_pose(p->world, p->ends[k], pose, &problem));
        }
        step(p->world, 1.0 / 60.0);
    }
}

static void let_go(const pulled *p)
{
    pli_mesh_destroy(p->mesh);
    pli_world_destroy(p->world);
}

static pli_world_def tear_def(pli_order order)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.order = order;
    def.settings.substeps = 8;
    return def;
}

static void what_is_stretched_tears(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 2 * KINDS; kind++) {
        pli_world_def def = tear_def(kind % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED);
        pulled p = pulled_cloth(&def, mesh_of_kind(kind / 2, 14), (pli_tearing){1.3f, INFINITY, 8});
        pull(&p, 25);
        int32_t torn = pli_deformable_positions(p.world, p.cloth).count - pli_mesh_topology(p.mesh)->vertex_count;
        holds(torn > 10, "kind %d: only %d vertices tore", (int)kind / 2, (int)torn);
        for (int32_t k = 0; k < 2; k++)
            must(pli_attachment_destroy(p.world, p.ends[k], &problem));
        check_all(p.world, p.cloth, p.mesh, p.mass, "a tear");
        let_go(&p);
    }
}

/* ---- what else follows ------------------------------------------------------------------------- */

static pli_body *body_of(pli_world *world, pli_deformable cloth) { return pli_body_get(world, cloth, &problem); }

static bool same_ring(const pli_surface *a, const pli_surface *b, int32_t place)
{
    int32_t size = a->ring_ends[place] - a->ring_begins[place];
    if (size != b->ring_ends[place] - b->ring_begins[place])
        return false;
    for (int32_t i = a->ring_begins[place]; i < a->ring_ends[place]; i++) {
        bool found = false;
        for (int32_t k = b->ring_begins[place]; k < b->ring_ends[place]; k++)
            found = found || a->ring[i] == b->ring[k];
        if (!found)
            return false;
    }
    return true;
}

// Every vertex and edge lies in one patch, with a triangle that has it.
static void check_patches(const pli_surface *s)
{
    const pli_primitive kinds[2] = {PLI_PRIMITIVE_VERTEX, PLI_PRIMITIVE_EDGE};
    for (int32_t which = 0; which < 2; which++) {
        const pli_patches *p = &s->patches;
        int32_t all = which ? s->edge_count : s->vertex_count, *seen = calloc((size_t)all, sizeof *seen);
        for (int32_t patch = 0; patch < p->count; patch++) {
            int32_t begin = p->starts[kinds[which]][patch], end = p->ends[kinds[which]][patch];
            holds(end - begin <= PLI_PATCH_MOST, "%d in a patch", (int)(end - begin));
            for (int32_t i = begin; i < end; i++) {
                int32_t item = p->items[kinds[which]][i], has = 0;
                seen[item]++;
                for (int32_t k = p->starts[PLI_PRIMITIVE_TRIANGLE][patch]; k < p->ends[PLI_PRIMITIVE_TRIANGLE][patch];
                     k++)
                    for (int32_t m = 0; m < 3; m++) {
                        int32_t side = 3 * p->items[PLI_PRIMITIVE_TRIANGLE][k] + m;
                        has += which ? s->side_edges[side] == item : s->triangles[side] == item;
                    }
                holds(has > 0, "item %d of kind %d lies in a patch without its triangles", (int)item, (int)which);
            }
        }
        for (int32_t i = 0; i < all; i++)
            holds(seen[i] == 1, "item %d of kind %d in %d patches", (int)i, (int)which, (int)seen[i]);
        free(seen);
    }
}

// Against one built anew from the faces as they are; edges may be numbered differently.
static void check_surface(const pli_world *world, const pli_body *body)
{
    pli_memory memory = pli_memory_make(&world->memory.hooks);
    pli_surface fresh = {0};
    const pli_surface *s = body->surface;
    holds(pli_surface_build(&memory, &fresh, &body->shape, body->order), "built");
    holds(s->vertex_count == fresh.vertex_count && s->edge_count == fresh.edge_count, "%d edges, not %d",
          (int)s->edge_count, (int)fresh.edge_count);
    for (int32_t i = 0; i < 3 * s->triangle_count; i++) {
        int32_t a = s->side_edges[i], b = fresh.side_edges[i];
        holds(s->triangles[i] == fresh.triangles[i] && s->apexes[i] == fresh.apexes[i], "side %d", (int)i);
        holds(s->edges[2 * a] == fresh.edges[2 * b] && s->edges[2 * a + 1] == fresh.edges[2 * b + 1] &&
                  s->edge_triangles[a] == fresh.edge_triangles[b],
              "edge of side %d", (int)i);
    }
    holds(memcmp(s->owned, fresh.owned, (size_t)s->triangle_count) == 0, "owners");
    for (int32_t v = 0; v < s->vertex_count; v++)
        holds(s->vertex_triangles[v] == fresh.vertex_triangles[v] && same_ring(s, &fresh, v), "vertex %d", (int)v);
    pli_surface_release(&memory, &fresh);
    check_patches(s);
}

static bool same_numbers(const int32_t *a, const int32_t *b, int32_t count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// Cuts one by one leave what all of them at once leave: a world that is restored goes on to the same bits.
static void check_replay(pli_world *world, pli_body *body)
{
    pli_surface at_once = {0};
    const pli_surface *s = body->surface;
    const pli_faces whole = pli_faces_of(pli_mesh_topology(body->mesh));
    holds(pli_surface_build(&world->memory, &at_once, &whole, body->order) && pli_torn_replay(world, body, &at_once),
          "built");
    holds(at_once.edge_count == s->edge_count && same_numbers(at_once.edges, s->edges, 2 * s->edge_count) &&
              same_numbers(at_once.side_edges, s->side_edges, 3 * s->triangle_count) &&
              same_numbers(at_once.edge_triangles, s->edge_triangles, s->edge_count) &&
              same_numbers(at_once.apexes, s->apexes, 3 * s->triangle_count),
          "edges");
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
        for (int32_t patch = 0; patch < s->patches.count; patch++) {
            int32_t a = at_once.patches.starts[kind][patch], b = s->patches.starts[kind][patch];
            int32_t size = s->patches.ends[kind][patch] - b;
            holds(at_once.patches.ends[kind][patch] - a == size &&
                      same_numbers(at_once.patches.items[kind] + a, s->patches.items[kind] + b, size),
                  "patch %d of kind %d", (int)patch, (int)kind);
        }
    pli_surface_release(&world->memory, &at_once);
}

static void contact_surfaces_follow(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < KINDS; kind++) {
        pli_world_def def = tear_def(PLI_ORDER_COLOURED);
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_of_kind(kind, 9);
        pli_deformable_def cloth_def = pli_deformable_def_default();
        cloth_def.mesh = mesh;
        cloth_def.self_collision = true;
        pli_deformable cloth;
        must(pli_deformable_create(world, &cloth_def, &cloth, &problem));
        constrain(world, cloth, "distance", NULL);
        step(world, 1e-3);
        for (int32_t i = 0; i < 8; i++) {
            int32_t path[12];
            pli_cut_def cut = random_plane();
            if (i % 2)
                cut.path_count = random_path(current(world, cloth), path, 3 + i), cut.path = path;
            must(pli_deformable_cut(world, cloth, &cut, NULL, &problem));
            check_surface(world, body_of(world, cloth));
            if (pli_deformable_positions(world, cloth).count > pli_mesh_topology(mesh)->vertex_count)
                check_replay(world, body_of(world, cloth));
            step(world, 1e-3);
        }
        pli_mesh_destroy(mesh);
        pli_world_destroy(world);
    }
}

static uint64_t torn_hash(int32_t threads, pli_simd simd, pli_tearing tearing, int32_t *count)
{
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    def.thread_count = threads;
    def.simd = simd;
    random_state = 7;
    pulled p = pulled_cloth(&def, mesh_of_kind(4, 40), tearing);
    pull(&p, 14);
    uint64_t hash = pli_world_hash(p.world);
    *count = pli_deformable_positions(p.world, p.cloth).count;
    let_go(&p);
    return hash;
}

static void tears_are_the_same_for_any_threads_and_width(void **state)
{
    (void)state;
    for (int32_t by_force = 0; by_force < 2; by_force++) {
        pli_tearing tearing = {by_force ? INFINITY : 1.3f, by_force ? 0.05f : INFINITY, 20};
        int32_t count, other;
        uint64_t hash = torn_hash(1, PLI_SIMD_SCALAR, tearing, &count);
        holds(count > 40 * 40 + 50, "only %d vertices", (int)count);
        holds(torn_hash(4, PLI_SIMD_SCALAR, tearing, &other) == hash && other == count, "4 threads");
        holds(torn_hash(3, PLI_SIMD_AUTO, tearing, &other) == hash && other == count, "wide");
    }
}

// What a split of one vertex looks at does not depend on the size of the mesh, and it allocates nothing.
static void a_split_costs_the_same_on_any_mesh(void **state)
{
    (void)state;
    int64_t work[2];
    for (int32_t i = 0; i < 2; i++) {
        int32_t side = i == 0 ? 64 : 632;
        pli_world_def def = tear_def(PLI_ORDER_COLOURED);
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_grid(side, side, 1.0, PLI_GRID_ALTERNATING);
        pli_deformable_def cloth_def = pli_deformable_def_default();
        cloth_def.mesh = mesh;
        cloth_def.tearing.stretch = 2.0f;
        pli_deformable cloth;
        must(pli_deformable_create(world, &cloth_def, &cloth, &problem));
        constrain(world, cloth, "distance", NULL);
        constrain(world, cloth, "dihedral", NULL);
        constrain(world, cloth, "triangle", NULL);
        constrain(world, cloth, "stick", NULL);
        int32_t middle = side / 2 * side + side / 2;
        const int32_t warm_up[3] = {side + 1, side + 2, side + 3};
        pli_cut_def cut = pli_cut_def_default();
        cut.path = warm_up, cut.path_count = 3;
        must(pli_deformable_cut(world, cloth, &cut, NULL, &problem));
        const pli_body *body = body_of(world, cloth);
        int64_t before = body->torn->fabric.work, allocations = world->memory.allocations;
        for (int32_t k = 0; k < 20; k++) {
            const int32_t path[3] = {middle + k, middle + k + 1, middle + k + 2};
            cut.path = path;
            must(pli_deformable_cut(world, cloth, &cut, NULL, &problem));
        }
        work[i] = body->torn->fabric.work - before;
        // A cut along a path lists its edges; beyond that room grows now and then.
        holds(world->memory.allocations - allocations <= 24, "%d allocations",
              (int)(world->memory.allocations - allocations));
        pli_mesh_destroy(mesh);
        pli_world_destroy(world);
    }
    near((double)work[1], (double)work[0], 0.0, "corners, edges and constraints looked at");
}

typedef struct follower {
    int32_t faces[4096], vertex_count, calls;
    const pli_topology *topology;
    double (*places)[3];
} follower;

// A user who keeps faces of their own: only faces that are named may change, and only to copies.
static void follow(void *user, pli_deformable deformable, const pli_remap *remap)
{
    follower *f = user;
    f->calls++;
    (void)deformable;
    for (int32_t i = 0; i < remap->copy_count; i++)
        holds(remap->copies[i].copy == f->vertex_count++ && remap->copies[i].source < remap->copies[i].copy, "copy %d",
              (int)i);
    holds(f->vertex_count == remap->vertex_count, "vertices");
    for (int32_t i = 1; i < remap->face_count; i++)
        holds(remap->faces[i] > remap->faces[i - 1], "faces ascend");
    for (int32_t i = 0; i < remap->face_count; i++)
        for (int32_t c = f->topology->face_offsets[remap->faces[i]]; c < f->topology->face_offsets[remap->faces[i] + 1];
             c++)
            f->faces[c] = -1;
}

static void the_user_is_told(void **state)
{
    (void)state;
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    pulled p = pulled_cloth(&def, mesh_of_kind(2, 14), (pli_tearing){1.3f, INFINITY, 8});
    follower f = {.topology = pli_mesh_topology(p.mesh), .vertex_count = 14 * 14};
    pli_world_set_remap(p.world, follow, &f);
    for (int32_t i = 0; i < 25; i++) {
        memcpy(f.faces, pli_deformable_face_vertices(p.world, p.cloth),
               (size_t)f.topology->corner_count * sizeof(int32_t));
        pull(&p, 1);
        const int32_t *now = pli_deformable_face_vertices(p.world, p.cloth);
        for (int32_t c = 0; c < f.topology->corner_count; c++)
            holds(f.faces[c] < 0 || f.faces[c] == now[c], "corner %d changed unsaid", (int)c);
    }
    holds(f.calls > 3 && f.vertex_count == pli_deformable_positions(p.world, p.cloth).count, "%d calls", (int)f.calls);
    let_go(&p);
}

// Attachments hold copies as they held the vertex.
static void copies_stay_attached(void **state)
{
    (void)state;
    for (int32_t soft = 0; soft < 2; soft++) {
        pli_world_def def = tear_def(PLI_ORDER_COLOURED);
        pli_world *world = world_from(&def);
        pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_DIAGONAL);
        pli_deformable cloth = cloth_of(world, mesh, pli_deformable_def_default().tearing);
        const int32_t row[5] = {10, 11, 12, 13, 14};
        pli_attachment_def hold = pli_attachment_def_default();
        hold.deformable = cloth, hold.particles = row, hold.particle_count = 5, hold.held = soft == 0;
        pli_attachment attachment;
        must(pli_attachment_create(world, &hold, &attachment, &problem));
        pli_cut_def cut = pli_cut_def_default();
        int32_t copies;
        cut.path = row, cut.path_count = 5;
        must(pli_deformable_cut(world, cloth, &cut, &copies, &problem));
        near(copies, 5, 0, "copies of a row from border to border");
        pli_transform pose = pli_transform_identity();
        pose.position.y = 0.1f;
        must(pli_attachment_set_pose(world, attachment, pose, &problem));
        for (int32_t i = 0; i < 20; i++)
            step(world, 1.0 / 60.0);
        for (int32_t v = 0; v < 30; v++)
            if (v >= 25 || (v >= 10 && v < 15))
                near(position_of(world, cloth, v).y, 0.1, soft ? 1e-3 : 1e-6, "height of %d", (int)v);
        pli_mesh_destroy(mesh);
        pli_world_destroy(world);
    }
}

static int32_t notices;

static void count_notice(void *user, pli_log_level level, const char *line)
{
    (void)user;
    notices += level == PLI_LOG_WARNING && strstr(line, "lost its pressure") != NULL;
}

static pli_constraint_set balloons(pli_world *world, pli_deformable *cloth, pli_mesh **mesh)
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

static double volume_of(const pli_world *world, pli_deformable cloth, int32_t first, int32_t last)
{
    const int32_t *t = pli_deformable_triangles(world, cloth);
    double sum = 0.0;
    for (int32_t i = first; i < last; i++)
        sum += dot(cross(position_of(world, cloth, t[3 * i]), position_of(world, cloth, t[3 * i + 1])),
                   position_of(world, cloth, t[3 * i + 2]));
    return sum / 6.0;
}

// Each component has its own volume, pressure changes while they live, and a cut one loses it with one notice.
static void an_opened_balloon_loses_its_pressure(void **state)
{
    (void)state;
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    def.hooks.log = count_notice;
    pli_world *world = world_from(&def);
    pli_mesh *mesh;
    pli_deformable cloth;
    pli_constraint_set set = balloons(world, &cloth, &mesh);
    int32_t half = pli_mesh_topology(mesh)->triangle_count / 2;
    double small = volume_of(world, cloth, 0, half), large = volume_of(world, cloth, half, 2 * half);
    near(large / small, 3.375, 1e-3, "volumes");
    tune(world, set, "pressure", 1.3);
    for (int32_t i = 0; i < 60; i++)
        step(world, 1.0 / 60.0);
    near(volume_of(world, cloth, 0, half) / small, 1.3, 0.03, "the small one under pressure");
    near(volume_of(world, cloth, half, 2 * half) / large, 1.3, 0.03, "the large one under pressure");
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){0, 1, 0}, cut.reach = 0.25f;
    notices = 0;
    must(pli_deformable_cut(world, cloth, &cut, NULL, &problem));
    pli_constraint_set_info info;
    must(pli_constraint_set_info_get(world, set, &info, &problem));
    near(info.constraint_count, 1, 0, "volumes left");
    near(notices, 1, 0, "notices");
    tune(world, set, "pressure", 1.6);
    for (int32_t i = 0; i < 60; i++)
        step(world, 1.0 / 60.0);
    holds(volume_of(world, cloth, half, 2 * half) / large > 1.45, "the other one goes on");
    holds(fabs(volume_of(world, cloth, 0, half)) / small < 1.35, "the opened one does not");
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

static void refused(pli_world *world, pli_deformable cloth, pli_tearing tearing, const char *what)
{
    pli_status status = pli_deformable_set_tearing(world, cloth, &tearing, &problem);
    holds(status == PLI_STATUS_INVALID_ARGUMENT && strstr(problem.message, "must"), "%s: %.100s", what,
          problem.message);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = pli_deformable_mesh(world, cloth);
    def.tearing = tearing;
    pli_deformable second;
    holds(pli_deformable_create(world, &def, &second, &problem) == PLI_STATUS_INVALID_ARGUMENT, "%s, made", what);
}

static void thresholds_and_cuts_are_checked(void **state)
{
    (void)state;
    pli_world *world = plain_world(PLI_METHOD_XPBD);
    pli_mesh *mesh = mesh_grid(4, 4, 1.0, PLI_GRID_QUADS);
    pli_deformable cloth = deform(world, mesh, NULL);
    const float wrong[] = {1.0f, 0.5f, 0.0f, -2.0f, -INFINITY, NAN};
    for (int32_t i = 0; i < COUNT_OF(wrong); i++) {
        refused(world, cloth, (pli_tearing){wrong[i], INFINITY, 8}, "stretch");
        if (!(wrong[i] > 0.0f))
            refused(world, cloth, (pli_tearing){INFINITY, wrong[i], 8}, "force");
    }
    refused(world, cloth, (pli_tearing){1.5f, INFINITY, 0}, "most");
    const int32_t apart[2] = {0, 15}, beyond[2] = {0, 16};
    pli_cut_def cut = pli_cut_def_default();
    holds(pli_deformable_cut(world, cloth, &cut, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "a normal of zero");
    cut.path = apart, cut.path_count = 2;
    holds(pli_deformable_cut(world, cloth, &cut, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "not joined");
    cut.path = beyond;
    holds(pli_deformable_cut(world, cloth, &cut, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "no vertex");
    cut.path_count = 1;
    holds(pli_deformable_cut(world, cloth, &cut, NULL, &problem) == PLI_STATUS_INVALID_ARGUMENT, "no edge");
    pli_settings settings = pli_world_settings(world);
    pli_tearing by_force = {INFINITY, 10.0f, 8};
    must(pli_deformable_set_tearing(world, cloth, &by_force, &problem));
    settings.method = PLI_METHOD_PBD;
    holds(pli_world_set_settings(world, &settings, &problem) == PLI_STATUS_INVALID_ARGUMENT, "force under PBD");
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

// A list of edges follows cuts as edges do; straps between far vertices stay with what they name.
static void lists_follow_if_the_surface_carries_them(void **state)
{
    (void)state;
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    pli_world *world = world_from(&def);
    pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_DIAGONAL);
    const pli_topology *t = pli_mesh_topology(mesh);
    pli_deformable cloth = deform(world, mesh, NULL);
    const int32_t straps[6] = {0, 24, 10, 14, 11, 13}, row[5] = {10, 11, 12, 13, 14};
    pli_constraint_set edges = constrain_list(world, cloth, "distance", t->edges, t->edge_count);
    pli_constraint_set stays = constrain_list(world, cloth, "distance", straps, 3);
    pli_cut_def cut = pli_cut_def_default();
    cut.path = row, cut.path_count = 5;
    must(pli_deformable_cut(world, cloth, &cut, NULL, &problem));
    pli_constraint_set_info info;
    must(pli_constraint_set_info_get(world, edges, &info, &problem));
    near(info.constraint_count, t->edge_count + 4, 0, "edges: those of the cut twice");
    must(pli_constraint_set_info_get(world, stays, &info, &problem));
    near(info.constraint_count, 3, 0, "straps");
    for (int32_t i = 0; i < 3; i++) {
        int32_t ends[2];
        must(pli_constraint_set_at(world, stays, i, ends, NULL, NULL, NULL, &problem));
        holds(ends[0] == straps[2 * i] && ends[1] == straps[2 * i + 1], "strap %d: %d and %d", (int)i, (int)ends[0],
              (int)ends[1]);
    }
    // What is made after a cut is made of the torn mesh.
    check_set(world, cloth, constrain(world, cloth, "dihedral", NULL));
    for (int32_t i = 0; i < 10; i++)
        step(world, 1.0 / 60.0);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

// Two sheets that hang together by a vertex come apart when a cut reaches it.
static void bow_ties_come_apart(void **state)
{
    (void)state;
    enum { SIDE = 4, COUNT = SIDE * SIDE };
    pli_mesh *sheet = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_ALTERNATING), *mesh = NULL;
    const pli_topology *t = pli_mesh_topology(sheet);
    float positions[6 * COUNT];
    int32_t *faces = malloc(sizeof *faces * 2 * (size_t)t->corner_count);
    // The second sheet's vertex 0 is the first one's last.
    for (int32_t i = 0; i < 3 * COUNT; i++) {
        positions[i] = t->positions[i];
        positions[3 * COUNT + i] = t->positions[i] + (i % 3 == 1 ? 0.0f : 1.0f);
    }
    for (int32_t c = 0; c < t->corner_count; c++) {
        int32_t v = t->face_vertices[c];
        faces[c] = v;
        faces[t->corner_count + c] = v == 0 ? COUNT - 1 : COUNT + v - 1;
    }
    memmove(positions + 3 * COUNT, positions + 3 * COUNT + 3, sizeof *positions * (3 * COUNT - 3));
    pli_mesh_def mesh_def = pli_mesh_def_default();
    mesh_def.positions = positions, mesh_def.vertex_count = 2 * COUNT - 1;
    mesh_def.face_vertices = faces, mesh_def.face_count = 2 * t->face_count;
    must(pli_mesh_create(&mesh_def, &mesh, &problem));
    near(pli_mesh_report_get(mesh)->non_manifold_vertices, 1, 0, "bow-ties to start with");
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    pli_world *world = world_from(&def);
    pli_deformable cloth = deform(world, mesh, NULL);
    constrain(world, cloth, "distance", NULL);
    constrain(world, cloth, "dihedral", NULL);
    double mass = cloth_mass(world, cloth);
    const int32_t path[3] = {COUNT - 1 - 2 * (SIDE + 1), COUNT - 1 - SIDE - 1, COUNT - 1};
    pli_cut_def cut = pli_cut_def_default();
    int32_t copies;
    cut.path = path, cut.path_count = 3;
    must(pli_deformable_cut(world, cloth, &cut, &copies, &problem));
    near(copies, 3, 0, "one inside, one for the corner's other side, one for the second sheet");
    check_all(world, cloth, mesh, mass, "a bow-tie");
    free(faces);
    pli_mesh_destroy(sheet);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
}

/* ---- snapshots --------------------------------------------------------------------------------- */

typedef struct saved {
    void *bytes;
    size_t size;
    uint64_t hash;
} saved;

static saved save(const pli_world *world)
{
    saved s = {.size = pli_world_snapshot_size(world), .hash = pli_world_hash(world)};
    s.bytes = malloc(s.size);
    must(pli_world_snapshot_write(world, s.bytes, s.size, &problem));
    return s;
}

static void restore(pli_world *world, const saved *s)
{
    must(pli_world_snapshot_read(world, s->bytes, s->size, &problem));
    holds(pli_world_hash(world) == s->hash, "restored");
}

// Cloth that keeps clear of itself and a ball, and tears between a rigid and a soft attachment.
static pulled furnished(pli_order order, int32_t threads, int32_t kind)
{
    pli_world_def def = tear_def(order);
    def.thread_count = threads;
    def.simd = threads > 1 ? PLI_SIMD_AUTO : PLI_SIMD_SCALAR;
    random_state = 11;
    pulled p = {.world = world_from(&def), .mesh = mesh_of_kind(kind, 14)};
    pli_deformable_def cloth = pli_deformable_def_default();
    cloth.mesh = p.mesh;
    cloth.self_collision = true;
    cloth.tearing = (pli_tearing){1.25f, INFINITY, 3};
    must(pli_deformable_create(p.world, &cloth, &p.cloth, &problem));
    for (int32_t i = 0; i < MODELS; i++)
        tune(p.world, constrain(p.world, p.cloth, models[i], NULL), "compliance", i == 0 ? 1e-7 : 1e-3);
    const pli_topology *t = pli_mesh_topology(p.mesh);
    int32_t *ends = malloc(sizeof *ends * (size_t)t->vertex_count);
    for (int32_t k = 0; k < 2; k++) {
        pli_attachment_def hold = pli_attachment_def_default();
        for (int32_t v = 0; v < t->vertex_count; v++)
            if (k ? t->positions[3 * v] > 0.26f : t->positions[3 * v] < -0.26f)
                ends[hold.particle_count++] = v;
        hold.deformable = p.cloth, hold.particles = ends, hold.held = k == 0;
        must(pli_attachment_create(p.world, &hold, &p.ends[k], &problem));
    }
    free(ends);
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = 0.2f, ball.pose.position.y = -0.25f;
    pli_collider collider;
    must(pli_collider_create(p.world, &ball, &collider, &problem));
    return p;
}

static void torn_worlds_are_saved_and_go_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int32_t round = 0; round < 6; round++) {
        pli_order order = round % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED;
        const int32_t kinds[] = {1, 2, 4};
        pulled a = furnished(order, 1, kinds[round / 2]), twin = furnished(order, 3, kinds[round / 2]);
        int32_t whole = pli_mesh_topology(a.mesh)->vertex_count;
        saved start = save(a.world);
        pull(&a, 3);
        saved middle = save(a.world);
        int32_t torn = pli_deformable_positions(a.world, a.cloth).count;
        pull(&a, 13);
        uint64_t end = pli_world_hash(a.world);
        int32_t more = pli_deformable_positions(a.world, a.cloth).count;
        holds(torn > whole && more > torn, "%d, %d and %d vertices", (int)whole, (int)torn, (int)more);
        restore(a.world, &middle);
        pull(&a, 13);
        holds(pli_world_hash(a.world) == end, "the same world, less torn");
        restore(twin.world, &middle);
        pull(&twin, 13);
        holds(pli_world_hash(twin.world) == end, "a twin that never tore");
        restore(a.world, &start);
        holds(pli_deformable_positions(a.world, a.cloth).count == whole, "whole again");
        pull(&a, 16);
        holds(pli_world_hash(a.world) == end, "from the start");
        saved again = save(a.world), other = save(twin.world);
        holds(again.size == other.size && memcmp(again.bytes, other.bytes, again.size) == 0, "the same bytes");
        for (int32_t i = 0; i < pli_world_constraint_set_count(a.world); i++)
            check_colours(a.world, pli_world_constraint_set(a.world, i));
        const saved *all[] = {&start, &middle, &again, &other};
        for (int32_t i = 0; i < COUNT_OF(all); i++)
            free(all[i]->bytes);
        let_go(&a);
        let_go(&twin);
    }
}

static void cuts_by_hand_are_saved_too(void **state)
{
    (void)state;
    pli_world_def def = tear_def(PLI_ORDER_COLOURED);
    pli_world *worlds[2];
    pli_deformable cloths[2];
    pli_mesh *mesh;
    for (int32_t i = 0; i < 2; i++) {
        worlds[i] = world_from(&def);
        balloons(worlds[i], &cloths[i], &mesh);
        pli_mesh_destroy(mesh);
    }
    saved whole = save(worlds[0]);
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){0, 1, 0}, cut.reach = 0.25f;
    must(pli_deformable_cut(worlds[0], cloths[0], &cut, NULL, &problem));
    saved open = save(worlds[0]);
    restore(worlds[1], &open);
    for (int32_t i = 0; i < 2; i++)
        for (int32_t k = 0; k < 5; k++)
            step(worlds[i], 1.0 / 60.0);
    holds(pli_world_hash(worlds[0]) == pli_world_hash(worlds[1]), "both go on alike");
    holds(pli_world_snapshot_read(worlds[0], whole.bytes, whole.size, &problem) == PLI_STATUS_CORRUPT &&
              strstr(problem.message, "whole") != NULL,
          "%.150s", problem.message);
    holds(pli_world_hash(worlds[0]) == pli_world_hash(worlds[1]), "nothing changed");
    free(whole.bytes);
    free(open.bytes);
    for (int32_t i = 0; i < 2; i++)
        pli_world_destroy(worlds[i]);
}

// Bytes that were changed on purpose, checksum and all, are refused or lead to some sound world.
static void damaged_snapshots_do_no_harm(void **state)
{
    (void)state;
    pulled p = furnished(PLI_ORDER_COLOURED, 1, 1);
    pull(&p, 8);
    saved good = save(p.world);
    unsigned char *bytes = malloc(good.size);
    int32_t refusals = 0;
    for (int32_t round = 0; round < 400; round++) {
        memcpy(bytes, good.bytes, good.size);
        size_t at = (size_t)uniform(0, (double)good.size - 9), size = round % 8 ? good.size : good.size - at / 2;
        bytes[at] = (unsigned char)(round % 3 ? random_bits() : 0xff);
        if (round % 5 == 0)
            memset(bytes + at, 0xff, at + 4 < good.size - 8 ? 4 : 1);
        uint64_t checksum = pli_hash_bytes(PLI_HASH_START, bytes, size - 8);
        for (int32_t k = 0; k < 8; k++)
            bytes[size - 8 + (size_t)k] = (unsigned char)(checksum >> (8 * k));
        uint64_t before = pli_world_hash(p.world);
        pli_status status = pli_world_snapshot_read(p.world, bytes, size, &problem);
        holds(status == PLI_STATUS_OK || status == PLI_STATUS_CORRUPT, "%s", pli_status_name(status));
        holds(status == PLI_STATUS_OK || pli_world_hash(p.world) == before, "nothing changed");
        refusals += status != PLI_STATUS_OK;
        pli_world_step(p.world, 1e-3f, NULL);
    }
    holds(refusals > 50, "%d refused", (int)refusals);
    restore(p.world, &good);
    free(good.bytes);
    free(bytes);
    let_go(&p);
}

/* ---- memory that runs out ---------------------------------------------------------------------- */

typedef struct meter {
    int64_t calls, fail_at, live;
} meter;

static void *measured_allocate(void *user, size_t size, size_t alignment)
{
    meter *m = user;
    if (m->calls++ == m->fail_at)
        return NULL;
    m->live++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void measured_release(void *user, void *memory, size_t size)
{
    meter *m = user;
    (void)size;
    m->live--;
    free(memory);
}

// Cuts, then saves and restores; a refusal is told and leaves the world as it was.
static pli_status cut_and_save(pli_world *world, pli_deformable cloth, const meter *m)
{
    pli_cut_def cut = pli_cut_def_default();
    cut.normal = (pli_vec3){1.0f, 0.0f, 0.3f};
    uint64_t before = pli_world_hash(world);
    pli_status status = pli_deformable_cut(world, cloth, &cut, NULL, &problem);
    holds(!status || pli_world_hash(world) == before, "request %lld refused: the cut changed something",
          (long long)m->fail_at);
    if (status)
        return status;
    size_t size = pli_world_snapshot_size(world);
    void *bytes = malloc(size);
    must(pli_world_snapshot_write(world, bytes, size, &problem));
    status = pli_world_step(world, 1e-3f, &problem);
    before = pli_world_hash(world);
    if (!status)
        status = pli_world_snapshot_read(world, bytes, size, &problem);
    holds(!status || pli_world_hash(world) == before, "request %lld refused: reading changed something",
          (long long)m->fail_at);
    free(bytes);
    return status;
}

static void cuts_without_memory_change_nothing(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(5, 5, 1.0, PLI_GRID_DIAGONAL);
    const char *const types[] = {"distance", "ring_laplacian"};
    bool finished = false;
    int64_t n = 0;
    for (; !finished && n < 2000; n++) {
        meter m = {.fail_at = -1};
        pli_world_def def = tear_def(PLI_ORDER_COLOURED);
        def.hooks.allocate = measured_allocate, def.hooks.release = measured_release, def.hooks.user = &m;
        pli_world *world = world_from(&def);
        pli_deformable_def cloth_def = pli_deformable_def_default();
        cloth_def.mesh = mesh, cloth_def.self_collision = true;
        pli_deformable cloth;
        must(pli_deformable_create(world, &cloth_def, &cloth, &problem));
        for (int32_t i = 0; i < 2; i++)
            constrain(world, cloth, types[i], NULL);
        step(world, 1e-3);
        m.calls = 0, m.fail_at = n;
        pli_status status = cut_and_save(world, cloth, &m);
        holds(status == PLI_STATUS_OK || status == PLI_STATUS_OUT_OF_MEMORY, "%s", pli_status_name(status));
        finished = m.calls <= n;
        m.fail_at = -1;
        // The world is whole: it is cut and goes on.
        must(cut_and_save(world, cloth, &m));
        check_set(world, cloth, pli_world_constraint_set(world, 0));
        pli_world_destroy(world);
        near((double)m.live, 0.0, 0.0, "blocks left after request %lld was refused", (long long)n);
    }
    holds(n > 60 && finished, "%lld requests", (long long)n);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(random_cuts_leave_a_sound_mesh),
        property(what_is_stretched_tears),
        property(contact_surfaces_follow),
        property(tears_are_the_same_for_any_threads_and_width),
        property(a_split_costs_the_same_on_any_mesh),
        property(the_user_is_told),
        property(copies_stay_attached),
        property(an_opened_balloon_loses_its_pressure),
        property(thresholds_and_cuts_are_checked),
        property(lists_follow_if_the_surface_carries_them),
        property(bow_ties_come_apart),
        property(torn_worlds_are_saved_and_go_on_to_the_same_bits),
        property(cuts_by_hand_are_saved_too),
        property(damaged_snapshots_do_no_harm),
        property(cuts_without_memory_change_nothing),
    };
    return cmocka_run_group_tests_name("tearing", tests, NULL, NULL);
}
