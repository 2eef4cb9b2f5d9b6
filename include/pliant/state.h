/// Pliant, state: cooked constraint sets, hashes and snapshots of a world.
#ifndef PLIANT_STATE_H
#define PLIANT_STATE_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that pli_world_cooked_write needs.
PLI_API size_t pli_world_cooked_size(const pli_world *world);
/// Writes the cooked form of all constraint sets (schedule, order, rest values), portable, with a checksum, so that a
/// world made the same way later need not cook. UNSUPPORTED when a deformable tears or was cut.
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
/// Writes everything that a run depends on (state, parameters, poses, time) in a portable form.
PLI_API pli_status pli_world_snapshot_write(const pli_world *world, void *buffer, size_t size, pli_error *error);
/// Restores it into a world made the same way (same meshes, sets and colliders in the same order);
/// the run then goes on to the same bits. CORRUPT when it belongs elsewhere; the world is unchanged.
PLI_API pli_status pli_world_snapshot_read(pli_world *world, const void *buffer, size_t size, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
