/// Pliant, state: snapshots, the state hash, and cooked (precomputed) constraint sets, which make start-up fast.
///
///     size_t size = pli_world_snapshot_size(world);
///     void *snapshot = malloc(size);
///     pli_world_snapshot_write(world, snapshot, size, &error);
///     ...
///     pli_world_snapshot_read(world, snapshot, size, &error);   // the run continues bit for bit
///
///     pli_world_set_cooked(next, buffer, size, &error);         // before the same sets are created again
///
/// Snapshots and cooked sets are portable between processors and have a checksum. Untrusted bytes are safe to read. Two worlds
/// whose hashes are equal after a step have bit-identical positions and velocities, except for a collision of 64-bit hashes.
#ifndef PLIANT_STATE_H
#define PLIANT_STATE_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that pli_world_cooked_write needs.
PLI_API size_t pli_world_cooked_size(const pli_world *world);
/// Writes the schedules, orders and rest values of all sets. pli_world_set_cooked then creates the same sets later without this
/// computation. Errors: UNSUPPORTED if a deformable may tear or was cut.
PLI_API pli_status pli_world_cooked_write(const pli_world *world, void *buffer, size_t size, pli_error *error);
/// Sets a buffer of cooked sets. Constraint sets that are created from now on, including the sets of soft attachments, are read
/// from `buffer` in the order in which they were written, and are bit-identical to newly cooked sets. The creation of a set fails
/// with CORRUPT if its entry was cooked from another mesh, type, generator, list or order, or by another version. Indices are
/// checked, so untrusted bytes are safe. `buffer` is borrowed until the last set is created, or until a call with null, after
/// which sets are cooked again. Errors: CORRUPT or UNSUPPORTED if the buffer as a whole is not usable; sets are then cooked.
PLI_API pli_status pli_world_set_cooked(pli_world *world, const void *buffer, size_t size, pli_error *error);

/// 64-bit hash of the bits of all positions and velocities, in the order of the caller's vertices.
PLI_API uint64_t pli_world_hash(const pli_world *world);

/// Bytes that pli_world_snapshot_write needs.
PLI_API size_t pli_world_snapshot_size(const pli_world *world);
/// Writes a snapshot of everything that a run depends on: state, settings, parameters, poses, time, and the properties of
/// deformable and collider definitions that can change while the object exists. Tearing thresholds (pli_tearing) are not
/// included.
PLI_API pli_status pli_world_snapshot_write(const pli_world *world, void *buffer, size_t size, pli_error *error);
/// Restores a snapshot into a world that was created in the same way: with the same meshes, sets, colliders and rigid bodies in
/// the same order. The run then continues bit-identically. Attachments, including the attachments of grabs, may differ. The
/// attachments of the snapshot are created again, with the ids of their handles, and later attachments are destroyed, so a run
/// can go back to before a pin or a grab. If attachments differ, all other objects must have the ids that they had in the
/// snapshot. This is so in the same world, and in a world in which the same calls were made. Errors: CORRUPT for a snapshot of
/// another world; this world is then unchanged.
PLI_API pli_status pli_world_snapshot_read(pli_world *world, const void *buffer, size_t size, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
