// The orientation of frames does not change.
#include "hands/mover.h"

#include <pliant/math.h>

static const float fastest = 5.0f;

bool pli_view_mover_place(const pli_view_mover *m, const pli_world *world, pli_transform *pose)
{
    pli_attachment_def held;
    if (m->collider.id != 0)
        return pli_collider_pose(world, m->collider, pose, NULL) == PLI_STATUS_OK;
    if (m->attachment.id == 0 || pli_attachment_get_def(world, m->attachment, &held, NULL) != PLI_STATUS_OK)
        return false;
    *pose = held.pose;
    return true;
}

pli_status pli_view_mover_apply(pli_view_mover *m, pli_world *world, float dt, pli_error *error)
{
    pli_transform pose;
    if (!m->holds)
        return PLI_STATUS_OK;
    if (!pli_view_mover_place(m, world, &pose)) {
        *m = (pli_view_mover){0};
        return PLI_STATUS_OK;
    }
    pli_vec3 way = pli_sub(m->target, pose.position);
    float length = sqrtf(pli_dot(way, way)), most = fastest * dt;
    pose.position = length > most ? pli_add(pose.position, pli_scale(way, most / length)) : m->target;
    return m->collider.id != 0 ? pli_collider_set_pose(world, m->collider, pose, error)
                               : pli_attachment_set_pose(world, m->attachment, pose, error);
}
