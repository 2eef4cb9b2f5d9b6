// Reads the meshes of a glTF scene as one mesh, in the pose of the file: triangles of all primitives, placed by their morph weights and
// skins or by the transforms of their nodes, with texture coordinates, colours and custom attributes, materials and nodes as groups of
// faces, and joints of skins as groups of vertices.
#include "formats/gltf_import.h"

#include <pliant/mesh_attributes.h>

#include <stdlib.h>
#include <string.h>

enum { DEEPEST_NODE = 200, TRIANGLES = 4, STRIP = 5, FAN = 6, SPARE = 1000000, PER_BYTE = 4 };

typedef struct reading {
    pli_gltf *g;
    pli_polygons *p;
    pli_gltf_pose *pose;
    pli_gltf_parts *parts;
    pli_error *error;
    bool *visited;    // By node.
    json_t *previous; // Attributes of the previous primitive, whose vertices start at `first`,
    int32_t first;    // since primitives may share them.
    int32_t left_out; // Number of skipped primitives: points or lines.
} reading;

// One use of a mesh.
typedef struct use {
    int32_t node, skin; // -1 for none.
    const char *name;
} use;

static pli_status fail(const reading *r, const char *what)
{
    return pli_fail(r->error, PLI_STATUS_PARSE, "%s: %s", r->g->file->name, what);
}

// Many nodes may use one mesh and many primitives one accessor, so a small file could expand to any number of vertices.
static bool too_many(const reading *r, int64_t count)
{
    return (double)count > SPARE + PER_BYTE * (double)r->g->byte_count;
}

