// Lists of objects, and the objects of handles.
#ifndef PLI_MODEL_HANDLES_H
#define PLI_MODEL_HANDLES_H

#include "model/model.h"

// Whether the world may be changed. A callback must not change it while the call that invoked the callback runs; this fails then.
bool pli_world_may_change(const pli_world *world, pli_error *error);
// Enclose code that may invoke a user callback: the callback can read the world, but not change it.
static inline void pli_world_begin_call(const pli_world *world) { ((pli_world *)(uintptr_t)world)->memory.asking++; }
static inline void pli_world_end_call(const pli_world *world) { ((pli_world *)(uintptr_t)world)->memory.asking--; }

// The object with the id, or null.
void *pli_list_find(const pli_list *list, uint32_t id);
bool pli_list_add(pli_memory *memory, pli_list *list, void *item);
void pli_list_remove(pli_list *list, const void *item);

// The object of a handle; without one, null and the failure NOT_FOUND.
pli_deformable_data *pli_deformable_get(const pli_world *world, pli_deformable handle, pli_error *error);
pli_constraints_data *pli_constraints_get(const pli_world *world, pli_constraints handle, pli_error *error);
pli_attachment_data *pli_attachment_get(const pli_world *world, pli_attachment handle, pli_error *error);
pli_collider_data *pli_collider_data_of(const pli_world *world, pli_collider handle, pli_error *error);
pli_rigid_body_data *pli_rigid_get(const pli_world *world, pli_rigid_body handle, pli_error *error);

#endif
