// Transforms of nodes, parents first.
#include "formats/gltf_pose.h"

#include <stdlib.h>

enum { DEEPEST_NODE = 200 };

pli_matrix pli_matrix_identity(void) { return (pli_matrix){{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}; }

pli_matrix pli_matrix_product(const pli_matrix *a, const pli_matrix *b)
{
    pli_matrix m;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row++) {
            double sum = column == 3 ? a->at[9 + row] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += a->at[3 * k + row] * b->at[3 * column + k];
            m.at[3 * column + row] = sum;
        }
    return m;
}

double pli_matrix_determinant(const pli_matrix *m)
{
    const double *a = m->at, *b = m->at + 3, *c = m->at + 6;
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Reads `count` numbers of a key; `values` stays unchanged if the key is missing.
static bool numbers(json_t *node, const char *key, double *values, size_t count)
{
    json_t *array = json_object_get(node, key);
    if (json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        values[i] = json_number_value(json_array_get(array, i));
    return true;
}

static pli_matrix matrix_of(const pli_gltf_move *move)
{
    const double x = move->rotation[0], y = move->rotation[1], z = move->rotation[2], w = move->rotation[3];
    const double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                            2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                            2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    pli_matrix m;
    for (int i = 0; i < 9; i++)
        m.at[i] = turn[i] * move->scale[i / 3];
    for (int i = 0; i < 3; i++)
        m.at[9 + i] = move->translation[i];
    return m;
}

static pli_matrix local_of(const pli_gltf_pose *pose, int32_t node)
{
    double full[16];
    if (!numbers(pose->nodes[node], "matrix", full, 16))
        return matrix_of(&pose->moves[node]);
    pli_matrix m;
    for (int i = 0; i < 12; i++)
        m.at[i] = full[4 * (i / 3) + i % 3];
    return m;
}

static pli_status find_parents(pli_gltf_pose *pose, pli_error *error)
{
    const char *name = pose->gltf->file->name;
    for (int32_t i = 0; i < pose->count; i++)
        pose->parents[i] = -1;
    for (int32_t i = 0; i < pose->count; i++) {
        json_t *child;
        size_t k;
        json_array_foreach (json_object_get(pose->nodes[i], "children"), k, child) {
            if (!pli_gltf_item(pose->gltf, "nodes", child))
                return pli_fail(error, PLI_STATUS_PARSE, "%s: a scene or a node names a node that is not there", name);
            int32_t *parent = &pose->parents[json_integer_value(child)];
            if (*parent >= 0)
                return pli_fail(error, PLI_STATUS_PARSE, "%s: its nodes are not a tree of at most %d levels", name,
                                DEEPEST_NODE);
            *parent = i;
        }
    }
    return pli_succeed(error);
}

// Sorts the nodes by their depth.
static pli_status find_order(pli_gltf_pose *pose, pli_error *error)
{
    int32_t starts[DEEPEST_NODE + 2] = {0}, *depths = malloc(((size_t)pose->count + 1) * sizeof *depths);
    pli_status status = depths ? PLI_STATUS_OK : pli_io_fail_memory(error);
    for (int32_t i = 0; status == PLI_STATUS_OK && i < pose->count; i++) {
        depths[i] = 0;
        for (int32_t at = pose->parents[i]; at >= 0 && depths[i] <= DEEPEST_NODE; at = pose->parents[at])
            depths[i]++;
        if (depths[i] > DEEPEST_NODE)
            status = pli_fail(error, PLI_STATUS_PARSE, "%s: its nodes are not a tree of at most %d levels",
                              pose->gltf->file->name, DEEPEST_NODE);
        else
            starts[depths[i] + 1]++;
    }
    for (int d = 0; d <= DEEPEST_NODE; d++)
        starts[d + 1] += starts[d];
    for (int32_t i = 0; status == PLI_STATUS_OK && i < pose->count; i++)
        pose->order[starts[depths[i]]++] = i;
    free(depths);
    return status;
}

pli_status pli_gltf_pose_open(pli_gltf_pose *pose, const pli_gltf *gltf, pli_error *error)
{
    json_t *list = json_object_get(gltf->root, "nodes");
    size_t count = json_array_size(list);
    *pose = (pli_gltf_pose){.gltf = gltf, .count = (int32_t)count};
    pose->parents = calloc(count + 1, sizeof *pose->parents);
    pose->order = calloc(count + 1, sizeof *pose->order);
    pose->nodes = calloc(count + 1, sizeof *pose->nodes);
    pose->moves = calloc(count + 1, sizeof *pose->moves);
    pose->worlds = calloc(count + 1, sizeof *pose->worlds);
    pose->weights = calloc(count + 1, sizeof *pose->weights);
    pose->weight_counts = calloc(count + 1, sizeof *pose->weight_counts);
    if (!pose->parents || !pose->order || !pose->nodes || !pose->moves || !pose->worlds || !pose->weights ||
        !pose->weight_counts)
        return pli_io_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        pose->nodes[i] = json_array_get(list, i);
    pli_status status = find_parents(pose, error);
    if (status == PLI_STATUS_OK)
        status = find_order(pose, error);
    if (status == PLI_STATUS_OK) {
        pli_gltf_pose_rest(pose);
        pli_gltf_pose_place(pose);
    }
    return status;
}

void pli_gltf_pose_close(pli_gltf_pose *pose)
{
    free(pose->parents);
    free(pose->order);
    free(pose->nodes);
    free(pose->moves);
    free(pose->worlds);
    free(pose->weights);
    free(pose->weight_counts);
    *pose = (pli_gltf_pose){0};
}

void pli_gltf_pose_rest(pli_gltf_pose *pose)
{
    for (int32_t i = 0; i < pose->count; i++) {
        pli_gltf_move *move = &pose->moves[i];
        *move = (pli_gltf_move){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        numbers(pose->nodes[i], "translation", move->translation, 3);
        numbers(pose->nodes[i], "rotation", move->rotation, 4);
        numbers(pose->nodes[i], "scale", move->scale, 3);
        pose->weights[i] = NULL;
    }
}

void pli_gltf_pose_place(pli_gltf_pose *pose)
{
    for (int32_t k = 0; k < pose->count; k++) {
        int32_t node = pose->order[k], parent = pose->parents[node];
        pli_matrix own = local_of(pose, node);
        pose->worlds[node] = parent >= 0 ? pli_matrix_product(&pose->worlds[parent], &own) : own;
    }
}

double pli_gltf_pose_weight(const pli_gltf_pose *pose, int32_t node, json_t *mesh, int32_t k)
{
    if (node >= 0 && pose->weights[node])
        return k < pose->weight_counts[node] ? pose->weights[node][k] : 0.0;
    json_t *own = node >= 0 ? json_object_get(pose->nodes[node], "weights") : NULL;
    return json_number_value(json_array_get(own ? own : json_object_get(mesh, "weights"), (size_t)k));
}
