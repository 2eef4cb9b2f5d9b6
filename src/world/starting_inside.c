// Cloth that starts inside of a collider is pushed out, which crumples and stretches it and takes long. It is nearly always an error in
// the scene, so a warning reports it, with names and the remedy. Particles count that are deeper than the thickness.
#include "world/starting_inside.h"

#include "base/layers.h"
#include "shapes/shape.h"

#include <stdio.h>

// Overlap of a deformable with a collider.
typedef struct inside_report {
    int32_t count;
    float depth; // Depth of the deepest particle [m]; 0 if it is unknown.
} inside_report;

// Positions of up to PLI_BATCH particles in the frame of the shape; all x, then all y, then all z.
static void to_frame(const pli_moving_shape *shape, const pli_particle *particles, int32_t count,
                     float points[3 * PLI_BATCH])
{
    pli_quat turn = shape->from.rotation, back = {-turn.x, -turn.y, -turn.z, turn.w};
    for (int32_t i = 0; i < PLI_BATCH; i++) {
        pli_vec3 at = pli_rotate(back, pli_sub(pli_position_of(&particles[i < count ? i : 0]), shape->from.position));
        points[i] = at.x, points[PLI_BATCH + i] = at.y, points[2 * PLI_BATCH + i] = at.z;
    }
}

static inside_report inside_of_shape(const pli_world *world, const pli_deformable_data *deformable, int32_t collider)
{
    const pli_moving_shape *shape = &world->during.analytic.shapes[collider];
    const pli_shape_row *row = world->kernels->shape_at(shape->def->shape);
    float points[3 * PLI_BATCH], distances[PLI_BATCH], gradients[3 * PLI_BATCH];
    inside_report found = {0};
    for (int32_t first = 0; first < deformable->count; first += PLI_BATCH) {
        int32_t count = deformable->count - first < PLI_BATCH ? deformable->count - first : PLI_BATCH;
        to_frame(shape, deformable->previous + first, count, points);
        row->distances(shape->def, points, PLI_BATCH, distances, gradients);
        for (int32_t i = 0; i < count; i++) {
            bool deep = deformable->previous[first + i].w > 0.0f &&
                        distances[i] < -pli_deformable_thickness(deformable, first + i);
            found.count += deep;
            found.depth = deep && -distances[i] > found.depth ? -distances[i] : found.depth;
        }
    }
    return found;
}

static inside_report inside_of_surface(const pli_world *world, const pli_deformable_data *deformable, int32_t collider)
{
    const pli_collision *collision = &world->collision;
    inside_report found = {0};
    for (int32_t i = 0; i < deformable->count && collision->untangle.inside_count > 0; i++) {
        int32_t around = collision->untangle.inside_of.items[deformable->first + i] - 1;
        found.count += around >= 0 && collision->surfaces[around]->number == collider;
    }
    return found;
}

static bool collide(const pli_deformable_data *deformable, const pli_collider_data *collider)
{
    return pli_layers_meet(deformable->def.layers, deformable->def.mask, collider->def.layers, collider->def.mask);
}

static void report_inside(pli_world *world, const pli_deformable_data *deformable, int32_t number,
                          const inside_report *found)
{
    const char *name = deformable->name && deformable->name[0] ? deformable->name : "a deformable";
    char line[400], depth[40] = "";
    if (found->depth > 0.0f)
        snprintf(depth, sizeof depth, ", up to %.3g m deep", (double)found->depth);
    snprintf(
        line, sizeof line,
        "%.80s starts inside collider %d, a %s: %d of its %d particles are%s; they will be pushed out, which crumples "
        "it. Place them apart, or take the collider's layers out of the deformable's mask",
        name, (int)number, pli_choice_name("shape", (int32_t)pli_collider_at(world, number)->def.shape),
        (int)found->count, (int)deformable->count, depth);
    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
    world->reports.inside = true;
}

void pli_world_tell_inside(pli_world *world)
{
    bool placed = world->collision.untangle.placed && !world->reports.inside;
    world->collision.untangle.placed = false;
    for (int32_t i = 0; i < world->deformables.count && placed; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        for (int32_t k = 0; k < world->colliders.count && !deformable->idle && !world->reports.inside; k++) {
            const pli_collider_data *collider = pli_collider_at(world, k);
            if (!collide(deformable, collider))
                continue;
            inside_report found = world->during.analytic.shapes[k].find ? inside_of_shape(world, deformable, k)
                                  : collider->surface                   ? inside_of_surface(world, deformable, k)
                                                                        : (inside_report){0};
            if (found.count > 0)
                report_inside(world, deformable, k, &found);
        }
    }
}
