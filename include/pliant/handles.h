/// Pliant, handles: the names by which the objects of a world are called.
///
/// Handles are small values; zero is null; a handle of a destroyed object is recognised and answered with NOT_FOUND.
#ifndef PLIANT_HANDLES_H
#define PLIANT_HANDLES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_world pli_world;

typedef struct pli_deformable {
    uint32_t id;    ///< Counts up in a world; 0 is null.
    uint32_t world; ///< Tells worlds apart: a handle of another one is not found.
} pli_deformable;
typedef struct pli_constraint_set {
    uint32_t id;    ///< Counts up in a world; 0 is null.
    uint32_t world; ///< Tells worlds apart: a handle of another one is not found.
} pli_constraint_set;
typedef struct pli_attachment {
    uint32_t id;    ///< Counts up in a world; 0 is null.
    uint32_t world; ///< Tells worlds apart: a handle of another one is not found.
} pli_attachment;
typedef struct pli_collider {
    uint32_t id;    ///< Counts up in a world; 0 is null.
    uint32_t world; ///< Tells worlds apart: a handle of another one is not found.
} pli_collider;
typedef struct pli_rigid_body {
    uint32_t id;    ///< Counts up in a world; 0 is null.
    uint32_t world; ///< Tells worlds apart: a handle of another one is not found.
} pli_rigid_body;   ///< See pliant/rigid.h.

#ifdef __cplusplus
}
#endif
#endif
