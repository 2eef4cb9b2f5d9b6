// Pliant for Python, memory that arrays look at. numpy arrays are views of a world's memory, without copies, and may
// live longer than what they show: cloth that grows by a tear, a world that is destroyed. The worlds of the Python
// package therefore take their memory from here, where a block that somebody keeps is freed only when it is let go.
#ifndef PLIANT_PYTHON_KEPT_MEMORY_H
#define PLIANT_PYTHON_KEPT_MEMORY_H

#include "pliant/base.h"

/// Hooks whose memory can be kept. They need no `user`, since what is kept is kept for the whole process: an array may
/// outlive its world.
PLI_API pli_hooks pli_python_hooks(void);

/// Keeps the block of pli_python_hooks that has this address until as many calls of pli_python_drop. The caller has
/// exclusive use of the world that the block belongs to. False when memory runs out. Safe from any thread.
PLI_API bool pli_python_keep(const void *address);
/// Lets an address go that was kept. A block that its world has given back is freed with the last one. Safe from any
/// thread.
PLI_API void pli_python_drop(const void *address);

/// Bytes that worlds have given back and that are kept for arrays.
PLI_API int64_t pli_python_kept_bytes(void);

#endif
