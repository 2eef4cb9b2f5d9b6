// The parts of a snapshot that a restore needs before it can check the rest: the attachments and sets that existed. The
// restore first gives the world the same lists (state/restore.c).
#ifndef PLI_STATE_SNAPSHOT_H
#define PLI_STATE_SNAPSHOT_H

#include "model/model.h"

// The record of an attachment when it was made.
typedef struct pli_attachment_record {
    uint32_t id, set;          // Ids of the attachment and of its set; 0 for none.
    int32_t deformable, rigid; // Numbers in the world's lists; -1 for no rigid body.
    bool fixed, enabled;
    int32_t first, count; // Its particles in the table.
} pli_attachment_record;

typedef struct pli_snapshot_table {
    pli_attachment_record *attachments;
    int32_t attachment_count;
    uint32_t *sets; // Ids, in order.
    int32_t set_count;
    int32_t *vertices; // Particles of all attachments, as vertices.
    int32_t vertex_count, vertex_capacity;
} pli_snapshot_table;

// Checks the length, the checksum and the layout.
pli_status pli_snapshot_check(const pli_world *world, const void *buffer, size_t size, pli_error *error);
// Reads the table of a snapshot after its bytes were checked. Errors: CORRUPT when deformables, colliders or bodies
// differ from those of the world; OUT_OF_MEMORY. The caller must release the table in any case.
pli_status pli_snapshot_table_read(pli_world *world, const void *buffer, size_t size, pli_snapshot_table *table,
                                   pli_error *error);
void pli_snapshot_table_release(pli_world *world, pli_snapshot_table *table);
// Whether the attachment equals the i-th attachment of the snapshot except for its id.
bool pli_snapshot_has_attachment(const pli_world *world, const pli_snapshot_table *table, int32_t i,
                                 const pli_attachment_data *attachment);
// Reads a snapshot into a world that already has its lists. On failure the world is unchanged.
pli_status pli_snapshot_restore(pli_world *world, const void *buffer, size_t size, pli_error *error);
pli_status pli_snapshot_is_of_another_world(pli_error *error);

#endif
