// Volumes in the equations of a membrane: stretch/membrane_volume.h.
#include "stretch/membrane_volume.h"

#include "constraints/types/volume.h"
#include "sweep/constraint_slots.h"

#include <math.h>

// The stiffness of a rigid volume, over the inertial stiffness of its particles in a substep. With a higher value, the last step of
// Jacobi's method, whose diagonal blocks do not include it, would amplify the rounding errors of floats.
#define STIFFEST 100.0

/* ---- lists ---------------------------------------------------------------------------------------- */

bool pli_membrane_list_volumes(pli_memory *memory, const pli_deformable_data *deformable, pli_membrane *m)
{
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        m->volume.count += pli_constraints_is_volume(set) ? set->count : 0;
    m->volume.items = PLI_ALLOCATE(memory, pli_membrane_volume, m->volume.count + 1);
    int32_t at = 0, members = 0;
    for (const pli_constraints_data *set = deformable->first_set; m->volume.items && set; set = set->next)
        for (int32_t i = 0; pli_constraints_is_volume(set) && i < set->count; i++) {
            const int32_t slot = pli_constraints_slot(set, i);
            m->volume.items[at++] = (pli_membrane_volume){.set = set, .slot = slot, .first = members};
            members += set->variable.member_spans[slot].end - set->variable.member_spans[slot].begin;
        }
    const int32_t count = m->volume.count > 0 ? m->count : 0;
    m->volume.gradients = PLI_ALLOCATE(memory, pli_vec3, members + 1);
    m->volume.response = PLI_ALLOCATE(memory, pli_particle, count + 1);
    m->volume.saved = PLI_ALLOCATE(memory, pli_particle, 2 * ((int64_t)count + 1));
    m->volume.index = PLI_ALLOCATE(memory, int32_t, count + 1);
    return m->volume.items && m->volume.gradients && m->volume.response && m->volume.saved && m->volume.index;
}

void pli_membrane_free_volumes(pli_memory *memory, pli_membrane *m)
{
    pli_release(memory, m->volume.items), pli_release(memory, m->volume.gradients),
        pli_release(memory, m->volume.response);
    pli_release(memory, m->volume.saved), pli_release(memory, m->volume.index);
}

static int32_t count_members(const pli_membrane_volume *v)
{
    return v->set->variable.member_spans[v->slot].end - v->set->variable.member_spans[v->slot].begin;
}

static const int32_t *volume_vertices(const pli_membrane_volume *v)
{
    return v->set->variable.members + v->set->variable.member_spans[v->slot].begin;
}

/* ---- pressures ------------------------------------------------------------------------------------ */

// The size of a volume and of its surface.
typedef struct volume_measures {
    double volume, area, weight; // `weight` is sum w g^2.
} volume_measures;

static pli_dvec3 volume_centre(const pli_membrane_volume *v, const pli_particle *positions)
{
    const int32_t *members = volume_vertices(v), count = count_members(v);
    pli_dvec3 sum = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; i++)
        sum = pli_dadd(sum, pli_particle_widened(positions[members[i]]));
    return pli_dscale(sum, 1.0 / count);
}

// Computes the gradient at each member, and the measures. The doubled normal of a triangle is six times its contribution to the gradient at
// each corner of a closed surface.
static volume_measures measure_volume(pli_membrane *m, const pli_membrane_volume *v, const pli_particle *positions,
                                      float step)
{
    const int32_t *members = volume_vertices(v), count = count_members(v);
    const pli_span span = v->set->variable.triangle_spans[v->slot];
    const pli_dvec3 middle = volume_centre(v, positions);
    pli_vec3 *gradients = m->volume.gradients + v->first;
    volume_measures found = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; i++)
        gradients[i] = (pli_vec3){0.0f, 0.0f, 0.0f}, m->volume.index[members[i]] = i;
    for (int32_t t = span.begin; t < span.end; t++) {
        const int32_t *corners = v->set->variable.triangles + 3 * (int64_t)t;
        const pli_dvec3 a = pli_particle_widened(positions[corners[0]]);
        const pli_dvec3 n = pli_dcross(pli_dsub(pli_particle_widened(positions[corners[1]]), a),
                                       pli_dsub(pli_particle_widened(positions[corners[2]]), a));
        const pli_vec3 sixth = {(float)(n.x / 6.0), (float)(n.y / 6.0), (float)(n.z / 6.0)};
        found.volume += pli_ddot(n, pli_dsub(a, middle)) / 6.0, found.area += 0.5 * sqrt(pli_ddot(n, n));
        for (int32_t k = 0; k < 3; k++)
            gradients[m->volume.index[corners[k]]] = pli_add(gradients[m->volume.index[corners[k]]], sixth);
    }
    for (int32_t i = 0; i < count; i++) {
        const float inertia = m->predicted[members[i]].w;
        if (inertia > 0.0f)
            found.weight += (double)(pli_dot(gradients[i], gradients[i]) / (inertia * step * step));
        else
            gradients[i] = (pli_vec3){0.0f, 0.0f, 0.0f};
    }
    return found;
}

// The pressure that balances all other forces. It excludes particles that shapes support, since their supports respond with an equal force.
static double balancing(const pli_membrane *m, const pli_membrane_volume *v)
{
    const int32_t *members = volume_vertices(v), count = count_members(v);
    const pli_vec3 *gradients = m->volume.gradients + v->first;
    double work = 0.0, square = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const pli_particle force = m->hierarchy.levels[0].right[members[i]];
        if (m->support.of[members[i]] >= 0)
            continue;
        work += (double)pli_dot(gradients[i], (pli_vec3){force.x, force.y, force.z});
        square += (double)pli_dot(gradients[i], gradients[i]);
    }
    return square > 0.0 ? -work / square : 0.0;
}

