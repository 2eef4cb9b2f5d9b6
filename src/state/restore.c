// Restores a snapshot (pliant/state.h). First the world gets the attachments that it had at that time, with their sets
// and ids, so that a restore also undoes pins, grabs and releases; then all values are read (state/snapshot.c).
//
//     world    a  b     d          attachments that only the snapshot has are made, and filled by reading;
//     snapshot a     c  d          attachments that only the world has are removed, and freed after success
//
// Particles do not change before the reading, which cannot fail. A world therefore stays as it was when a snapshot is rejected.
#include "state/snapshot.h"

#include "model/handles.h"
#include "particles/held_reach.h"
#include "pliant/pliant.h"
#include "sweep/wavefront.h"
#include "world/attachment.h"
#include "world/constraint_set.h"

#include <string.h>

// Lists of attachments and sets, and flags of the attachments that only these lists own.
typedef struct restored_lists {
    pli_list attachments, sets;
    bool *own; // [attachments]
} restored_lists;

static void release_lists(pli_world *world, restored_lists *l)
{
    pli_release(&world->memory, l->attachments.items);
    pli_release(&world->memory, l->sets.items);
    pli_release(&world->memory, l->own);
}

// Rebuilds the chains of each deformable: its attachments and sets in the order of the lists of the world.
static void link_again(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_at(world, i)->first_attachment = NULL;
        pli_deformable_at(world, i)->first_set = NULL;
    }
    for (int32_t i = world->attachments.count - 1; i >= 0; i--) {
        pli_attachment_data *attachment = pli_attachment_at(world, i);
        attachment->next_attachment = attachment->deformable->first_attachment;
        attachment->deformable->first_attachment = attachment;
    }
    for (int32_t i = world->sets.count - 1; i >= 0; i--) {
        pli_constraints_data *set = pli_constraints_data_at(world, i);
        set->next = set->deformable->first_set;
        set->deformable->first_set = set;
    }
}

static void take_lists(pli_world *world, const restored_lists *l)
{
    world->attachments = l->attachments;
    world->sets = l->sets;
    link_again(world);
}

// Frees the attachments that only these lists own and the world does not have.
static void free_own(pli_world *world, restored_lists *l)
{
    for (int32_t i = 0; i < l->attachments.count; i++) {
        pli_attachment_data *attachment = (pli_attachment_data *)(void *)l->attachments.items[i];
        if (l->own[i])
            pli_attachment_release(world, attachment);
    }
    release_lists(world, l);
}

// Discards all data derived from attachments: membranes and schedules refer to their sets.
static void expect_change(pli_world *world, const restored_lists *l)
{
    for (int32_t i = 0; i < l->attachments.count; i++) {
        pli_deformable_data *deformable = ((pli_attachment_data *)(void *)l->attachments.items[i])->deformable;
        if (!l->own[i])
            continue;
        pli_features_cut(deformable);
        pli_wavefronts_free(world, deformable);
    }
    for (int32_t i = 0; i < world->attachments.count; i++)
        pli_held_edges_release(&world->memory, pli_attachment_at(world, i));
    pli_world_expect_contacts(world); // The snapshot contains the forces of contacts.
}

/* ---- the lists of a snapshot ----------------------------------------------------------------------- */

static bool has_lists(const pli_world *world, const pli_snapshot_table *table)
{
    bool same = table->set_count == world->sets.count && table->attachment_count == world->attachments.count;
    for (int32_t i = 0; same && i < table->attachment_count; i++)
        same = pli_snapshot_has_attachment(world, table, i, pli_attachment_at(world, i));
    return same;
}

// Returns the attachment of the world that the lists of the snapshot take over: it has the same id and the same definition.
static pli_attachment_data *kept(const pli_world *world, const pli_snapshot_table *table, int32_t i)
{
    pli_attachment_data *attachment = pli_list_find(&world->attachments, table->attachments[i].id);
    uint32_t set = attachment && attachment->set ? attachment->set->id : 0;
    return attachment && set == table->attachments[i].set && pli_snapshot_has_attachment(world, table, i, attachment)
               ? attachment
               : NULL;
}

// Makes an attachment from a record. Reading fills in its values.
static pli_status make_attachment(pli_world *world, const pli_snapshot_table *table, int32_t i,
                                  pli_attachment_data **made, pli_error *error)
{
    const pli_attachment_record *record = &table->attachments[i];
    pli_deformable_data *deformable = pli_deformable_at(world, record->deformable);
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = (pli_deformable){deformable->id, world->tag};
    def.particles = table->vertices + record->first, def.particle_count = record->count;
    def.fixed = record->fixed, def.enabled = record->enabled;
    pli_rigid_body_data *rigid = record->rigid >= 0 ? pli_rigid_at(world, record->rigid) : NULL;
    pli_status status = pli_attachment_make(world, &def, rigid, made, error);
    if (status == PLI_STATUS_OK) {
        (*made)->id = record->id;
        if ((*made)->set)
            (*made)->set->id = record->set;
    }
    return status;
}

