// Vertices in a pose according to glTF 2.0 (3.7.2.2, 3.7.3): a skinned mesh ignores the transform of its own node.
#include "formats/gltf_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPARE = 1000000, PER_BYTE = 4 };

static pli_status fail(const pli_gltf *g, const char *what, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_PARSE, "%s: %s", g->file->name, what);
}

static void pose_skin(pli_gltf_skin *skin, const pli_gltf_pose *pose)
{
    for (int32_t i = 0; i < skin->count; i++)
        skin->now[i] = pli_matrix_product(&pose->worlds[skin->nodes[i]], &skin->inverse_bind[i]);
}

static pli_status open_skin(pli_gltf_parts *parts, pli_gltf *g, const pli_gltf_pose *pose, int32_t index,
                            pli_error *error)
{
    pli_gltf_skin *skin = &parts->skins[index];
    json_t *json = json_array_get(json_object_get(g->root, "skins"), (size_t)index), *joint;
    json_t *joints = json_object_get(json, "joints"), *inverse = json_object_get(json, "inverseBindMatrices");
    pli_gltf_numbers n = {0};
    size_t count = json_array_size(joints), i;
    if (skin->count > 0)
        return PLI_STATUS_OK;
    if (count == 0)
        return fail(g, "a skin has no joints", error);
    skin->nodes = malloc((count + 1) * sizeof *skin->nodes);
    skin->inverse_bind = malloc((count + 1) * sizeof *skin->inverse_bind);
    skin->now = malloc((count + 1) * sizeof *skin->now);
    if (!skin->nodes || !skin->inverse_bind || !skin->now)
        return pli_io_fail_memory(error);
    pli_status status = inverse ? pli_gltf_find(g, inverse, &n, error) : PLI_STATUS_OK;
    if (status != PLI_STATUS_OK)
        return status;
    if (inverse && (n.width != 16 || n.count < (int64_t)count))
        return fail(g, "the inverseBindMatrices of a skin are not one matrix a joint", error);
    json_array_foreach (joints, i, joint) {
        if (!pli_gltf_item(g, "nodes", joint))
            return pli_fail(error, PLI_STATUS_PARSE, "%s: joint %d of skin %d is no node", g->file->name, (int)i,
                            (int)index);
        skin->nodes[i] = (int32_t)json_integer_value(joint);
        skin->inverse_bind[i] = pli_matrix_identity();
        for (int k = 0; inverse && k < 12; k++) {
            skin->inverse_bind[i].at[k] = pli_gltf_number(&n, (int64_t)i, 4 * (k / 3) + k % 3);
            if (!isfinite(skin->inverse_bind[i].at[k]))
                return pli_fail(error, PLI_STATUS_PARSE,
                                "%s: the inverse bind matrix of joint %d of skin %d is not finite", g->file->name,
                                (int)i, (int)index);
        }
    }
    skin->count = (int32_t)count;
    pose_skin(skin, pose);
    return status;
}

// Checks one set of four joints per vertex.
static pli_status check_set(const pli_gltf *g, const pli_gltf_part *part, int set, int32_t joint_count,
                            pli_error *error)
{
    const pli_gltf_numbers *joints = &part->joints[set], *weights = &part->weights[set];
    if (joints->count != part->positions.count || weights->count != joints->count || joints->width != 4 ||
        weights->width != 4 || (joints->type != 5121 && joints->type != 5123))
        return fail(g, "JOINTS and WEIGHTS are not four small whole numbers and four weights for each vertex", error);
    for (int64_t i = 0; i < joints->count; i++)
        for (int k = 0; k < 4; k++) {
            double weight = pli_gltf_number(weights, i, k), joint = pli_gltf_number(joints, i, k);
            if (!isfinite(weight) || weight < 0.0)
                return pli_fail(error, PLI_STATUS_PARSE,
                                "%s: a weight of vertex %lld in WEIGHTS_%d is %g; it must be 0 or more", g->file->name,
                                (long long)i, set, weight);
            if (weight > 0.0 && joint >= (double)joint_count)
                return pli_fail(error, PLI_STATUS_PARSE,
                                "%s: vertex %lld has joint %.0f in JOINTS_%d; its skin has %d joints", g->file->name,
                                (long long)i, joint, set, (int)joint_count);
        }
    return PLI_STATUS_OK;
}

