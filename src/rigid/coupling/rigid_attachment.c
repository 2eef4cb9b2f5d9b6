// Attachments to rigid bodies: particle and body both move, in proportion to their inverse masses.
//
//   Mueller et al. 2020, Detailed Rigid Body Simulation with Extended Position Based Dynamics, 3.3.1.
#include "rigid/coupling/rigid_attachment.h"

#include "constraints/stiffness.h"
#include "rigid/coupling/rigid_proxy.h"

typedef struct attachment_sweep {
    double compliance; // alpha / h^2 [1/kg]; 0 under PBD.
    float share;       // Fraction of the distance that one sweep removes under PBD; 1 under XPBD.
} attachment_sweep;

void pli_world_project_attachments(pli_world *world, float step, bool first)
{
    bool classic = world->settings.method == PLI_METHOD_PBD;
    for (int32_t k = 0; k < world->attachments.count; k++) {
        pli_attachment_data *attachment = pli_attachment_at(world, k);
        if (!attachment->rigid || attachment->deformable->idle)
            continue;
        attachment_sweep s = {classic ? 0.0 : attachment->compliance / ((double)step * (double)step), 1.0f};
        if (classic)
            s.share = (float)pli_stiffness_per_iteration(attachment->stiffness, world->settings.iterations);
        for (int32_t i = 0; i < attachment->count; i++) {
            if (first && !attachment->warm_started)
                attachment->multipliers[i] = (pli_vec3){0, 0, 0};
            pli_transform frame = pli_rigid_frame(attachment->rigid, &attachment->rigid->now.pose);
            pli_particle *p = &attachment->deformable->particles[attachment->particles[i]];
            pli_vec3 target = pli_transform_point(frame, attachment->locals[i]),
                     *multiplier = &attachment->multipliers[i];
            pli_vec3 away = pli_sub(target, (pli_vec3){p->x, p->y, p->z});
            pli_vec3 left = pli_sub(away, pli_scale(*multiplier, (float)s.compliance));
            float length = pli_length(left);
            if (!(length > 0.0f))
                continue;
            pli_vec3 direction = pli_scale(left, 1.0f / length);
            float denominator = p->w + pli_rigid_inverse_mass(attachment->rigid, target, direction) +
                                (float)s.compliance;
            if (!(denominator > 0.0f))
                continue;
            pli_vec3 push = pli_scale(direction, s.share * length / denominator);
            *multiplier = pli_add(*multiplier, push);
            p->x += p->w * push.x, p->y += p->w * push.y, p->z += p->w * push.z;
            pli_rigid_push(attachment->rigid, target, pli_scale(push, -1.0f));
        }
    }
}
