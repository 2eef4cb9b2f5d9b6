/// Pliant, base: status codes, messages, small vectors, hooks, borrowed arrays.
///
/// Conventions of every public header. SI units, stated in brackets. `float` state. Counts and
/// indices are `int32_t`. Functions that can fail for a reason from outside (a file, a mesh, a
/// parameter, memory) return a pli_status and fill an optional pli_error; on failure nothing has
/// changed. Programmer errors (a null handle, a definition not made by its default function) hit
/// the assertion hook. There is no global state: two worlds may be used from two threads. One
/// object must not be used from two threads at once unless both only read.
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLI_VERSION_MAJOR 0
#define PLI_VERSION_MINOR 1
#define PLI_VERSION_PATCH 0
#define PLI_VERSION_STRING "0.1.0"

#if defined(PLI_SHARED) && defined(PLI_BUILDING)
#define PLI_API __attribute__((visibility("default")))
#else
#define PLI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a call that can fail returns. Zero is success.
typedef enum pli_status {
    PLI_STATUS_OK = 0,           ///< Done.
    PLI_STATUS_INVALID_ARGUMENT, ///< A value out of its range, or values that contradict each other.
    PLI_STATUS_INVALID_MESH,     ///< The mesh was refused; the message names the element.
    PLI_STATUS_NOT_FOUND,        ///< No such file, type, generator, parameter or handle.
    PLI_STATUS_OUT_OF_MEMORY,    ///< The allocator returned null.
    PLI_STATUS_NON_FINITE,       ///< The state blew up; the last good state has been restored.
    PLI_STATUS_FILE,             ///< A file could not be opened, read or written.
    PLI_STATUS_PARSE,            ///< A file's content is not what its format demands.
    PLI_STATUS_UNSUPPORTED,      ///< Valid, but not available in this build or for this object.
    PLI_STATUS_CORRUPT,          ///< A snapshot or cache fails its checksum or belongs elsewhere.
    PLI_STATUS_CANCELLED,        ///< The caller asked to stop; everything written is whole.
    PLI_STATUS_COUNT
} pli_status;

/// The name of a status in lower case, such as "invalid argument". Never null.
PLI_API const char *pli_status_name(pli_status status);

/// Why a call failed: what, where, and the mend. Every `pli_error *` parameter may be null.
typedef struct pli_error {
    pli_status status;
    char message[500]; ///< One line of UTF-8 without a newline at its end.
} pli_error;

/// Fills `error` unless it is null, and returns `status`: for functions that fail in the library's own
/// way. The message is one line: what is wrong, where, and the mend. `format` as of printf.
PLI_API pli_status pli_fail(pli_error *error, pli_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Clears `error` unless it is null, and returns PLI_STATUS_OK.
PLI_API pli_status pli_succeed(pli_error *error);

/// Frees a text that a function of Pliant returned to the caller. Null is allowed.
PLI_API void pli_text_release(char *text);

/// Version of the library in use, such as "0.1.0".
PLI_API const char *pli_version(void);

typedef struct pli_vec3 {
    float x, y, z;
} pli_vec3;

/// Unit quaternion; identity is {0, 0, 0, 1}.
typedef struct pli_quat {
    float x, y, z, w;
} pli_quat;

/// Rigid pose: rotate, then translate.
typedef struct pli_transform {
    pli_vec3 position; ///< [m]
    pli_quat rotation; ///< Unit length to 1e-3; normalised on entry.
} pli_transform;

/// The identity pose.
PLI_API pli_transform pli_transform_identity(void);

/// A borrowed array of 3-vectors: element i lies at `(const char *)data + i * stride`.
/// Valid until the owning object is changed, stepped or destroyed.
typedef struct pli_view {
    const float *data; ///< Null when count is 0.
    int32_t count;     ///< Number of 3-vectors.
    int32_t stride;    ///< Bytes from one to the next, >= 12.
} pli_view;

/// Element i of a view. Precondition: 0 <= i < view.count.
static inline const float *pli_view_at(pli_view view, int32_t i)
{
    return (const float *)(const void *)((const char *)(const void *)view.data + (ptrdiff_t)i * view.stride);
}

typedef enum pli_log_level { PLI_LOG_INFO, PLI_LOG_WARNING, PLI_LOG_ERROR } pli_log_level;

/// How an object allocates, logs and reports programmer errors. Copied when passed.
/// The functions may be called from the thread that calls into the object, never from workers.
typedef struct pli_hooks {
    void *(*allocate)(void *user, size_t size, size_t alignment); ///< Null on failure. alignment is a power of two.
    void (*release)(void *user, void *memory, size_t size);       ///< memory is never null.
    void (*log)(void *user, pli_log_level level, const char *message);
    void (*assertion)(void *user, const char *condition, const char *file, int32_t line); ///< Default prints, aborts.
    void *user;
} pli_hooks;

/// malloc and free, warnings to stderr, abort on a programmer error.
PLI_API pli_hooks pli_hooks_default(void);

/// One item of parallel work. `index` runs from 0 to count - 1.
typedef void (*pli_task)(void *data, int32_t index);

/// Runs the engine's batches on the host's own threads. Leave `run` null to use the engine's pool.
typedef struct pli_task_hooks {
    /// Calls task(data, i) once for each i in [0, count), on any threads in any order, and
    /// returns when all have returned. Results do not depend on the order or the threads.
    void (*run)(void *user, int32_t count, pli_task task, void *data);
    void *user;
} pli_task_hooks;

#ifdef __cplusplus
}
#endif
#endif
