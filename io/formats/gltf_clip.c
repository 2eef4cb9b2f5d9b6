// Samples clips according to glTF 2.0 (appendix C): steps, linear interpolation, the shorter arc of rotations, and cubic Hermite
// splines. The arc is found by bisection, which needs only square roots and is bit-identical on all machines.
#include "formats/gltf_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 20, MOST = 4096 };

static pli_status fail(const pli_gltf *g, int32_t channel, const char *what, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_PARSE, "%s: channel %d of its animation %s", g->file->name, (int)channel, what);
}

// Whether the channel has one of the four supported paths of a node.
static bool read_target(pli_gltf_channel *c, const pli_gltf *g, json_t *channel)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    json_t *target = json_object_get(channel, "target"), *node = json_object_get(target, "node");
    const char *path = json_string_value(json_object_get(target, "path"));
    if (!path || !pli_gltf_item(g, "nodes", node))
        return false;
    c->node = (int32_t)json_integer_value(node);
    for (int i = 0; i < 4; i++)
        if (strcmp(path, paths[i]) == 0) {
            c->path = (pli_gltf_target)i;
            return true;
        }
    return false;
}

static int32_t width_of(const pli_gltf_channel *c, const pli_gltf *g, json_t *node)
{
    json_t *mesh = pli_gltf_item(g, "meshes", json_object_get(node, "mesh"));
    json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
    return c->path == PLI_GLTF_WEIGHTS    ? (int32_t)json_array_size(json_object_get(primitive, "targets"))
           : c->path == PLI_GLTF_ROTATION ? 4
                                          : 3;
}

static pli_status check_numbers(const pli_gltf_channel *c, const pli_gltf *g, int32_t index, pli_error *error)
{
    double before = -1.0;
    for (int64_t i = 0; i < c->times.count; i++) {
        double time = pli_gltf_number(&c->times, i, 0);
        if (!(time > before) || !(time <= 1e6))
            return fail(g, index, "has times that do not ascend, or above 1e6 s", error);
        before = time;
    }
    for (int64_t i = 0; i < c->values.count; i++)
        for (int32_t k = 0; k < c->values.width; k++)
            if (!isfinite(pli_gltf_number(&c->values, i, k)))
                return fail(g, index, "has a value that is not finite", error);
    return PLI_STATUS_OK;
}

static pli_status read_channel(pli_gltf_channel *c, pli_gltf *g, json_t *animation, json_t *channel, int32_t index,
                               const pli_gltf_pose *pose, pli_error *error)
{
    json_t *number = json_object_get(channel, "sampler"), *samplers = json_object_get(animation, "samplers");
    json_t *sampler = json_is_integer(number) && json_integer_value(number) >= 0
                          ? json_array_get(samplers, (size_t)json_integer_value(number))
                          : NULL;
    const char *curve = json_string_value(json_object_get(sampler, "interpolation"));
    c->curve = !curve || strcmp(curve, "LINEAR") == 0 ? PLI_GLTF_LINEAR
               : strcmp(curve, "STEP") == 0           ? PLI_GLTF_STEP
                                                      : PLI_GLTF_CUBIC;
    c->width = width_of(c, g, pose->nodes[c->node]);
    if (!sampler || (c->curve == PLI_GLTF_CUBIC && strcmp(curve, "CUBICSPLINE") != 0))
        return fail(g, index, "has no sampler, or one of an interpolation other than LINEAR, STEP and CUBICSPLINE",
                    error);
    if (c->path != PLI_GLTF_WEIGHTS && json_object_get(pose->nodes[c->node], "matrix"))
        return fail(g, index, "moves a node that has a matrix; it must have translation, rotation and scale", error);
    pli_status status = pli_gltf_find(g, json_object_get(sampler, "input"), &c->times, error);
    if (status == PLI_STATUS_OK)
        status = pli_gltf_find(g, json_object_get(sampler, "output"), &c->values, error);
    if (status != PLI_STATUS_OK)
        return status;
    const int64_t each = (c->curve == PLI_GLTF_CUBIC ? 3 : 1) * (c->path == PLI_GLTF_WEIGHTS ? (int64_t)c->width : 1);
    if (c->width == 0 || c->width > MOST || c->times.count < 1 || c->times.width != 1 || c->times.type != 5126 ||
        c->values.count != each * c->times.count || c->values.width != (c->path == PLI_GLTF_WEIGHTS ? 1 : c->width))
        return fail(g, index, "has not one time and one value of its kind for each key", error);
    if (c->path == PLI_GLTF_WEIGHTS && !(c->weights = calloc((size_t)c->width, sizeof *c->weights)))
        return pli_io_fail_memory(error);
    return check_numbers(c, g, index, error);
}

