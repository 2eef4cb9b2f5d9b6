// The table of features, and the loops over it: model/features.h.
#include "model/features.h"

#include "model/model.h"
#include "model/origin.h"

#include <string.h>

#define DECLARE(type, name) extern const pli_feature pli_feature_##name;
#define REFER(type, name) &pli_feature_##name,

PLI_FEATURES(DECLARE)

static const pli_feature *const feature_rows[] = {PLI_FEATURES(REFER)};
enum { FEATURE_COUNT = sizeof feature_rows / sizeof *feature_rows };

int32_t pli_feature_count(void) { return FEATURE_COUNT; }
const pli_feature *pli_feature_at(int32_t i) { return feature_rows[i]; }

static void *pointer_at(const void *base, size_t offset)
{
    void *pointer;
    memcpy(&pointer, (const char *)base + offset, sizeof pointer);
    return pointer;
}

static size_t aligned(size_t size) { return (size + PLI_ALIGNMENT - 1) / PLI_ALIGNMENT * PLI_ALIGNMENT; }

pli_deformable_data *pli_deformable_allocate(pli_memory *memory)
{
    size_t size = aligned(sizeof(pli_deformable_data));
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        size += aligned(feature_rows[i]->size);
    char *block = pli_allocate(memory, size, 1);
    size = aligned(sizeof(pli_deformable_data));
    for (int32_t i = 0; block && i < FEATURE_COUNT; i++) {
        void *state = block + size;
        if (feature_rows[i]->size > 0)
            memcpy(block + feature_rows[i]->at, &state, sizeof state);
        size += aligned(feature_rows[i]->size);
    }
    return (pli_deformable_data *)(void *)block;
}

/* ---- responses ---------------------------------------------------------------------------------- */

pli_status pli_features_check(const pli_world *world, const pli_deformable_def *def, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < FEATURE_COUNT && status == PLI_STATUS_OK; i++)
        if (feature_rows[i]->check)
            status = feature_rows[i]->check(world, def, error);
    return status;
}

bool pli_features_create(pli_world *world, pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->create && !feature_rows[i]->create(world, deformable))
            return false;
    return true;
}

bool pli_features_configure(pli_world *world, pli_deformable_data *deformable, const pli_deformable_def *def)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->configure && !feature_rows[i]->configure(world, deformable, def))
            return false;
    return true;
}

void pli_features_destroy(pli_world *world, pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++) {
        if (feature_rows[i]->destroy)
            feature_rows[i]->destroy(world, deformable);
        const void *state = pointer_at(deformable, feature_rows[i]->at);
        for (int32_t k = 0; state && k < feature_rows[i]->array_count; k++)
            pli_release(&world->memory, pointer_at(state, feature_rows[i]->arrays[k].at));
    }
}

size_t pli_features_memory(const pli_deformable_data *deformable)
{
    size_t bytes = 0;
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        bytes += feature_rows[i]->memory ? feature_rows[i]->memory(deformable) : 0;
    return bytes;
}

pli_status pli_features_begin(pli_world *world, float dt, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < FEATURE_COUNT && status == PLI_STATUS_OK; i++)
        if (feature_rows[i]->begin)
            status = feature_rows[i]->begin(world, dt, error);
    return status;
}

bool pli_features_ready(pli_world *world)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->ready && !feature_rows[i]->ready(world))
            return false;
    return true;
}

void pli_features_start(pli_world *world, float dt)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->start)
            feature_rows[i]->start(world, dt);
}

void pli_features_finish(pli_world *world, float dt)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->finish)
            feature_rows[i]->finish(world, dt);
}

void pli_features_publish(pli_world *world, float dt)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->publish)
            feature_rows[i]->publish(world, dt);
}

void pli_features_undo(pli_world *world, bool repeats)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->undo)
            feature_rows[i]->undo(world, repeats);
}

bool pli_features_reserve(pli_world *world, pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->reserve && !feature_rows[i]->reserve(world, deformable))
            return false;
    return true;
}

bool pli_features_prepare(pli_world *world, pli_deformable_data *deformable, float step)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->prepare && !feature_rows[i]->prepare(world, deformable, step))
            return false;
    return true;
}

void pli_features_save(pli_world *world, pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->save)
            feature_rows[i]->save(world, deformable);
}

