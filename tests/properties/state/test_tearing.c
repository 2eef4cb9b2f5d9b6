// Tears and cuts on all kinds of meshes: what is left is a manifold with the same faces and the same
// mass, and its constraints are those that generators make of the torn mesh: none spans a cut.
#include "tears.h"

#include "model/handles.h"
#include "model/model.h"
#include "tearing/tear_state.h"

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
    int32_t count = pli_mesh_topology(pli_deformable_rest_mesh(world, cloth))->corner_count;
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

static void what_is_stretched_tears(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < 2 * KINDS; kind++) {
        pli_world_def def = tear_def(kind % 2 ? PLI_ORDER_SEQUENTIAL : PLI_ORDER_COLOURED);
        pulled p = pulled_cloth(&def, mesh_of_kind(kind / 2, 14),
                                (pli_tearing){.stretch = 1.3f, .force = INFINITY, .max_tears = 8});
        pull(&p, 25);
        int32_t tear_state = pli_deformable_positions(p.world, p.cloth).count - pli_mesh_topology(p.mesh)->vertex_count;
        holds(tear_state > 10, "kind %d: only %d vertices tore", (int)kind / 2, (int)tear_state);
        for (int32_t k = 0; k < 2; k++)
            must(pli_attachment_destroy(p.world, p.ends[k], &problem));
        check_all(p.world, p.cloth, p.mesh, p.mass, "a tear");
        let_go(&p);
    }
}

/* ---- what else follows ------------------------------------------------------------------------- */

static pli_deformable_data *deformable_of(pli_world *world, pli_deformable cloth)
{
    return pli_deformable_get(world, cloth, &problem);
}

static bool same_ring(const pli_contact_mesh *a, const pli_contact_mesh *b, int32_t place)
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

