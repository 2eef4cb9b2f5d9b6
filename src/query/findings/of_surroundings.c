// Findings about the surroundings of a deformable: colliders that it is inside of or slips past, its own layers, and pins that lag.
#include "query/findings/of_surroundings.h"

#include "base/layers.h"
#include "model/origin.h"
#include "pliant/deformable.h"
#include "rigid/rigid.h"
#include "shapes/shape.h"

#include <math.h>
#include <stdio.h>

static bool may_collide(const pli_world *world, int32_t deformable, int32_t collider)
{
    const pli_deformable_def *a = &pli_deformable_at(world, deformable)->def;
    const pli_collider_def *b = &pli_collider_at(world, collider)->def;
    return pli_layers_meet(a->layers, a->mask, b->layers, b->mask);
}

/* ---- inside ------------------------------------------------------------------------------------- */

// Directions of rays, which are not aligned with grids and boxes. A point on a surface is behind it along at most one of them.
static const pli_vec3 ray_directions[2] = {{0.36f, 0.48f, 0.8f}, {-0.36f, -0.48f, -0.8f}};

// The pose of a collider in the application's coordinates.
static pli_transform pose_of(const pli_world *world, const pli_collider_data *collider)
{
    const pli_rigid_body_data *rigid = collider->rigid;
    if (!rigid)
        return collider->def.pose;
    return pli_world_pose(world, pli_transform_multiply(pli_rigid_frame(rigid, &rigid->now.pose), collider->def.pose));
}

// Upper bound of the depth of a point inside a collider, in the collider's frame; at most 0 for points outside, INFINITY for points inside
// at an unknown depth.
static double depth_in(const pli_collider_data *collider, pli_vec3 point)
{
    float distance;
    pli_vec3 normal;
    if (pli_shape_distance(&collider->def, point, &distance, &normal))
        return -(double)distance;
    // A ray that starts inside a closed surface first hits a face whose normal points away from the origin of the ray.
    for (int k = 0; k < 2; k++)
        if (!pli_triangles_ray(pli_mesh_topology(collider->mesh), collider->vertices, point, ray_directions[k],
                               INFINITY, &distance, &normal) ||
            !(pli_dot(normal, ray_directions[k]) > 0.0f))
            return 0.0;
    return INFINITY;
}

static bool may_be_in(const pli_collider_data *collider)
{
    const bool given = pli_shape_at((int32_t)collider->def.shape)->takes_mesh;
    return !given || (collider->def.mesh && !collider->def.one_sided && pli_mesh_get_report(collider->mesh)->closed);
}

static void look_inside(pli_finder *finder, int32_t i, int32_t number)
{
    const pli_world *world = finder->world;
    const pli_deformable_data *deformable = pli_deformable_at(world, i);
    pli_finding found = pli_finding_about(world, i, PLI_FINDING_INSIDE);
    const pli_collider_data *collider = pli_collider_at(world, number);
    const pli_transform pose = pose_of(world, collider);
    found.collider = (pli_collider){collider->id, world->tag};
    const pli_view points = pli_deformable_positions(world, found.deformable);
    for (int32_t v = 0; v < points.count; v++) {
        const int32_t place = pli_place(deformable, v);
        const float *p = pli_view_at(points, v);
        if (!(deformable->particles[place].w > 0.0f))
            continue;
        const double depth = depth_in(collider, pli_transform_inverse_point(pose, (pli_vec3){p[0], p[1], p[2]}));
        if (!(depth > (double)pli_deformable_thickness(deformable, place)))
            continue;
        found.count++;
        found.vertex = found.vertex < 0 || (isfinite(depth) && depth > found.value) ? v : found.vertex;
        found.value = isfinite(depth) && depth > found.value ? depth : found.value;
    }
    if (found.count == 0)
        return;
    pli_name_buffer text, other;
    char deep[40] = "";
    if (found.value > 0.0)
        snprintf(deep, sizeof deep, ", up to %.3g m deep", found.value);
    pli_finding_add(finder, &found,
                    "%s: %d of its %d particles are inside %s%s; they will be pushed out, which crumples it. Move it "
                    "out, or remove "
                    "the collider's layers from the deformable's mask",
                    pli_finding_name(world, i, text), (int)found.count, (int)points.count,
                    pli_finding_collider_name(world, number, other), deep);
}

void pli_findings_of_inside(pli_finder *finder)
{
    const pli_world *world = finder->world;
    if (finder->quick) // The first substep reports it from its contacts.
        return;
    for (int32_t i = 0; i < world->deformables.count; i++)
        for (int32_t k = 0; k < world->colliders.count; k++)
            if (may_collide(world, i, k) && may_be_in(pli_collider_at(world, k)))
                look_inside(finder, i, k);
}

/* ---- thin shapes -------------------------------------------------------------------------------- */

// The smallest width of a shape that only touches particles [m]; infinite for triangle surfaces.
static double collider_width(const pli_collider_data *collider)
{
    pli_vec3 low, high;
    if (collider->surface || !pli_shape_bounds(&collider->def, pli_transform_identity(), &low, &high))
        return INFINITY;
    return fmin(fmin((double)(high.x - low.x), (double)(high.y - low.y)), (double)(high.z - low.z));
}

