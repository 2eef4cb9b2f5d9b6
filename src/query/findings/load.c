// A sweep converges where the tension T of an edge moves its particle, of mass m, by h^2 T / m in a substep. An edge of length l that
// carries a load M together with n - 1 others is therefore stretched by h^2 M g / (n m l), whatever its compliance: see query/findings/load.h.
#include "query/findings/load.h"

#include "sweep/sweep.h"

// Particles with at least HEAVY times the usual mass are loads.
#define HEAVY 4.0

// Whether any particle is fixed, or attached to an immovable body.
static bool is_load_held(const pli_deformable_data *deformable)
{
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        if (a->rigid && a->count > 0 && !(a->rigid->def.inverse_mass > 0.0f))
            return true;
    for (int32_t i = 0; i < deformable->count; i++)
        if (deformable->particles[i].w == 0.0f)
            return true;
    return false;
}

// The harmonic mean of the masses of free particles, which is insensitive to heavy ones [kg]; 0 if there are none.
static double usual_mass(const pli_deformable_data *deformable)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < deformable->count; i++) {
        sum += (double)deformable->particles[i].w;
        count += deformable->particles[i].w > 0.0f;
    }
    return sum > 0.0 ? count / sum : 0.0;
}

static void take_heavier(pli_load *heaviest, pli_load load)
{
    if (load.mass * heaviest->count > heaviest->mass * load.count)
        *heaviest = load;
}

// The body of an attachment, counted once for all attachments of the deformable to it.
static void take_rigid(const pli_deformable_data *deformable, const pli_attachment_data *attachment, pli_load *heaviest)
{
    const pli_rigid_body_data *rigid = attachment->rigid;
    if (!rigid || attachment->count == 0 || !(rigid->def.inverse_mass > 0.0f))
        return;
    pli_load load = {.rigid = rigid, .vertex = pli_vertex(deformable, attachment->particles[0])};
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        load.count += a->rigid == rigid ? a->count : 0;
    load.mass = 1.0 / (double)rigid->def.inverse_mass;
    take_heavier(heaviest, load);
}

pli_load pli_deformable_heaviest_load(const pli_world *world, const pli_deformable_data *deformable, double step)
{
    pli_load heaviest = {.vertex = -1, .count = 1};
    const double usual = usual_mass(deformable), length = (double)deformable->rest.mean_edge;
    if (!(usual > 0.0 && length > 0.0) || !is_load_held(deformable))
        return heaviest;
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        take_rigid(deformable, a, &heaviest);
    for (int32_t i = 0; i < deformable->count; i++) {
        const double w = (double)deformable->particles[i].w;
        if (w > 0.0 && HEAVY * usual * w < 1.0)
            take_heavier(&heaviest, (pli_load){NULL, pli_vertex(deformable, i), 1, 1.0 / w, 0.0});
    }
    const double weight = heaviest.mass * (double)pli_length(world->settings.gravity) / heaviest.count;
    heaviest.strain = step * step * weight / (usual * length * pli_effective_sweeps(&world->settings));
    return heaviest;
}