pli_status pli_gltf_clip_open(pli_gltf_clip *clip, pli_gltf *g, size_t animation, const pli_gltf_pose *pose,
                              pli_error *error)
{
    json_t *json = json_array_get(json_object_get(g->root, "animations"), animation), *channel;
    json_t *channels = json_object_get(json, "channels");
    size_t i;
    *clip = (pli_gltf_clip){.channels = calloc(json_array_size(channels) + 1, sizeof *clip->channels)};
    if (!clip->channels)
        return pli_io_fail_memory(error);
    json_array_foreach (channels, i, channel) {
        pli_gltf_channel *c = &clip->channels[clip->count];
        if (!read_target(c, g, channel)) {
            clip->dropped++;
            continue;
        }
        clip->count++;
        pli_status status = read_channel(c, g, json, channel, (int32_t)i, pose, error);
        if (status != PLI_STATUS_OK)
            return status;
        clip->length = fmax(clip->length, pli_gltf_number(&c->times, c->times.count - 1, 0));
    }
    return pli_succeed(error);
}

void pli_gltf_clip_close(pli_gltf_clip *clip)
{
    for (int32_t i = 0; clip->channels && i < clip->count; i++)
        free(clip->channels[i].weights);
    free(clip->channels);
    *clip = (pli_gltf_clip){0};
}

/* ---- at a time ------------------------------------------------------------------------------------ */

// Component k of the value of a key; for a spline, part 0 is the in-tangent, 1 the value, 2 the out-tangent.
static double value_of(const pli_gltf_channel *c, int64_t key, int part, int32_t k)
{
    int64_t element = c->curve == PLI_GLTF_CUBIC ? 3 * key + part : key;
    return c->path == PLI_GLTF_WEIGHTS ? pli_gltf_number(&c->values, element * c->width + k, 0)
                                       : pli_gltf_number(&c->values, element, k);
}

static void normalise(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4 && length > 0.0; k++)
        q[k] /= length;
}

// Moves `a` by the fraction `part` along the shorter arc to b.
static void turn(double a[4], double b[4], double part)
{
    double low = 0.0, high = 1.0;
    normalise(a);
    normalise(b);
    const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 4; k++)
        b[k] *= sign;
    for (int i = 0; i < HALVINGS; i++) {
        double middle[4], half = 0.5 * (low + high);
        for (int k = 0; k < 4; k++)
            middle[k] = a[k] + b[k];
        normalise(middle);
        memcpy(part < half ? b : a, middle, sizeof middle);
        *(part < half ? &high : &low) = half;
    }
    for (int k = 0; k < 4; k++)
        a[k] += (b[k] - a[k]) * (part - low) / (high - low);
    normalise(a);
}

// The key at or before a time, or the first one.
static int64_t key_at(const pli_gltf_channel *c, double time)
{
    int64_t low = 0, high = c->times.count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(pli_gltf_number(&c->times, middle, 0) <= time ? &low : &high) = middle;
    }
    return low;
}

static double spline(const pli_gltf_channel *c, int64_t key, double span, double s, int32_t k)
{
    const double ss = s * s, sss = ss * s;
    return (2.0 * sss - 3.0 * ss + 1.0) * value_of(c, key, 1, k) +
           span * (sss - 2.0 * ss + s) * value_of(c, key, 2, k) + (3.0 * ss - 2.0 * sss) * value_of(c, key + 1, 1, k) +
           span * (sss - ss) * value_of(c, key + 1, 0, k);
}

static void sample(const pli_gltf_channel *c, double time, double *value)
{
    const int64_t key = key_at(c, time);
    const double start = pli_gltf_number(&c->times, key, 0);
    const bool between = key + 1 < c->times.count && time > start && c->curve != PLI_GLTF_STEP;
    const double span = between ? pli_gltf_number(&c->times, key + 1, 0) - start : 1.0;
    const double part = between ? (time - start) / span : 0.0;
    for (int32_t k = 0; k < c->width; k++) {
        value[k] = value_of(c, key, 1, k);
        if (between && c->curve == PLI_GLTF_CUBIC)
            value[k] = spline(c, key, span, part, k);
        else if (between && c->path != PLI_GLTF_ROTATION)
            value[k] += part * (value_of(c, key + 1, 1, k) - value[k]);
    }
    if (between && c->path == PLI_GLTF_ROTATION && c->curve == PLI_GLTF_LINEAR) {
        double next[4];
        for (int32_t k = 0; k < 4; k++)
            next[k] = value_of(c, key + 1, 1, k);
        turn(value, next, part);
    } else if (c->path == PLI_GLTF_ROTATION) {
        normalise(value);
    }
}

void pli_gltf_clip_play(pli_gltf_clip *clip, double time, pli_gltf_pose *pose)
{
    for (int32_t i = 0; i < clip->count; i++) {
        pli_gltf_channel *c = &clip->channels[i];
        pli_gltf_move *move = &pose->moves[c->node];
        double *const places[] = {move->translation, move->rotation, move->scale, c->weights};
        sample(c, time, places[c->path]);
        if (c->path == PLI_GLTF_WEIGHTS) {
            pose->weights[c->node] = c->weights;
            pose->weight_counts[c->node] = c->width;
        }
    }
}
