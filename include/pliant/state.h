/// Pliant, state: snapshots, the state hash, and cooked constraint sets that make a start fast.
///
///     size_t size = pli_world_snapshot_size(world);
///     void *snapshot = malloc(size);
///     pli_world_snapshot_write(world, snapshot, size, &error);
///     ...
///     pli_world_snapshot_read(world, snapshot, size, &error);   // the run continues bit for bit
///
///     pli_world_set_cooked(next, buffer, size, &error);         // before the same sets are created again
///
/// Both forms are portable between processors and checksummed; bytes from anywhere are safe to read. Two worlds whose
/// hashes are equal after a step have, but for a collision of 64 bits, the same positions and velocities to the bit.
#ifndef PLIANT_STATE_H
#define PLIANT_STATE_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that pli_world_cooked_write needs.
PLI_API size_t pli_world_cooked_size(const pli_world *world);
/// Writes schedules, orders and rest values of all sets, portable and checksummed, so that the same sets can later be
/// created without computing them. UNSUPPORTED when a deformable tears or was cut.
PLI_API pli_status pli_world_cooked_write(const pli_world *world, void *buffer, size_t size, pli_error *error);
/// Constraint sets made from now on (those of soft attachments too) are taken from `buffer`, one after the other in
/// the order they were written, instead of being cooked: the same to the bit. A set that was cooked from another
/// mesh, type, generator, list or order, or by another version, is refused with CORRUPT when it is made; indices
/// are checked, so bytes from anywhere are safe. `buffer` is borrowed until the last set is made, or until this is
/// called with null, after which sets are cooked again. CORRUPT or UNSUPPORTED when the buffer as a whole is not
/// usable; sets are then cooked.
PLI_API pli_status pli_world_set_cooked(pli_world *world, const void *buffer, size_t size, pli_error *error);

/// 64-bit hash of all positions and velocities, bit by bit, in the user's order.
PLI_API uint64_t pli_world_hash(const pli_world *world);

/// Bytes that pli_world_snapshot_write needs.
PLI_API size_t pli_world_snapshot_size(const pli_world *world);
/// Writes everything that a run depends on (state, parameters, what the definitions of deformables and colliders can be
/// set to while they live, poses, time) in a portable form; but for thresholds of tearing and limits of stretch.
PLI_API pli_status pli_world_snapshot_write(const pli_world *world, void *buffer, size_t size, pli_error *error);
/// Restores it into a world created the same way (same meshes, sets, colliders and rigid bodies in the same order); the run then
/// continues bit for bit. Attachments, with those of grabs, need not be the same: those that were there then are there again,
/// with the ids that their handles had, and those made since are destroyed, so that a run goes back over pins and grabs. (Where
/// they differ, the world has to have given its other objects the ids that they had then, as the same world has, and one in which
/// the same calls were made.) CORRUPT when it was made for another world; this one is then unchanged.
PLI_API pli_status pli_world_snapshot_read(pli_world *world, const void *buffer, size_t size, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