static pli_status find_joints(pli_gltf_parts *parts, pli_gltf *g, const pli_gltf_pose *pose, json_t *attributes,
                              pli_gltf_part *part, pli_error *error)
{
    pli_status status = open_skin(parts, g, pose, part->skin, error);
    for (int set = 0; status == PLI_STATUS_OK && set < PLI_JOINT_SETS; set++) {
        char joints[20], weights[20];
        snprintf(joints, sizeof joints, "JOINTS_%d", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", set);
        if (!json_object_get(attributes, joints) || !json_object_get(attributes, weights))
            break;
        status = pli_gltf_find(g, json_object_get(attributes, joints), &part->joints[set], error);
        if (status == PLI_STATUS_OK)
            status = pli_gltf_find(g, json_object_get(attributes, weights), &part->weights[set], error);
        if (status == PLI_STATUS_OK)
            status = check_set(g, part, set, parts->skins[part->skin].count, error);
        part->sets = set + 1;
    }
    if (status == PLI_STATUS_OK && part->sets == 0)
        part->skin = -1; // Without joints and weights, no joint moves it.
    return status;
}

static pli_status find_targets(pli_gltf *g, json_t *primitive, pli_gltf_part *part, pli_error *error)
{
    json_t *targets = json_object_get(primitive, "targets"), *target;
    size_t i;
    part->targets = calloc(json_array_size(targets) + 1, sizeof *part->targets);
    part->amounts = calloc(json_array_size(targets) + 1, sizeof *part->amounts);
    if (!part->targets || !part->amounts)
        return pli_io_fail_memory(error);
    if ((double)json_array_size(targets) * (double)part->positions.count > SPARE + PER_BYTE * (double)g->byte_count)
        return fail(g, "its morph targets repeat more vertices than its size allows", error);
    part->target_count = (int32_t)json_array_size(targets);
    json_array_foreach (targets, i, target) {
        json_t *positions = json_object_get(target, "POSITION");
        pli_status status = positions ? pli_gltf_find(g, positions, &part->targets[i], error) : PLI_STATUS_OK;
        if (status != PLI_STATUS_OK)
            return status;
        if (positions && (part->targets[i].count != part->positions.count || part->targets[i].width != 3))
            return pli_fail(error, PLI_STATUS_PARSE, "%s: morph target %d has not one vector for each vertex",
                            g->file->name, (int)i);
    }
    return PLI_STATUS_OK;
}

pli_status pli_gltf_parts_add(pli_gltf_parts *parts, pli_gltf *g, const pli_gltf_pose *pose, json_t *primitive,
                              const pli_gltf_part *given, pli_error *error)
{
    json_t *attributes = json_object_get(primitive, "attributes");
    if (!parts->skins) {
        parts->skin_count = (int32_t)json_array_size(json_object_get(g->root, "skins"));
        parts->skins = calloc((size_t)parts->skin_count + 1, sizeof *parts->skins);
    }
    if (!parts->skins ||
        !pli_soup_reserve((void **)&parts->items, &parts->capacity, (int64_t)parts->count + 1, sizeof *parts->items))
        return pli_io_fail_memory(error);
    pli_gltf_part *part = &parts->items[parts->count++];
    *part = *given;
    pli_status status = pli_gltf_find(g, json_object_get(attributes, "POSITION"), &part->positions, error);
    if (status == PLI_STATUS_OK && part->positions.width != 3)
        return fail(g, "a POSITION is not of type VEC3", error);
    if (status == PLI_STATUS_OK)
        status = find_targets(g, primitive, part, error);
    if (status == PLI_STATUS_OK && part->skin >= 0)
        status = find_joints(parts, g, pose, attributes, part, error);
    return status;
}

void pli_gltf_parts_release(pli_gltf_parts *parts)
{
    for (int32_t i = 0; i < parts->count; i++)
        free(parts->items[i].targets), free(parts->items[i].amounts);
    for (int32_t i = 0; parts->skins && i < parts->skin_count; i++) {
        free(parts->skins[i].nodes);
        free(parts->skins[i].inverse_bind);
        free(parts->skins[i].now);
    }
    free(parts->items);
    free(parts->skins);
    *parts = (pli_gltf_parts){0};
}

void pli_gltf_parts_pose(pli_gltf_parts *parts, const pli_gltf_pose *pose)
{
    for (int32_t s = 0; parts->skins && s < parts->skin_count; s++)
        pose_skin(&parts->skins[s], pose);
}

// The joint matrices blended by their weights, which are normalised to a sum of 1; if all weights are zero, the first joint's matrix.
static pli_matrix blend(const pli_gltf_skin *skin, const pli_gltf_part *part, int64_t vertex)
{
    pli_matrix m = {{0}};
    double sum = 0.0;
    for (int set = 0; set < part->sets; set++)
        for (int k = 0; k < 4; k++) {
            double weight = pli_gltf_number(&part->weights[set], vertex, k);
            if (weight > 0.0) {
                const pli_matrix *joint = &skin->now[(int32_t)pli_gltf_number(&part->joints[set], vertex, k)];
                for (int i = 0; i < 12; i++)
                    m.at[i] += weight * joint->at[i];
                sum += weight;
            }
        }
    for (int i = 0; i < 12 && sum > 0.0; i++)
        m.at[i] /= sum;
    return sum > 0.0 ? m : skin->now[0];
}

void pli_gltf_part_place(const pli_gltf_parts *parts, pli_gltf_part *part, const pli_gltf_pose *pose, float *positions)
{
    const pli_matrix whole = part->skin < 0 && part->node >= 0 ? pose->worlds[part->node] : pli_matrix_identity();
    for (int32_t t = 0; t < part->target_count; t++)
        part->amounts[t] = part->targets[t].at ? pli_gltf_pose_weight(pose, part->node, part->mesh, t) : 0.0;
    for (int64_t i = 0; i < part->positions.count; i++) {
        double v[3];
        for (int k = 0; k < 3; k++)
            v[k] = pli_gltf_number(&part->positions, i, k);
        for (int32_t t = 0; t < part->target_count; t++)
            for (int k = 0; part->amounts[t] != 0.0 && k < 3; k++)
                v[k] += part->amounts[t] * pli_gltf_number(&part->targets[t], i, k);
        const pli_matrix m = part->skin >= 0 ? blend(&parts->skins[part->skin], part, i) : whole;
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] = (float)(m.at[k] * v[0] + m.at[3 + k] * v[1] + m.at[6 + k] * v[2] + m.at[9 + k]);
    }
}
