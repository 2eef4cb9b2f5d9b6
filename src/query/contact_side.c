#include "query/contact_side.h"

pli_contact_side pli_side_of_particle(const pli_world *world, const pli_deformable_data *deformable, int32_t place)
{
    return (pli_contact_side){
        .deformable = {deformable->id, world->tag}, .vertices = {pli_vertex(deformable, place)}, .vertex_count = 1};
}

pli_contact_side pli_side_of_collider(const pli_world *world, int32_t number)
{
    return (pli_contact_side){.collider = {pli_collider_at(world, number)->id, world->tag}};
}

pli_contact_side pli_side_of_surface(const pli_world *world, const pli_side *side)
{
    const pli_contact_mesh *surface = side->surface;
    pli_contact_side out = {.vertex_count = side->count};
    const pli_deformable_data *deformable = surface->collider ? NULL : pli_deformable_at(world, surface->number);
    if (deformable)
        out.deformable = (pli_deformable){deformable->id, world->tag};
    else
        out = pli_side_of_collider(world, surface->number);
    // A surface made for a smooth shape has no vertices of the application.
    if (!deformable && !pli_collider_at(world, surface->number)->mesh)
        return out;
    out.vertex_count = side->count;
    for (int32_t k = 0; k < side->count; k++)
        out.vertices[k] = deformable ? pli_vertex(deformable, side->at[k] - surface->first)
                                     : side->at[k] - surface->first;
    return out;
}