// Every vertex and edge lies in one cluster, with a triangle that has it.
static void check_patches(const pli_contact_mesh *s)
{
    const pli_primitive kinds[2] = {PLI_PRIMITIVE_VERTEX, PLI_PRIMITIVE_EDGE};
    for (int32_t which = 0; which < 2; which++) {
        const pli_clusters *p = &s->clusters;
        int32_t all = which ? s->edge_count : s->vertex_count, *seen = calloc((size_t)all, sizeof *seen);
        for (int32_t cluster = 0; cluster < p->count; cluster++) {
            int32_t begin = p->starts[kinds[which]][cluster], end = p->ends[kinds[which]][cluster];
            holds(end - begin <= PLI_CLUSTER_ITEMS_MAX, "%d in a patch", (int)(end - begin));
            for (int32_t i = begin; i < end; i++) {
                int32_t item = p->items[kinds[which]][i], has = 0;
                seen[item]++;
                for (int32_t k = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster];
                     k < p->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; k++)
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
static void check_surface(const pli_world *world, const pli_deformable_data *deformable)
{
    pli_memory memory = pli_memory_make(&world->memory.hooks);
    pli_contact_mesh fresh = {0};
    const pli_contact_mesh *s = deformable->surface;
    holds(pli_contact_mesh_build(&memory, &fresh, &deformable->shape, deformable->order), "built");
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
    pli_contact_mesh_release(&memory, &fresh);
    check_patches(s);
}

static bool same_numbers(const int32_t *a, const int32_t *b, int32_t count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// Cuts one by one leave what all of them at once leave: a world that is restored goes on to the same bits.
static void check_replay(pli_world *world, pli_deformable_data *deformable)
{
    pli_contact_mesh at_once = {0};
    const pli_contact_mesh *s = deformable->surface;
    const pli_faces whole = pli_faces_of(pli_mesh_topology(deformable->mesh));
    holds(pli_contact_mesh_build(&world->memory, &at_once, &whole, deformable->order) &&
              pli_tear_state_replay(world, deformable, &at_once),
          "built");
    holds(at_once.edge_count == s->edge_count && same_numbers(at_once.edges, s->edges, 2 * s->edge_count) &&
              same_numbers(at_once.side_edges, s->side_edges, 3 * s->triangle_count) &&
              same_numbers(at_once.edge_triangles, s->edge_triangles, s->edge_count) &&
              same_numbers(at_once.apexes, s->apexes, 3 * s->triangle_count),
          "edges");
    for (int32_t kind = 0; kind < PLI_PRIMITIVE_COUNT; kind++)
        for (int32_t cluster = 0; cluster < s->clusters.count; cluster++) {
            int32_t a = at_once.clusters.starts[kind][cluster], b = s->clusters.starts[kind][cluster];
            int32_t size = s->clusters.ends[kind][cluster] - b;
            holds(at_once.clusters.ends[kind][cluster] - a == size &&
                      same_numbers(at_once.clusters.items[kind] + a, s->clusters.items[kind] + b, size),
                  "patch %d of kind %d", (int)cluster, (int)kind);
        }
    pli_contact_mesh_release(&world->memory, &at_once);
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
            check_surface(world, deformable_of(world, cloth));
            if (pli_deformable_positions(world, cloth).count > pli_mesh_topology(mesh)->vertex_count)
                check_replay(world, deformable_of(world, cloth));
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
        pli_tearing tearing = {
            .stretch = by_force ? INFINITY : 1.3f, .force = by_force ? 0.05f : INFINITY, .max_tears = 20};
        int32_t count, other;
        uint64_t hash = torn_hash(1, PLI_SIMD_SCALAR, tearing, &count);
        holds(count > 40 * 40 + 50, "only %d vertices", (int)count);
        holds(torn_hash(4, PLI_SIMD_SCALAR, tearing, &other) == hash && other == count, "4 threads");
        holds(torn_hash(3, PLI_SIMD_AUTO, tearing, &other) == hash && other == count, "wide");
    }
}

// The cost of splitting one vertex does not depend on the size of the mesh, and it allocates nothing.
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
        const pli_deformable_data *deformable = deformable_of(world, cloth);
        int64_t before = deformable->tear_state->fabric.work, allocations = world->memory.allocations;
        for (int32_t k = 0; k < 20; k++) {
            const int32_t path[3] = {middle + k, middle + k + 1, middle + k + 2};
            cut.path = path;
            must(pli_deformable_cut(world, cloth, &cut, NULL, &problem));
        }
        work[i] = deformable->tear_state->fabric.work - before;
        // A cut along a path lists its edges; beyond that capacity grows now and then.
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
static void follow(void *user, pli_deformable handle, const pli_topology_change *remap)
{
    follower *f = user;
    f->calls++;
    (void)handle;
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
    pulled p = pulled_cloth(&def, mesh_of_kind(2, 14),
                            (pli_tearing){.stretch = 1.3f, .force = INFINITY, .max_tears = 8});
    follower f = {.topology = pli_mesh_topology(p.mesh), .vertex_count = 14 * 14};
    pli_world_set_topology_callback(p.world, follow, &f);
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
        hold.deformable = cloth, hold.particles = row, hold.particle_count = 5, hold.fixed = soft == 0;
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
    pli_constraints set = balloons(world, &cloth, &mesh);
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
    pli_constraints_info info;
    must(pli_constraints_get_info(world, set, &info, &problem));
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
    def.mesh = pli_deformable_rest_mesh(world, cloth);
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
        refused(world, cloth, (pli_tearing){.stretch = wrong[i], .force = INFINITY, .max_tears = 8}, "stretch");
        if (!(wrong[i] > 0.0f))
            refused(world, cloth, (pli_tearing){.stretch = INFINITY, .force = wrong[i], .max_tears = 8}, "force");
    }
    refused(world, cloth, (pli_tearing){.stretch = 1.5f, .force = INFINITY, .max_tears = 0}, "most");
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
    pli_tearing by_force = {.stretch = INFINITY, .force = 10.0f, .max_tears = 8};
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
    pli_constraints edges = constrain_list(world, cloth, "distance", t->edges, t->edge_count);
    pli_constraints stays = constrain_list(world, cloth, "distance", straps, 3);
    pli_cut_def cut = pli_cut_def_default();
    cut.path = row, cut.path_count = 5;
    must(pli_deformable_cut(world, cloth, &cut, NULL, &problem));
    pli_constraints_info info;
    must(pli_constraints_get_info(world, edges, &info, &problem));
    near(info.constraint_count, t->edge_count + 4, 0, "edges: those of the cut twice");
    must(pli_constraints_get_info(world, stays, &info, &problem));
    near(info.constraint_count, 3, 0, "straps");
    for (int32_t i = 0; i < 3; i++) {
        int32_t ends[2];
        must(pli_constraints_stencil(world, stays, i, ends, NULL, NULL, NULL, &problem));
        holds(ends[0] == straps[2 * i] && ends[1] == straps[2 * i + 1], "strap %d: %d and %d", (int)i, (int)ends[0],
              (int)ends[1]);
    }
    // Sets created after a cut are made of the torn mesh.
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
    pli_mesh *flat_certificate = mesh_grid(SIDE, SIDE, 1.0, PLI_GRID_ALTERNATING), *mesh = NULL;
    const pli_topology *t = pli_mesh_topology(flat_certificate);
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
    near(pli_mesh_get_report(mesh)->non_manifold_vertices, 1, 0, "bow-ties to start with");
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
    pli_mesh_destroy(flat_certificate);
    pli_mesh_destroy(mesh);
    pli_world_destroy(world);
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
    };
    return cmocka_run_group_tests_name("tearing", tests, NULL, NULL);
}
