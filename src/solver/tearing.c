// The public face of tearing: thresholds, cuts, and the faces as they are.
#include "descriptors/groups.h"
#include "mesh/mesh.h"
#include "solver/body.h"
#include "solver/tear.h"
#include "solver/torn.h"

#define CUT_COOKIE 0x504c4355u

pli_status pli_tearing_check(const pli_world *world, const pli_tearing *tearing, pli_error *error)
{
    pli_error found;
    if (pli_descriptor_check(&pli_tearing_descriptors, tearing, &found) != PLI_STATUS_OK)
        return pli_fail(error, found.status, "tearing: %.400s", found.message);
    if (tearing->force < INFINITY && world->settings.method == PLI_METHOD_PBD)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "tearing: there is no force under PBD, which keeps no "
                        "multipliers; give stretch, or use XPBD");
    return pli_succeed(error);
}

pli_status pli_deformable_set_tearing(pli_world *world, pli_deformable deformable, const pli_tearing *tearing,
                                      pli_error *error)
{
    pli_body *body = pli_body_get(world, deformable, error);
    if (!body)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = pli_tearing_check(world, tearing, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (pli_tears(tearing) && !pli_torn_build(world, body))
        return pli_fail_memory(error);
    body->def.tearing = *tearing;
    return status;
}

pli_status pli_deformable_tearing(const pli_world *world, pli_deformable deformable, pli_tearing *tearing,
                                  pli_error *error)
{
    const pli_body *body = pli_body_get(world, deformable, error);
    if (!body)
        return PLI_STATUS_NOT_FOUND;
    *tearing = body->def.tearing;
    return pli_succeed(error);
}

pli_cut_def pli_cut_def_default(void) { return (pli_cut_def){.cookie = CUT_COOKIE, .reach = INFINITY}; }

/* ---- where ------------------------------------------------------------------------------------- */

typedef struct edge_list {
    pli_memory *memory;
    int32_t *edges;
    int32_t count, capacity;
} edge_list;

static bool put(edge_list *list, int32_t edge)
{
    if (!pli_reserve(list->memory, &list->edges, &list->capacity, (int64_t)list->count + 1, sizeof *list->edges))
        return false;
    list->edges[list->count++] = edge;
    return true;
}

static pli_status list_path(const pli_body *body, const pli_cut_def *cut, edge_list *list, pli_error *error)
{
    for (int32_t i = 0; i < cut->path_count; i++)
        if (cut->path[i] < 0 || cut->path[i] >= body->count)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "cut: vertex %d of the path is %d; there are 0 to %d",
                            (int)i, (int)cut->path[i], (int)body->count - 1);
    if (!pli_reserve(list->memory, &list->edges, &list->capacity, cut->path_count, sizeof *list->edges))
        return pli_fail_memory(error);
    for (int32_t i = 0; i + 1 < cut->path_count; i++) {
        int32_t edge = pli_fabric_edge(&body->torn->fabric, cut->path[i], cut->path[i + 1]);
        if (edge < 0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "cut: no edge joins vertices %d and %d, which follow each "
                            "other in the path",
                            (int)cut->path[i], (int)cut->path[i + 1]);
        if (!put(list, edge))
            return pli_fail_memory(error);
    }
    return PLI_STATUS_OK;
}

static pli_vec3 centre_of(const pli_body *body, int32_t face)
{
    const pli_faces *s = &body->shape;
    int32_t begin = s->face_offsets[face], end = s->face_offsets[face + 1];
    pli_vec3 sum = {0, 0, 0};
    for (int32_t c = begin; c < end; c++) {
        const pli_particle *p = &body->particles[pli_place(body, s->face_vertices[c])];
        sum = pli_add(sum, (pli_vec3){p->x, p->y, p->z});
    }
    return pli_scale(sum, 1.0f / (float)(end - begin));
}

// 1 in front of the plane, -1 behind it, 0 out of reach.
static int32_t side_of(const pli_body *body, const pli_cut_def *cut, int32_t face)
{
    pli_vec3 from = pli_sub(centre_of(body, face), cut->point);
    if (!(pli_length(from) < cut->reach))
        return 0;
    return pli_dot(from, cut->normal) > 0.0f ? 1 : -1;
}

