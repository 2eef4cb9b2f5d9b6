// The same scene with other types of bending.
#include "looking/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pli_status not_found(pli_error *error, const char *format, const char *name)
{
    error->status = PLI_STATUS_NOT_FOUND;
    snprintf(error->message, sizeof error->message, format, name);
    return error->status;
}

/* ---- figures ------------------------------------------------------------------------------------ */

static float lowest_of(const pli_scene *scene, const pli_world *world)
{
    const pli_vec3 up = pli_scene_get_view(scene).up;
    float lowest = 1e30f;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_view positions = pli_deformable_positions(world, pli_world_deformable_at(world, i));
        for (int32_t v = 0; v < positions.count; v++) {
            const float *p = pli_view_at(positions, v);
            float height = up.x * p[0] + up.y * p[1] + up.z * p[2];
            lowest = height < lowest ? height : lowest;
        }
    }
    return lowest;
}

static void measure(pli_view_model *m, const pli_scene *scene)
{
    pli_statistics s;
    pli_world_get_statistics(m->world, &s);
    m->drop = m->lowest - lowest_of(scene, m->world);
    m->stretch = (float)(100.0 * s.stretch_max);
    m->milliseconds = (float)(1e3 * s.step_seconds);
}

/* ---- creation ----------------------------------------------------------------------------------- */

// Replaces a set by one of another type.
static pli_status replace(pli_view_model *m, pli_constraints set, const pli_constraints_info *info, const char *type,
                          pli_error *error)
{
    pli_world *world = m->world;
    pli_parameter_value rigidity = {"rigidity", 0.0};
    char name[200];
    snprintf(name, sizeof name, "%s", info->name);
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = info->deformable, def.type = type, def.name = name, def.parameters = &rigidity;
    bool known = pli_constraints_get_parameter(world, set, rigidity.name, &rigidity.value, error) == PLI_STATUS_OK;
    const pli_constraint_type *other = pli_constraint_type_find(type);
    const pli_property *p;
    for (int32_t i = 0; known && (p = pli_constraint_type_parameter(other, i)); i++)
        if (strcmp(p->name, rigidity.name) == 0)
            def.parameter_count = 1;
    m->by_defaults = m->by_defaults || def.parameter_count == 0;
    pli_status status = pli_constraints_destroy(world, set, error);
    return status == PLI_STATUS_OK ? pli_constraints_create(world, &def, &set, error) : status;
}

// New sets are appended, so the bending sets are replaced in their order, each once. A set that already has the type stays.
static pli_status replace_all(pli_view_model *m, const char *type, pli_error *error)
{
    pli_world *world = m->world;
    int32_t count = pli_world_constraints_count(world), replaced = 0, found = 0;
    pli_status status = PLI_STATUS_OK;
    for (int32_t k = 0; k < count && status == PLI_STATUS_OK; k++) {
        pli_constraints set = pli_world_constraints_at(world, k - replaced);
        pli_constraints_info info;
        status = pli_constraints_get_info(world, set, &info, error);
        if (status != PLI_STATUS_OK || !info.type->bending)
            continue;
        found++;
        if (strcmp(info.type->name, type) == 0)
            continue;
        status = replace(m, set, &info, type, error);
        replaced++;
    }
    if (status == PLI_STATUS_OK && found == 0)
        return not_found(error, "the scene has no set of bending constraints that '%s' could stand in for", type);
    return status;
}

static pli_status make_bend(pli_view_model *m, const char *type, pli_error *error)
{
    const pli_constraint_type *found = pli_constraint_type_find(type);
    if (!found || !found->bending)
        return not_found(error, "'%s' is no type of bending constraints; `pliant models` lists them", type);
    return replace_all(m, type, error);
}

static pli_status open_one(pli_view_models *models, const pli_scene *scene, const char *name, pli_error *error)
{
    const int32_t i = models->count++;
    pli_view_model *m = &models->model[i];
    snprintf(m->type, sizeof m->type, "%s", name);
    pli_scene_world_def def = pli_scene_world_def_default();
    pli_status status = pli_scene_create_world(scene, &def, &m->world, error);
    if (status == PLI_STATUS_OK)
        status = models->apply ? models->apply(models->user, i, m->world, error) : make_bend(m, name, error);
    if (status != PLI_STATUS_OK)
        return status;
    m->lowest = lowest_of(scene, m->world);
    m->start_size = pli_world_snapshot_size(m->world);
    m->start = malloc(m->start_size);
    if (!m->start)
        return not_found(error, "there is no memory for '%s'", name);
    return pli_world_snapshot_write(m->world, m->start, m->start_size, error);
}

pli_status pli_view_models_open_as(pli_view_models *models, const pli_scene *scene, const char *const *names,
                                   int32_t count, pli_view_models_make apply, void *user, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    pli_view_models_close(models);
    models->apply = apply, models->user = user;
    for (int32_t i = 0; i < count && i < PLI_VIEW_MODELS_MOST && status == PLI_STATUS_OK; i++)
        status = open_one(models, scene, names[i], error);
    if (status != PLI_STATUS_OK)
        pli_view_models_close(models);
    return status;
}

pli_status pli_view_models_open(pli_view_models *models, const pli_scene *scene, const char *const *types,
                                int32_t count, pli_error *error)
{
    return pli_view_models_open_as(models, scene, types, count, NULL, NULL, error);
}

pli_status pli_view_models_apply(pli_view_models *models, int32_t i, pli_error *error)
{
    return i < models->count && models->apply ? models->apply(models->user, i, models->model[i].world, error)
                                              : PLI_STATUS_OK;
}

void pli_view_models_close(pli_view_models *models)
{
    for (int32_t i = 0; i < models->count; i++) {
        pli_world_destroy(models->model[i].world);
        free(models->model[i].start);
    }
    *models = (pli_view_models){0};
}

/* ---- time --------------------------------------------------------------------------------------- */

void pli_view_models_go(pli_view_models *models, const pli_scene *scene, int32_t frame)
{
    pli_error error;
    for (int32_t i = 0; i < models->count; i++) {
        pli_view_model *m = &models->model[i];
        if (frame < m->frame && pli_world_snapshot_read(m->world, m->start, m->start_size, &error) == PLI_STATUS_OK)
            m->frame = 0, m->failed = pli_view_models_apply(models, i, &error) != PLI_STATUS_OK;
        bool moves = m->frame < frame || frame == 0;
        while (m->frame < frame && !m->failed) {
            m->failed = pli_scene_step(scene, m->world, m->frame, &error) != PLI_STATUS_OK;
            m->frame += !m->failed;
        }
        if (moves)
            measure(m, scene);
    }
}