static pli_status add_positions(reading *r, json_t *mesh, json_t *primitive, const use *u)
{
    const pli_gltf_part given = {.mesh = mesh, .node = u->node, .skin = u->skin, .first = r->first};
    pli_status status = pli_gltf_parts_add(r->parts, r->g, r->pose, primitive, &given, r->error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_gltf_part *part = &r->parts->items[r->parts->count - 1];
    if (too_many(r, r->p->vertex_count + part->positions.count))
        return fail(r, "its nodes and primitives repeat more vertices than its size allows");
    for (int64_t i = 0; i < part->positions.count; i++)
        if (!pli_polygons_add_vertex(r->p, 0.0f, 0.0f, 0.0f))
            return pli_io_fail_memory(r->error);
    pli_gltf_part_place(r->parts, part, r->pose, r->p->positions + 3 * (size_t)r->first);
    return status;
}

// The layer name of an attribute; false for attributes that are not kept: normals and tangents follow from the shape.
static bool layer_name(const char *key, char name[64])
{
    if (strcmp(key, "TEXCOORD_0") == 0 || strcmp(key, "COLOR_0") == 0)
        snprintf(name, 64, "%s", key[0] == 'C' ? PLI_ATTRIBUTE_COLOUR : PLI_ATTRIBUTE_UV);
    else if (strncmp(key, "TEXCOORD_", 9) == 0)
        snprintf(name, 64, "%s%.40s", PLI_ATTRIBUTE_UV, key + 9);
    else if (strncmp(key, "COLOR_", 6) == 0)
        snprintf(name, 64, "%s%.40s", PLI_ATTRIBUTE_COLOUR, key + 6);
    else if (key[0] == '_' && key[1] && strlen(key) < 64)
        snprintf(name, 64, "%s", key + 1); // An underscore marks application-specific names.
    else
        return false;
    return true;
}

static pli_status add_layer(reading *r, const char *key, json_t *accessor, int64_t vertices)
{
    char name[64];
    pli_gltf_numbers n;
    if (!layer_name(key, name))
        return PLI_STATUS_OK;
    pli_status status = pli_gltf_find(r->g, accessor, &n, r->error);
    if (status != PLI_STATUS_OK)
        return status;
    if (n.width > PLI_LAYER_WIDTH_MAX)
        return PLI_STATUS_OK;
    if (n.count != vertices)
        return pli_fail(r->error, PLI_STATUS_PARSE, "%s: %.40s has %lld values for %lld vertices", r->g->file->name,
                        key, (long long)n.count, (long long)vertices);
    bool flipped = strncmp(key, "TEXCOORD_", 9) == 0 && n.width == 2;
    pli_soup_layer *layer = pli_layer_named(&r->p->layers, name, (int32_t)strlen(name), PLI_LAYER_VERTEX, n.width);
    for (int64_t i = 0; layer && i < n.count; i++) {
        float value[PLI_LAYER_WIDTH_MAX];
        for (int32_t k = 0; k < n.width; k++)
            value[k] = (float)pli_gltf_number(&n, i, k);
        if (flipped) // The origin of glTF's textures is at the top.
            value[1] = 1.0f - value[1];
        if (!pli_layer_set(layer, r->first + (int32_t)i, value))
            return pli_io_fail_memory(r->error);
    }
    return layer ? status : pli_io_fail_memory(r->error);
}

// Adds the weights of the joints of set `set` to the groups of vertices.
static pli_status add_joints(reading *r, json_t *attributes, json_t *skin, int64_t vertices, int set)
{
    char key[20];
    pli_gltf_numbers joints, weights;
    snprintf(key, sizeof key, "JOINTS_%d", set);
    json_t *joint_index = json_object_get(attributes, key);
    snprintf(key, sizeof key, "WEIGHTS_%d", set);
    json_t *weight_index = json_object_get(attributes, key), *list = json_object_get(skin, "joints");
    if (!joint_index || !weight_index || !json_is_array(list))
        return PLI_STATUS_OK;
    pli_status status = pli_gltf_find(r->g, joint_index, &joints, r->error);
    if (status == PLI_STATUS_OK)
        status = pli_gltf_find(r->g, weight_index, &weights, r->error);
    if (status != PLI_STATUS_OK)
        return status;
    if (joints.count != vertices || weights.count != vertices || joints.width != 4 || weights.width != 4 ||
        (joints.type != 5121 && joints.type != 5123))
        return fail(r, "JOINTS and WEIGHTS are not four small whole numbers and four weights for each vertex");
    for (int64_t i = 0; i < vertices; i++)
        for (int32_t k = 0; k < 4; k++) {
            double weight = pli_gltf_number(&weights, i, k);
            json_t *joint = json_array_get(list, (size_t)pli_gltf_number(&joints, i, k));
            const char *name = json_string_value(json_object_get(pli_gltf_item(r->g, "nodes", joint), "name"));
            if (!(weight > 0.0) || !name)
                continue;
            int32_t group = pli_soup_group_named(&r->p->groups, PLI_GROUP_VERTICES, name, (int32_t)strlen(name));
            if (group < 0 || !pli_soup_group_add_weighted(&r->p->groups, group, r->first + (int32_t)i, (float)weight))
                return pli_io_fail_memory(r->error);
        }
    return status;
}

static pli_status add_vertices(reading *r, json_t *mesh, json_t *primitive, const use *u)
{
    const char *key;
    json_t *accessor, *attributes = json_object_get(primitive, "attributes");
    if (r->previous && json_equal(r->previous, attributes))
        return PLI_STATUS_OK;
    r->previous = json_object_get(primitive, "targets") ? NULL
                                                        : attributes; // Targets may differ while attributes match.
    r->first = r->p->vertex_count;
    pli_status status = add_positions(r, mesh, primitive, u);
    int64_t vertices = r->p->vertex_count - r->first;
    json_object_foreach (attributes, key, accessor)
        if (status == PLI_STATUS_OK)
            status = add_layer(r, key, accessor, vertices);
    json_t *skin = u->skin >= 0 ? json_array_get(json_object_get(r->g->root, "skins"), (size_t)u->skin) : NULL;
    for (int set = 0; status == PLI_STATUS_OK && set < PLI_JOINT_SETS; set++)
        status = add_joints(r, attributes, skin, vertices, set);
    return status;
}

// Corner c of triangle t of a list, a fan, or a strip, in which the triangles alternate in orientation.
static int64_t corner_of(int64_t mode, int64_t t, int corner)
{
    if (mode == TRIANGLES)
        return 3 * t + corner;
    if (mode == FAN)
        return corner == 2 ? 0 : t + 1 + corner;
    return corner == 0 ? t : t + (t % 2 ? 3 - corner : corner);
}

static pli_status add_faces(reading *r, json_t *primitive, int64_t mode, bool mirrored, const int32_t groups[2])
{
    json_t *indices = json_object_get(primitive, "indices");
    int64_t vertices = r->p->vertex_count - r->first;
    pli_gltf_numbers n = {.count = vertices};
    pli_status status = indices ? pli_gltf_find(r->g, indices, &n, r->error) : PLI_STATUS_OK;
    if (status != PLI_STATUS_OK)
        return status;
    if (indices && (n.width != 1 || n.type == 5126))
        return fail(r, "indices of a primitive are not whole numbers");
    int64_t count = mode == TRIANGLES ? n.count / 3 : n.count - 2;
    if (too_many(r, r->p->corner_count + 3 * count))
        return fail(r, "its nodes and primitives repeat more triangles than its size allows");
    for (int64_t t = 0; t < count; t++) {
        int32_t corners[3];
        for (int k = 0; k < 3; k++) {
            int64_t at = corner_of(mode, t, mirrored ? (3 - k) % 3 : k);
            double vertex = indices ? pli_gltf_number(&n, at, 0) : (double)at;
            if (vertex >= (double)vertices)
                return fail(r, "an index of a primitive is beyond its vertices");
            corners[k] = r->first + (int32_t)vertex;
        }
        bool added = pli_polygons_add_face(r->p, corners, 3);
        for (int k = 0; k < 2 && added; k++)
            added = groups[k] < 0 || pli_soup_group_add(&r->p->groups, groups[k], r->p->face_count - 1);
        if (!added)
            return pli_io_fail_memory(r->error);
    }
    return status;
}

static bool find_group(reading *r, pli_mesh_group_kind kind, const char *name, int32_t *group)
{
    *group = name ? pli_soup_group_named(&r->p->groups, (int32_t)kind, name, (int32_t)strlen(name)) : -1;
    return !name || *group >= 0;
}

static pli_status add_mesh(reading *r, json_t *mesh, const use *u)
{
    json_t *primitives = json_object_get(mesh, "primitives"), *primitive;
    size_t i;
    pli_status status = PLI_STATUS_OK;
    const bool mirrored = u->node >= 0 && u->skin < 0 && pli_matrix_determinant(&r->pose->worlds[u->node]) < 0.0;
    r->previous = NULL;
    json_array_foreach (primitives, i, primitive) {
        json_t *mode_value = json_object_get(primitive, "mode");
        int64_t mode = mode_value ? (int64_t)json_integer_value(mode_value) : TRIANGLES;
        if (mode != TRIANGLES && mode != STRIP && mode != FAN) {
            r->left_out++; // Points and lines are not faces.
            continue;
        }
        json_t *material = pli_gltf_item(r->g, "materials", json_object_get(primitive, "material"));
        int32_t groups[2];
        if (!find_group(r, PLI_GROUP_MATERIAL, json_string_value(json_object_get(material, "name")), &groups[0]) ||
            !find_group(r, PLI_GROUP_OBJECT, u->name, &groups[1]))
            return pli_io_fail_memory(r->error);
        status = add_vertices(r, mesh, primitive, u);
        if (status == PLI_STATUS_OK)
            status = add_faces(r, primitive, mode, mirrored, groups);
        if (status != PLI_STATUS_OK)
            return status;
    }
    return status;
}

static pli_status add_node(reading *r, json_t *index, int depth)
{
    json_t *node = pli_gltf_item(r->g, "nodes", index), *children = json_object_get(node, "children"), *child;
    if (!node)
        return fail(r, "a scene or a node names a node that is not there");
    size_t number = (size_t)json_integer_value(index), i;
    if (depth > DEEPEST_NODE || r->visited[number])
        return fail(r, "its nodes are not a tree of at most 200 levels");
    r->visited[number] = true;
    json_t *mesh = pli_gltf_item(r->g, "meshes", json_object_get(node, "mesh")), *skin = json_object_get(node, "skin");
    use u = {(int32_t)number, pli_gltf_item(r->g, "skins", skin) ? (int32_t)json_integer_value(skin) : -1,
             json_string_value(json_object_get(node, "name"))};
    if (!u.name)
        u.name = json_string_value(json_object_get(mesh, "name"));
    pli_status status = mesh ? add_mesh(r, mesh, &u) : PLI_STATUS_OK;
    json_array_foreach (children, i, child)
        if (status == PLI_STATUS_OK)
            status = add_node(r, child, depth + 1);
    return status;
}

// Adds the nodes of the default scene; for a file without scenes, all meshes as they are.
static pli_status add_scene(reading *r)
{
    json_t *scenes = json_object_get(r->g->root, "scenes"), *meshes = json_object_get(r->g->root, "meshes"), *item;
    json_t *scene = pli_gltf_item(r->g, "scenes", json_object_get(r->g->root, "scene"));
    if (!scene)
        scene = json_array_get(scenes, 0);
    size_t i;
    pli_status status = PLI_STATUS_OK;
    json_array_foreach (json_object_get(scene, "nodes"), i, item)
        if (status == PLI_STATUS_OK)
            status = add_node(r, item, 0);
    if (!scene)
        json_array_foreach (meshes, i, item) {
            const use u = {-1, -1, json_string_value(json_object_get(item, "name"))};
            if (status == PLI_STATUS_OK)
                status = add_mesh(r, item, &u);
        }
    return status;
}

pli_status pli_gltf_add_scene(pli_gltf *g, pli_gltf_pose *pose, pli_gltf_parts *parts, pli_polygons *polygons,
                              pli_error *error)
{
    reading r = {.g = g, .p = polygons, .pose = pose, .parts = parts, .error = error};
    r.visited = calloc((size_t)pose->count + 1, sizeof *r.visited);
    pli_status status = r.visited ? add_scene(&r) : pli_io_fail_memory(error);
    free(r.visited);
    const pli_hooks *hooks = g->file->hooks;
    if (status == PLI_STATUS_OK && r.left_out > 0 && hooks && hooks->log) {
        char line[300];
        snprintf(line, sizeof line, "%.200s: %d primitives of points or lines are left out", g->file->name,
                 (int)r.left_out);
        hooks->log(hooks->user, PLI_LOG_INFO, line);
    }
    return status;
}

pli_status pli_read_gltf(const pli_import_file *file, pli_polygons *polygons, pli_error *error)
{
    pli_gltf g;
    pli_gltf_pose pose = {0};
    pli_gltf_parts parts = {0};
    pli_status status = pli_gltf_open(&g, file, error);
    if (status == PLI_STATUS_OK)
        status = pli_gltf_pose_open(&pose, &g, error);
    if (status == PLI_STATUS_OK)
        status = pli_gltf_add_scene(&g, &pose, &parts, polygons, error);
    pli_gltf_parts_release(&parts);
    pli_gltf_pose_close(&pose);
    pli_gltf_close(&g);
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}