static pli_status list_plane(const pli_body *body, const pli_cut_def *cut, edge_list *list, pli_error *error)
{
    const pli_fabric *f = &body->torn->fabric;
    for (int32_t e = 0; e < f->faces.edge_count; e++) {
        const int32_t *corners = f->edge_corners + 2 * e;
        if (corners[1] < 0)
            continue;
        int32_t one = side_of(body, cut, f->corner_faces[corners[0]]);
        int32_t other = side_of(body, cut, f->corner_faces[corners[1]]);
        if (one * other < 0 && !put(list, e))
            return pli_fail_memory(error);
    }
    return PLI_STATUS_OK;
}

static pli_status check_cut(const pli_cut_def *cut, pli_error *error)
{
    if (cut->cookie != CUT_COOKIE)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "cut: start the definition with pli_cut_def_default");
    if (cut->path && cut->path_count < 2)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "cut: a path of %d vertices has no edge; give two or more",
                        (int)cut->path_count);
    float length = pli_length(cut->normal);
    if (!cut->path && (!(length > 0.0f) || !isfinite(length) || !pli_finite3(cut->point)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "cut: the plane's normal must not be zero, and its point must "
                        "be finite");
    if (!(cut->reach > 0.0f))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "cut: reach is %g; it must be positive [m]",
                        (double)cut->reach);
    return pli_succeed(error);
}

pli_status pli_deformable_cut(pli_world *world, pli_deformable deformable, const pli_cut_def *cut, int32_t *copies,
                              pli_error *error)
{
    pli_body *body = pli_body_get(world, deformable, error);
    if (!body)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = check_cut(cut, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!pli_torn_build(world, body))
        return pli_fail_memory(error);
    int32_t before = body->count;
    edge_list list = {.memory = &world->memory};
    status = cut->path ? list_path(body, cut, &list, error) : list_plane(body, cut, &list, error);
    if (status == PLI_STATUS_OK && !pli_torn_cut(world, body, list.edges, list.count, -1))
        status = pli_fail_memory(error);
    pli_release(&world->memory, list.edges);
    if (status != PLI_STATUS_OK)
        return status;
    if (copies)
        *copies = body->count - before;
    pli_torn_report(world, body);
    return pli_succeed(error);
}

/* ---- the faces as they are --------------------------------------------------------------------- */

void pli_world_set_topology_callback(pli_world *world, pli_topology_callback callback, void *user)
{
    world->remap = callback;
    world->remap_user = user;
}

const int32_t *pli_deformable_face_vertices(const pli_world *world, pli_deformable deformable)
{
    const pli_body *body = pli_body_get(world, deformable, NULL);
    return body ? body->shape.face_vertices : NULL;
}

const int32_t *pli_deformable_triangles(const pli_world *world, pli_deformable deformable)
{
    const pli_body *body = pli_body_get(world, deformable, NULL);
    return body ? body->shape.triangles : NULL;
}

static pli_status make_mesh(pli_world *world, const pli_body *body, pli_mesh **mesh, pli_error *error)
{
    const pli_faces *s = &body->shape;
    int32_t *sizes = PLI_ALLOCATE(&world->memory, int32_t, s->face_count);
    if (!sizes)
        return pli_fail_memory(error);
    for (int32_t face = 0; face < s->face_count; face++)
        sizes[face] = s->face_offsets[face + 1] - s->face_offsets[face];
    pli_mesh_def def = pli_mesh_def_default();
    def.hooks = world->memory.hooks;
    def.positions = s->positions, def.vertex_count = s->vertex_count;
    def.face_vertices = s->face_vertices, def.face_sizes = sizes, def.face_count = s->face_count;
    pli_status status = pli_mesh_create(&def, mesh, error);
    pli_release(&world->memory, sizes);
    return status;
}

pli_status pli_deformable_get_mesh(pli_world *world, pli_deformable deformable, const pli_mesh **mesh, pli_error *error)
{
    pli_body *body = pli_body_get(world, deformable, error);
    return body ? pli_body_mesh(world, body, mesh, error) : PLI_STATUS_NOT_FOUND;
}

pli_status pli_body_mesh(pli_world *world, pli_body *body, const pli_mesh **mesh, pli_error *error)
{
    *mesh = body->mesh;
    pli_torn *torn = body->torn;
    if (!torn || torn->fabric.faces.vertex_count == pli_mesh_topology(body->mesh)->vertex_count)
        return pli_succeed(error);
    if (!torn->mesh) {
        pli_status status = make_mesh(world, body, &torn->mesh, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    *mesh = torn->mesh;
    return pli_succeed(error);
}