void pli_findings_of_thin(pli_finder *finder)
{
    const pli_world *world = finder->world;
    for (int32_t k = 0; k < world->colliders.count; k++) {
        const double width = collider_width(pli_collider_at(world, k));
        for (int32_t i = 0; i < world->deformables.count && isfinite(width); i++) {
            const double edge = (double)pli_deformable_at(world, i)->rest.mean_edge;
            if (!may_collide(world, i, k) || width >= edge)
                continue;
            pli_finding found = pli_finding_about(world, i, PLI_FINDING_THIN);
            pli_name_buffer text, other;
            found.collider = (pli_collider){pli_collider_at(world, k)->id, world->tag};
            found.value = width, found.wanted = edge;
            pli_finding_add(finder, &found,
                            "%s: %s, is %.3g m wide, less than the average edge of %.3g m, and can slip through "
                            "between particles; make "
                            "it a `mesh` or a `hull`, or use edges below half its width",
                            pli_finding_name(world, i, text), pli_finding_collider_name(world, k, other), width, edge);
        }
    }
}

/* ---- thickness ---------------------------------------------------------------------------------- */

static void find_thickness(pli_finder *finder, int32_t i)
{
    const pli_world *world = finder->world;
    const pli_deformable_data *deformable = pli_deformable_at(world, i);
    const pli_mesh_report *mesh = pli_mesh_get_report(deformable->mesh);
    const double edge = (double)mesh->edge_length_mean, longest = (double)mesh->edge_length_max;
    const bool particles = deformable->def.self_contact == PLI_SELF_CONTACT_PARTICLES;
    const double given = (double)deformable->def.particle_distance;
    const double kept = !particles    ? (double)deformable->thickness
                        : given > 0.0 ? given
                                      : (double)PLI_PARTICLE_DISTANCE_RATIO * edge;
    const double needed = longest / sqrt(3.0);
    pli_finding found = pli_finding_about(world, i, PLI_FINDING_THICKNESS);
    pli_name_buffer text;
    const char *name = pli_finding_name(world, i, text);
    found.value = kept, found.wanted = edge;
    if (particles && kept < needed)
        pli_finding_add(finder, &found,
                        "%s: its `particle_distance` is %.3g m%s, and edges are up to %.3g m long, so that particles "
                        "can pass through "
                        "the largest triangles; use %.3g m, or self_contact \"surfaces\"",
                        name, kept, given > 0.0 ? "" : " by default", longest, needed);
    else if (edge > 0.0 && kept > 2.0 * edge)
        pli_finding_add(finder, &found,
                        "%s: its `%s` is %g m, and the average edge is %.3g m, so that self-contact will be slow and "
                        "folds stiff; use at "
                        "most %s, or check the unit of the mesh",
                        name, particles ? "particle_distance" : "thickness", kept, edge,
                        particles ? "two edges" : "an edge");
}

void pli_findings_of_thickness(pli_finder *finder)
{
    for (int32_t i = 0; i < finder->world->deformables.count; i++)
        if (pli_deformable_at(finder->world, i)->def.self_collision)
            find_thickness(finder, i);
}

/* ---- lag ---------------------------------------------------------------------------------------- */

static int32_t index_of(const pli_world *world, const pli_deformable_data *deformable)
{
    int32_t i = 0;
    while (pli_deformable_at(world, i) != deformable)
        i++;
    return i;
}

static void find_late_pins(pli_finder *finder, const pli_attachment_data *attachment)
{
    const int32_t i = index_of(finder->world, attachment->deformable);
    pli_finding found = pli_finding_about(finder->world, i, PLI_FINDING_TRACKING);
    pli_name_buffer text;
    found.attachment = (pli_attachment){attachment->id, finder->world->tag};
    found.vertex = pli_vertex(attachment->deformable, attachment->particles[0]);
    found.count = attachment->lagging, found.value = attachment->lag;
    pli_finding_add(
        finder, &found,
        "%s: %d of its %d pinned vertices are up to %.3g m behind their path, since otherwise edges would stretch or "
        "surfaces cross; move them less in a step, or along a path that the cloth can follow",
        pli_finding_name(finder->world, i, text), (int)found.count, (int)attachment->count, found.value);
}

void pli_findings_of_tracking(pli_finder *finder)
{
    const pli_world *world = finder->world;
    for (int32_t i = 0; i < world->attachments.count; i++)
        if (pli_attachment_at(world, i)->lagging > 0)
            find_late_pins(finder, pli_attachment_at(world, i));
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        if (!collider->lags || !(collider->lag > 0.0))
            continue;
        pli_finding found = {
            .kind = PLI_FINDING_TRACKING, .vertex = -1, .count = collider->lagging, .value = collider->lag};
        pli_name_buffer text;
        found.collider = (pli_collider){collider->id, world->tag};
        pli_finding_add(
            finder, &found,
            "%s is %.3g m behind its path, since the cloth it meets cannot yield; move it less in a step, or "
            "set its `yields` to `cloth`",
            pli_finding_collider_name(world, i, text), found.value);
    }
}
