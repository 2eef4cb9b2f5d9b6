/// Pliant, handles: references to the objects of a world.
///
///     pli_deformable cape = pli_world_deformable_find(world, "cape");
///     if (cape.id == 0) ...                         // the null handle: there is none
///     pli_deformable_destroy(world, cape, NULL);
///     pli_deformable_destroy(world, cape, NULL);    // PLI_STATUS_NOT_FOUND: stale
///
/// A world owns every object created in it. A handle consists of an id and the tag of its world, both 32 bits. Ids count up
/// from 1 in the order of creation and are never reused; the id 0 is the null handle. Functions return NOT_FOUND for a stale
/// handle and for a handle of another world. Two handles of one world are equal if their ids are equal. Tags differ from run to
/// run: do not store them.
#ifndef PLIANT_HANDLES_H
#define PLIANT_HANDLES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A simulation; see pliant/world.h.
typedef struct pli_world pli_world;

/// A surface of particles; see pliant/deformable.h.
typedef struct pli_deformable {
    uint32_t id;    ///< Counts up from 1 in a world; 0 is null.
    uint32_t world; ///< Tag of the world that owns the object.
} pli_deformable;
/// Constraints of one type on one deformable; see pliant/constraints.h.
typedef struct pli_constraints {
    uint32_t id;    ///< Counts up from 1 in a world; 0 is null.
    uint32_t world; ///< Tag of the world that owns the object.
} pli_constraints;
/// Particles that follow a frame or a rigid body; see pliant/attachment.h.
typedef struct pli_attachment {
    uint32_t id;    ///< Counts up from 1 in a world; 0 is null.
    uint32_t world; ///< Tag of the world that owns the object.
} pli_attachment;
/// A shape that deformables do not enter; see pliant/collider.h.
typedef struct pli_collider {
    uint32_t id;    ///< Counts up from 1 in a world; 0 is null.
    uint32_t world; ///< Tag of the world that owns the object.
} pli_collider;
/// The proxy of a rigid body; see pliant/rigid.h.
typedef struct pli_rigid_body {
    uint32_t id;    ///< Counts up from 1 in a world; 0 is null.
    uint32_t world; ///< Tag of the world that owns the object.
} pli_rigid_body;   ///< See pliant/rigid.h.

#ifdef __cplusplus
}
#endif
#endif
