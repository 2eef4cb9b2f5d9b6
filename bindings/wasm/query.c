// Rays, contacts and findings.
#include "world.h"

#include <stdlib.h>

/// Origin and direction: values 0 to 5. Values become deformable, face, vertices, weights, distance, position, normal.
EXPORT(world_ray) bool web_world_ray(const web_world *world, float reach, uint32_t mask)
{
    pli_ray_hit hit;
    if (!pli_world_ray(world->world, web_vector(0), web_vector(3), reach, mask, &hit))
        return false;
    double *to = web_values;
    *to++ = hit.deformable.id;
    *to++ = hit.face;
    for (int32_t k = 0; k < 3; k++)
        *to++ = hit.vertices[k];
    for (int32_t k = 0; k < 3; k++)
        *to++ = (double)hit.weights[k];
    *to++ = (double)hit.distance;
    web_put_vector(web_put_vector(to, hit.position), hit.normal);
    return true;
}

static pli_contact_point *contacts;
static int32_t contact_count;

/// Takes the contacts, to be read one by one. Value 0 becomes their number.
EXPORT(contacts_take) pli_status web_contacts_take(const web_world *world)
{
    free(contacts);
    contacts = NULL, contact_count = 0;
    pli_status status = pli_world_contacts(world->world, NULL, 0, &contact_count, &web_error);
    web_values[0] = contact_count;
    if (status != PLI_STATUS_OK || contact_count == 0)
        return status;
    contacts = malloc(sizeof *contacts * (size_t)contact_count);
    if (!contacts)
        return pli_fail(&web_error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for %d contacts", (int)contact_count);
    return pli_world_contacts(world->world, contacts, contact_count, &contact_count, &web_error);
}

double *web_put_side(double *to, const pli_contact_side *side)
{
    *to++ = side->deformable.id;
    *to++ = side->collider.id;
    *to++ = side->vertex_count;
    for (int32_t k = 0; k < 3; k++)
        *to++ = side->vertices[k];
    for (int32_t k = 0; k < 3; k++)
        *to++ = (double)side->weights[k];
    return to;
}

/// Values of contact i: both sides (9 each), position, normal, impulse, friction, restitution.
EXPORT(contact_at) void web_contact_at(int32_t i)
{
    const pli_contact_point *point = &contacts[i];
    double *to = web_put_side(web_put_side(web_values, &point->a), &point->b);
    to = web_put_vector(web_put_vector(to, point->position), point->normal);
    *to++ = (double)point->impulse;
    *to++ = (double)point->friction;
    *to = (double)point->restitution;
}

EXPORT(contacts_release) void web_contacts_release(void)
{
    free(contacts);
    contacts = NULL, contact_count = 0;
}

/// Value 0 becomes the number of findings.
EXPORT(world_check) pli_status web_world_check(web_world *world, double dt)
{
    int32_t count = 0;
    pli_status status = pli_world_check(world->world, dt, &count, &web_error);
    web_values[0] = count;
    return status;
}

/// Values of finding i: addresses of its kind's name and of its text, objects, vertex, count, value, wanted.
EXPORT(finding_at) void web_finding_at(const web_world *world, int32_t i)
{
    const pli_finding *finding = pli_world_finding_at(world->world, i);
    double *to = web_values;
    *to++ = (double)(uintptr_t)pli_choice_name("finding", (int32_t)finding->kind);
    *to++ = (double)(uintptr_t)finding->text;
    *to++ = finding->deformable.id;
    *to++ = finding->other.id;
    *to++ = finding->collider.id;
    *to++ = finding->rigid_body.id;
    *to++ = finding->attachment.id;
    *to++ = finding->vertex;
    *to++ = finding->count;
    *to++ = finding->value;
    *to = finding->wanted;
}