void pli_features_restore(pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->restore)
            feature_rows[i]->restore(deformable);
}

void pli_features_cut(pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->cut)
            feature_rows[i]->cut(deformable);
}

void pli_features_jump(pli_deformable_data *deformable)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->jump)
            feature_rows[i]->jump(deformable);
}

void pli_features_write(pli_deformable_data *deformable, int32_t place)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->write)
            feature_rows[i]->write(deformable, place);
}

static void clear_array(const pli_feature_array *a, const pli_deformable_data *deformable, void *array)
{
    if (array && a->of_motion)
        memset(array, 0, (size_t)deformable->count * (size_t)a->per * (size_t)a->size);
}

void pli_features_reset(pli_deformable_data *deformable)
{
    pli_features_jump(deformable);
    for (int32_t i = 0; i < FEATURE_COUNT; i++) {
        const void *state = pointer_at(deformable, feature_rows[i]->at);
        for (int32_t k = 0; state && k < feature_rows[i]->array_count; k++)
            clear_array(&feature_rows[i]->arrays[k], deformable, pointer_at(state, feature_rows[i]->arrays[k].at));
        if (feature_rows[i]->reset)
            feature_rows[i]->reset(deformable);
    }
}

void pli_features_teleport(pli_deformable_data *deformable, const pli_jump *jump)
{
    pli_features_jump(deformable);
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->teleport)
            feature_rows[i]->teleport(deformable, jump);
}

void pli_features_pass(pli_stream *s, pli_world *world, pli_deformable_data *deformable, int32_t count)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_rows[i]->pass)
            feature_rows[i]->pass(s, world, deformable, count);
}

void pli_pass_particle(pli_stream *s, pli_particle *p)
{
    pli_pass_finite(s, &p->x, -INFINITY), pli_pass_finite(s, &p->y, -INFINITY);
    pli_pass_finite(s, &p->z, -INFINITY), pli_pass_finite(s, &p->w, 0.0f);
}

void pli_pass_finite_vector(pli_stream *s, pli_dvec3 *v)
{
    pli_pass_finite_double(s, &v->x), pli_pass_finite_double(s, &v->y), pli_pass_finite_double(s, &v->z);
}

pli_vec3 pli_jump_turn(const pli_jump *jump, pli_vec3 velocity)
{
    return pli_rounded(pli_rigid_rotate(jump->turn, pli_widened(velocity)));
}

/* ---- arrays ------------------------------------------------------------------------------------- */

bool pli_grow_array(pli_memory *memory, void *array, const pli_feature_array *a, int32_t before, int32_t after)
{
    void *old = pointer_at(array, 0);
    if (!old)
        return true;
    void *fresh = pli_allocate(memory, (size_t)after * (size_t)a->per + (size_t)a->extra, (size_t)a->size);
    if (!fresh)
        return false;
    memcpy(fresh, old, (size_t)before * (size_t)a->per * (size_t)a->size);
    pli_release(memory, old);
    memcpy(array, &fresh, sizeof fresh);
    return true;
}

bool pli_features_grow(pli_memory *memory, pli_deformable_data *deformable, int32_t capacity)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++) {
        char *state = pointer_at(deformable, feature_rows[i]->at);
        for (int32_t k = 0; state && k < feature_rows[i]->array_count; k++)
            if (!pli_grow_array(memory, state + feature_rows[i]->arrays[k].at, &feature_rows[i]->arrays[k],
                                deformable->capacity, capacity))
                return false;
    }
    return true;
}

void pli_features_inherit(pli_deformable_data *deformable, int32_t source, int32_t copy)
{
    for (int32_t i = 0; i < FEATURE_COUNT; i++) {
        const void *state = pointer_at(deformable, feature_rows[i]->at);
        for (int32_t k = 0; state && k < feature_rows[i]->array_count; k++) {
            const pli_feature_array *a = &feature_rows[i]->arrays[k];
            const size_t size = (size_t)a->per * (size_t)a->size;
            char *array = pointer_at(state, a->at);
            if (!array || !a->inherited)
                continue;
            const int32_t from = a->by_vertex ? source : pli_place(deformable, source);
            const int32_t to = a->by_vertex ? copy : pli_place(deformable, copy);
            memcpy(array + (size_t)to * size, array + (size_t)from * size, size);
        }
    }
}