// A constant volume, which a substep may change by the fraction `change_limit` at most. A volume that is stiffer than the equations allow
// uses the balancing pressure as its multiplier, so that it has no error at rest.
static void find_spring(const pli_membrane *m, pli_membrane_volume *v, const volume_measures *found, float step)
{
    const float *scales = pli_constraints_painted_scales(v->set);
    const double rest = (double)v->set->variable.rest[v->set->variable.rest_spans[v->slot].begin];
    const double compliance = v->set->parameters[PLI_PARAMETER_COMPLIANCE] * (scales ? (double)scales[v->slot] : 1.0);
    const double least = (double)(step * step) * found->weight / STIFFEST;
    v->stiffness = 1.0 / (compliance > least ? compliance : least);
    v->pressure = balancing(m, v);
    v->wanted = (compliance > least ? 0.0 : v->pressure) -
                v->stiffness * pli_volume_excess(v->set->own, found->volume, rest);
}

// The change of a volume, to first order.
static double change_of(const pli_membrane *m, const pli_membrane_volume *v, const pli_particle *to,
                        const pli_particle *from)
{
    const int32_t *members = volume_vertices(v), count = count_members(v);
    const pli_vec3 *gradients = m->volume.gradients + v->first;
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const pli_particle x = to[members[i]], y = from ? from[members[i]] : (pli_particle){0.0f, 0.0f, 0.0f, 0.0f};
        sum += (double)pli_dot(gradients[i], (pli_vec3){x.x - y.x, x.y - y.y, x.z - y.z});
    }
    return sum;
}

// Adds the scaled gradient to a vector.
static void add_gradient(const pli_membrane *m, const pli_membrane_volume *v, double scale, pli_particle *vector)
{
    const int32_t *members = volume_vertices(v), count = count_members(v);
    const pli_vec3 *gradients = m->volume.gradients + v->first;
    for (int32_t i = 0; i < count; i++) {
        pli_particle *to = &vector[members[i]];
        to->x += (float)scale * gradients[i].x, to->y += (float)scale * gradients[i].y;
        to->z += (float)scale * gradients[i].z;
    }
}

// Writes the multiplier, h^2 times the pressure.
static void note_pressure(const pli_membrane_volume *v, double pressure, float step)
{
    if (v->set->lambda[0])
        v->set->lambda[0][v->slot] = (float)(pressure * (double)(step * step));
}

void pli_membrane_add_pressures(pli_membrane *m, const pli_particle *positions, const pli_particle *bases, float step)
{
    for (int32_t k = 0; k < m->volume.count; k++) {
        pli_membrane_volume *v = &m->volume.items[k];
        const volume_measures found = measure_volume(m, v, positions, step);
        if (v->set->own[PLI_VOLUME_AMOUNT] > 0.0f) {
            const pli_gas gas = pli_volume_gas(v->set->own, found.volume, found.area);
            v->pressure = v->wanted = gas.pressure;
            v->stiffness = gas.falls;
        } else if (v->set->own[PLI_VOLUME_GAUGE_PRESSURE] != 0.0f)
            v->pressure = v->wanted = (double)v->set->own[PLI_VOLUME_GAUGE_PRESSURE], v->stiffness = 0.0;
        else
            find_spring(m, v, &found, step);
        const double damping = v->set->parameters[PLI_PARAMETER_DAMPING] / (double)step;
        if (damping > 0.0) {
            v->wanted -= v->stiffness * damping * change_of(m, v, positions, bases);
            v->stiffness *= 1.0 + damping;
        }
        note_pressure(v, v->pressure, step);
        add_gradient(m, v, v->pressure, m->hierarchy.levels[0].right);
    }
}

/* ---- the solution --------------------------------------------------------------------------------- */

void pli_membrane_write_gradients(const pli_membrane *m, pli_particle *vector)
{
    for (int32_t i = 0; i < m->count; i++)
        vector[i] = (pli_particle){0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t k = 0; k < m->volume.count; k++)
        add_gradient(m, &m->volume.items[k], 1.0, vector);
}

void pli_membrane_correct_volumes(pli_membrane *m, const pli_particle *follow)
{
    pli_particle *solution = m->hierarchy.levels[0].solution;
    for (int32_t k = 0; k < m->volume.count; k++) {
        const pli_membrane_volume *v = &m->volume.items[k];
        const int32_t *members = volume_vertices(v), count = count_members(v);
        const double yields = change_of(m, v, follow, NULL), moved = change_of(m, v, solution, NULL);
        const double lacks = v->wanted - v->pressure;
        const double more = yields > 0.0 ? (lacks - v->stiffness * moved) / (1.0 + v->stiffness * yields) : 0.0;
        for (int32_t i = 0; i < count; i++)
            solution[members[i]] = pli_particle_add_scaled(solution[members[i]], follow[members[i]], (float)more);
        add_gradient(m, v, lacks, m->hierarchy.levels[0].right);
        note_pressure(v, v->pressure + more, m->step);
    }
}

void pli_membrane_multiply_volumes(pli_membrane *m)
{
    for (int32_t k = 0; k < m->volume.count; k++) {
        pli_membrane_volume *v = &m->volume.items[k];
        v->moved = change_of(m, v, m->hierarchy.levels[0].solution, NULL);
        add_gradient(m, v, -v->stiffness * v->moved, m->hierarchy.levels[0].left);
    }
}

double pli_membrane_volume_work(const pli_membrane *m)
{
    double work = 0.0;
    for (int32_t k = 0; k < m->volume.count; k++) {
        const pli_membrane_volume *v = &m->volume.items[k];
        const double last = change_of(m, v, m->hierarchy.levels[0].solution, NULL) - v->moved;
        work += v->stiffness * last * last;
    }
    return work;
}
