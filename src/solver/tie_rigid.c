// Attachments to rigid bodies: both sides move, by their inverse masses.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, 3.3.1.
#include "solver/attachment.h"
#include "solver/proxy.h"
#include "solver/share.h"

typedef struct sweep {
    double compliance; // Over the square of the substep [1/kg].
    float share;       // Of the distance that a sweep takes away, under PBD; 1 under XPBD.
} sweep;

static void project_one(pli_tie *tie, int32_t i, const pli_transform *frame, const sweep *s)
{
    pli_particle *p = &tie->body->particles[tie->particles[i]];
    pli_vec3 target = pli_transform_point(*frame, tie->locals[i]), *multiplier = &tie->multipliers[i];
    pli_vec3 away = pli_sub(target, (pli_vec3){p->x, p->y, p->z});
    pli_vec3 left = pli_sub(away, pli_scale(*multiplier, (float)s->compliance));
    float length = pli_length(left);
    if (!(length > 0.0f))
        return;
    pli_vec3 direction = pli_scale(left, 1.0f / length);
    float yields = p->w + pli_rigid_inverse_mass(tie->rigid, target, direction) + (float)s->compliance;
    if (!(yields > 0.0f))
        return;
    pli_vec3 push = pli_scale(direction, s->share * length / yields);
    *multiplier = pli_add(*multiplier, push);
    p->x += p->w * push.x, p->y += p->w * push.y, p->z += p->w * push.z;
    pli_rigid_push(tie->rigid, target, pli_scale(push, -1.0f));
}

void pli_world_project_ties(pli_world *world, float step, bool first)
{
    bool classic = world->settings.method == PLI_METHOD_PBD;
    for (int32_t k = 0; k < world->ties.count; k++) {
        pli_tie *tie = pli_tie_at(world, k);
        if (!tie->rigid)
            continue;
        sweep s = {classic ? 0.0 : tie->compliance / ((double)step * (double)step), 1.0f};
        if (classic)
            s.share = (float)pli_share(tie->stiffness, world->settings.iterations);
        for (int32_t i = 0; i < tie->count; i++) {
            if (first)
                tie->multipliers[i] = (pli_vec3){0, 0, 0};
            pli_transform frame = pli_rigid_frame(tie->rigid, &tie->rigid->now.pose);
            project_one(tie, i, &frame, &s);
        }
    }
}
