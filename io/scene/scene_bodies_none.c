// Rigid bodies of a scene in builds without ODE: they are refused.
#include "scene/scene_bodies.h"

#include <stdio.h>

pli_status scene_make_bodies(const pli_scene *scene, pli_world *world, pli_ode **ode, char path[SCENE_BODY_PATH],
                             pli_error *error)
{
    (void)world;
    *ode = NULL;
    if (scene->body_shape_count == 0)
        return pli_succeed(error);
    snprintf(path, SCENE_BODY_PATH, "bodies");
    return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                    "this build of Pliant has no rigid bodies; build it where the Open "
                    "Dynamics Engine is installed (Debian: libode-dev), with PLIANT_ODE on");
}

pli_status scene_add_obstacle(pli_ode *ode, pli_collider collider, pli_error *error)
{
    (void)ode;
    (void)collider;
    return pli_fail(error, PLI_STATUS_UNSUPPORTED, "this build of Pliant has no rigid bodies");
}
