// Owners are found anew for each picture: tools make and remove sets.
#include "session/owners.h"

#include "files/deformable_values.h"

#include <stdio.h>
#include <string.h>

static const char *prefix_of(const pli_constraints_info *info)
{
    if (info->type->world_anchored)
        return "";
    if (info->type->bending)
        return "bend";
    const bool stretches = strcmp(info->type->name, "distance") == 0 || strcmp(info->type->name, "membrane") == 0;
    return stretches ? "stretch" : "others";
}

static bool has_plate(const pli_world *world, pli_deformable deformable)
{
    const pli_property *rigidity = pli_view_deformable_property_find("rigidity");
    return rigidity && pli_view_deformable_value(world, deformable, rigidity) > 0.0;
}

bool pli_view_owner_find(const pli_world *world, pli_deformable deformable, const char *prefix, int32_t i,
                         pli_view_owner *owner)
{
    *owner = (pli_view_owner){0};
    if (strcmp(prefix, "settings") == 0)
        return i == 0;
    if (strcmp(prefix, "cloth") == 0) {
        owner->deformable = deformable;
        return i == 0;
    }
    for (int32_t k = 0; k < pli_world_constraints_count(world); k++) {
        const pli_constraints set = pli_world_constraints_at(world, k);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, NULL) == PLI_STATUS_OK && info.deformable.id == deformable.id &&
            strcmp(prefix_of(&info), prefix) == 0 && i-- == 0) {
            owner->set = set;
            return true;
        }
    }
    owner->deformable = deformable;
    return i == 0 && strcmp(prefix, "bend") == 0 && has_plate(world, deformable);
}

const pli_property *pli_view_owner_property(const pli_world *world, pli_view_owner owner, const char *name)
{
    pli_constraints_info info;
    const pli_property *p = NULL;
    if (owner.deformable.id != 0)
        return pli_view_deformable_property_find(name);
    if (owner.set.id == 0)
        return pli_descriptor_find(pli_descriptor_group_find("settings"), name);
    if (pli_constraints_get_info(world, owner.set, &info, NULL) != PLI_STATUS_OK)
        return NULL;
    for (int32_t i = 0; (p = pli_constraint_type_parameter(info.type, i)); i++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

void pli_view_owner_path(const pli_world *world, pli_view_owner owner, const char *name, char *path, size_t size)
{
    pli_constraints_info info;
    if (owner.deformable.id != 0)
        snprintf(path, size, "%s.%s", pli_deformable_name(world, owner.deformable), name);
    else if (owner.set.id != 0 && pli_constraints_get_info(world, owner.set, &info, NULL) == PLI_STATUS_OK)
        snprintf(path, size, "%s/%s.%s", pli_deformable_name(world, info.deformable), info.name, name);
    else
        snprintf(path, size, "settings.%s", name);
}

pli_status pli_view_owner_write(pli_world *world, pli_view_owner owner, const pli_property *property, double value,
                                pli_error *error)
{
    if (owner.deformable.id != 0)
        return pli_view_deformable_set_value(world, owner.deformable, property, value, error);
    const pli_property *other = property->instead_of && value > 0.0
                                    ? pli_view_owner_property(world, owner, property->instead_of)
                                    : NULL;
    pli_status status = PLI_STATUS_OK;
    double now = 0.0;
    if (other && pli_constraints_get_parameter(world, owner.set, other->name, &now, NULL) == PLI_STATUS_OK &&
        now != other->initial)
        status = pli_constraints_set_parameter(world, owner.set, other->name, other->initial, error);
    return status == PLI_STATUS_OK ? pli_constraints_set_parameter(world, owner.set, property->name, value, error)
                                   : status;
}
