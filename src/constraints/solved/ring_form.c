// Solved rings, of constraints/types/ring_laplacian.c. The rest vector, which need not be along the normal of an uneven ring, rotates with
// a frame of the ring: its normal, and the component across it of the side to its first vertex.
#include "constraints/solved/solved_form.h"

static pli_dvec3 ring_side(const pli_stencil *s, int32_t k)
{
    return pli_dsub(pli_dmake(s->positions[k]), pli_dmake(s->positions[0]));
}

static bool ring_form_make(const pli_stencil *s, double *weights, double *measure, float *shape)
{
    pli_dvec3 normal = {0}, sum = {0}, first = ring_side(s, 1);
    *measure = 1.0;
    weights[0] = 0.0;
    for (int32_t k = 1; k < s->count; k++) {
        weights[0] -= weights[k] = (double)s->rest[1 + k];
        sum = pli_dadd(sum, pli_dscale(ring_side(s, k), weights[k]));
        normal = pli_dadd(normal, pli_dcross(ring_side(s, k), ring_side(s, k + 1 < s->count ? k + 1 : 1)));
    }
    if (s->rest[0] == 0.0f)
        return true;
    const double reach = pli_dlength(normal);
    const pli_dvec3 up = pli_dscale(normal, 1.0 / reach);
    first = pli_dsub(first, pli_dscale(up, pli_ddot(first, up)));
    const double length = pli_dlength(first);
    if (!(reach > 0.0 && length > 0.0))
        return false;
    const pli_dvec3 along = pli_dscale(first, 1.0 / length);
    shape[0] = (float)pli_ddot(sum, up), shape[1] = (float)pli_ddot(sum, along);
    shape[2] = (float)pli_ddot(sum, pli_dcross(up, along));
    return true;
}

static pli_vec3 ring_unit(pli_vec3 a)
{
    const float length = pli_length(a);
    return pli_scale(a, length > 0.0f ? 1.0f / length : 0.0f);
}

static pli_vec3 ring_excess(const pli_bent *b)
{
    const pli_vec3 centre = pli_bent_at(b, 0), first = pli_sub(pli_bent_at(b, 1), centre);
    pli_vec3 normal = {0.0f, 0.0f, 0.0f}, before = pli_sub(pli_bent_at(b, b->count - 1), centre);
    for (int32_t k = 1; k < b->count; k++) {
        const pli_vec3 side = pli_sub(pli_bent_at(b, k), centre);
        normal = pli_add(normal, pli_cross(before, side));
        before = side;
    }
    const pli_vec3 up = ring_unit(normal), along = ring_unit(pli_sub(first, pli_scale(up, pli_dot(first, up))));
    const pli_vec3 in_plane = pli_add(pli_scale(along, b->shape[1]), pli_scale(pli_cross(up, along), b->shape[2]));
    return pli_sub(b->sum, pli_add(pli_scale(up, b->shape[0]), in_plane));
}

static bool ring_form_applies(const float *parameters)
{
    (void)parameters;
    return true;
}

const pli_solved_form pli_form_ring = {"ring_laplacian", ring_form_make, ring_excess, ring_form_applies};