// Returns the attachment whose set has this id; null for a set of the application.
static pli_attachment_data *of_set(const restored_lists *l, uint32_t id)
{
    for (int32_t i = 0; i < l->attachments.count; i++) {
        pli_attachment_data *attachment = (pli_attachment_data *)(void *)l->attachments.items[i];
        if (attachment->set && attachment->set->id == id)
            return attachment;
    }
    return NULL;
}

// Lists the sets of the snapshot: the sets of its attachments, and the sets of the application, which must exist in the world.
static pli_status list_sets(pli_world *world, const pli_snapshot_table *table, restored_lists *to, pli_error *error)
{
    int32_t hosts = 0;
    for (int32_t i = 0; i < world->sets.count; i++)
        hosts += !pli_constraints_data_at(world, i)->of_attachment;
    for (int32_t i = 0; i < table->set_count; i++) {
        const pli_attachment_data *attachment = of_set(to, table->sets[i]);
        pli_constraints_data *set = attachment ? attachment->set : pli_list_find(&world->sets, table->sets[i]);
        if (!set || (i > 0 && table->sets[i] <= table->sets[i - 1]) || (!attachment && set->of_attachment))
            return pli_snapshot_is_of_another_world(error);
        hosts -= !attachment;
        if (!pli_list_add(&world->memory, &to->sets, set))
            return pli_fail_memory(error);
    }
    return hosts == 0 ? pli_succeed(error) : pli_snapshot_is_of_another_world(error);
}

static pli_status list_attachments(pli_world *world, const pli_snapshot_table *table, restored_lists *from,
                                   restored_lists *to, pli_error *error)
{
    from->own = PLI_ALLOCATE(&world->memory, bool, from->attachments.count);
    to->own = PLI_ALLOCATE(&world->memory, bool, table->attachment_count);
    if (!from->own || !to->own)
        return pli_fail_memory(error);
    memset(from->own, 1, (size_t)from->attachments.count * sizeof *from->own);
    for (int32_t i = 0; i < table->attachment_count; i++) {
        if (i > 0 && table->attachments[i].id <= table->attachments[i - 1].id)
            return pli_snapshot_is_of_another_world(error);
        pli_attachment_data *attachment = kept(world, table, i);
        bool made = !attachment;
        pli_status status = made ? make_attachment(world, table, i, &attachment, error) : PLI_STATUS_OK;
        if (status == PLI_STATUS_OK && !pli_list_add(&world->memory, &to->attachments, attachment)) {
            status = pli_fail_memory(error);
            if (made)
                pli_attachment_release(world, attachment);
        }
        if (status != PLI_STATUS_OK)
            return status;
        to->own[i] = made;
        for (int32_t k = 0; k < from->attachments.count; k++)
            from->own[k] = from->own[k] && (void *)from->attachments.items[k] != (void *)attachment;
    }
    return list_sets(world, table, to, error);
}

static void keep_ids_ahead(pli_world *world)
{
    for (int32_t i = 0; i < world->attachments.count; i++) {
        const pli_attachment_data *attachment = pli_attachment_at(world, i);
        uint32_t set = attachment->set ? attachment->set->id : 0, most = attachment->id > set ? attachment->id : set;
        world->last_id = most > world->last_id ? most : world->last_id;
    }
}

static pli_status restore_with(pli_world *world, const pli_snapshot_table *table, const void *buffer, size_t size,
                               pli_error *error)
{
    restored_lists from = {.attachments = world->attachments, .sets = world->sets}, to = {0};
    pli_status status = list_attachments(world, table, &from, &to, error);
    from.sets = world->sets; // Making sets may have moved the memory of the list.
    if (status == PLI_STATUS_OK) {
        take_lists(world, &to);
        status = pli_snapshot_restore(world, buffer, size, error);
        if (status != PLI_STATUS_OK)
            take_lists(world, &from);
    }
    if (status != PLI_STATUS_OK) {
        pli_release(&world->memory, from.own);
        free_own(world, &to);
        return status;
    }
    keep_ids_ahead(world);
    expect_change(world, &from);
    expect_change(world, &to);
    pli_release(&world->memory, to.own);
    free_own(world, &from);
    return status;
}

pli_status pli_world_snapshot_read(pli_world *world, const void *buffer, size_t size, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status = pli_snapshot_check(world, buffer, size, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_snapshot_table table;
    status = pli_snapshot_table_read(world, buffer, size, &table, error);
    if (status == PLI_STATUS_OK)
        status = has_lists(world, &table) ? pli_snapshot_restore(world, buffer, size, error)
                                          : restore_with(world, &table, buffer, size, error);
    pli_snapshot_table_release(world, &table);
    return status;
}
