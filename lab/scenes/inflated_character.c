// The inflated character: edges that stretch a little, soft bends, and a volume.
#include "scenes/inflated_character.h"

lab_body_def lab_inflated_character(lab *l, float size, double pressure)
{
    lab_body_def def = {.mesh = lab_mesh_file(l, "meshes/spot.obj", size),
                        .settings = lab_settings(PLI_METHOD_XPBD, 12, 1),
                        .density = 0.5f,
                        .thickness = 0.004f,
                        .friction = 0.3f,
                        .self_collision = true};
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.settings.damping = 1.8f;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 2e-4}}};
    def.sets[1] = (lab_set){.type = "dihedral", .values = {{"compliance", 0.5}}};
    def.sets[2] = (lab_set){.type = "volume", .values = {{"pressure", pressure}, {"compliance", 1e-4}}};
    return def;
}
