/// Pliant, base. Base types of every Pliant header: status and error, vectors and poses, read-only array views, and
/// callbacks of the application for memory, log messages, assertions and threads.
///
///     pli_error error;
///     if (pli_world_create(&def, &world, &error) != PLI_STATUS_OK)
///         fprintf(stderr, "%s\n", error.message);   // "thread_count is 0; it must be 1 to 64"
///
/// Conventions of every public header:
///
/// - Units are SI and given in brackets, for example [m/s]. Particle state is 32-bit float. Counts and indices are
///   int32_t.
/// - Functions that depend on files, meshes, parameter values or memory return a pli_status and fill an optional
///   pli_error. A call that fails leaves every object as it was.
/// - Misuse (a null object pointer, a definition not initialised by its *_default function) calls pli_hooks.assertion. A
///   handle that is null, stale or of another world is not misuse: the function returns PLI_STATUS_NOT_FOUND.
/// - A missing file gives PLI_STATUS_FILE. A name in a file that refers to nothing gives PLI_STATUS_NOT_FOUND.
/// - There is no global state. Several threads may use one object simultaneously only through functions that take it as
///   const. Different worlds are independent.
/// - Callbacks (hooks, contact filter, vertex source, air field, substep and topology callback) run on the thread that
///   called the library, never on a worker; in pli_worlds_step, on the thread that steps the world. Only
///   pli_task_hooks.run executes tasks on other threads.
/// - A `const char *` or array that a function returns is borrowed: it is valid until its object is changed or destroyed.
///   A returned `char *` belongs to the caller, who frees it with pli_text_release.
///
/// - Start every definition from its *_default function, and change single fields. A definition that is all zero is refused
///   or means something else.
/// - Getters of simple values return them: 0, NaN, NULL or an empty view stand for a handle that is not found. Getters of
///   structs, pli_x_get_y, fill a pointer and return a status.
///
/// There is no binary compatibility between versions before 1.0. pli_world_create refuses headers of another version than the
/// library's.
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLI_VERSION_MAJOR 0
#define PLI_VERSION_MINOR 1
#define PLI_VERSION_PATCH 0
#define PLI_VERSION_STRING "0.1.0"

#if defined(_WIN32) && defined(PLI_SHARED) && defined(PLI_BUILDING)
#define PLI_API __declspec(dllexport)
#elif defined(_WIN32) && defined(PLI_SHARED)
#define PLI_API __declspec(dllimport)
#elif defined(PLI_SHARED) && defined(PLI_BUILDING)
#define PLI_API __attribute__((visibility("default")))
#else
#define PLI_API
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PLI_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#elif defined(_MSC_VER)
#define PLI_PRINTF(text, first)
#else
#define PLI_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the headers as one number.
enum { PLI_VERSION_NUMBER = PLI_VERSION_MAJOR * 10000 + PLI_VERSION_MINOR * 100 + PLI_VERSION_PATCH };

/// The result of a call that can fail. Zero is success.
typedef enum pli_status {
    PLI_STATUS_OK = 0,           ///< Success.
    PLI_STATUS_INVALID_ARGUMENT, ///< A value is out of its range, or values contradict each other.
    PLI_STATUS_INVALID_MESH,     ///< The mesh was refused; the message names the element.
    PLI_STATUS_NOT_FOUND,        ///< There is no such type, generator, parameter, object or handle.
    PLI_STATUS_OUT_OF_MEMORY,    ///< The allocator returned null.
    /// The simulation diverged: a position or velocity is NaN, infinite or above 1e15. The state before the step has been
    /// restored.
    PLI_STATUS_NON_FINITE,
    PLI_STATUS_FILE,        ///< A file is missing, or could not be opened, read or written.
    PLI_STATUS_PARSE,       ///< The content of a file violates its format.
    PLI_STATUS_UNSUPPORTED, ///< Valid, but not available in this build or for this object.
    PLI_STATUS_CORRUPT,     ///< A snapshot or cache is damaged, or was made for another world, scene or version.
    PLI_STATUS_CANCELLED,   ///< Cancelled by the caller. Files written so far are complete and readable.
    PLI_STATUS_COUNT
} pli_status;

/// Returns the name of a status in lower case, such as "invalid argument". Never null.
PLI_API const char *pli_status_name(pli_status status);

/// The name of an enumeration value in scenes: pli_choice_name("method", PLI_METHOD_XPBD) is "xpbd". Lists: "method", "order",
/// "sweeps", "integrator", "simd", "ccd", "origin", "stretch", "self_contact", "yields", "shape", "grid_pattern", "measure",
/// "stage", "sense", "log_level", "finding", "guess", "joint". "unknown" if there is no such list or value. A constant, never
/// null. pliant/descriptor.h has labels and meanings (pli_choices_find).
PLI_API const char *pli_choice_name(const char *list, int32_t value);

/// The value with this name: pli_choice_value("method", "xpbd") is PLI_METHOD_XPBD. -1 if there is no such list or name.
PLI_API int32_t pli_choice_value(const char *list, const char *name);

/// The reason of a failure: what failed, where, and how to fix it. Every `pli_error *` parameter may be NULL.
typedef struct pli_error {
    pli_status status;
    char message[500]; ///< One line of UTF-8 without a newline at the end.
} pli_error;

/// For callbacks and extensions: writes a printf-style message to `error` (may be NULL) and returns `status`, as library
/// functions do.
PLI_API pli_status pli_fail(pli_error *error, pli_status status, const char *format, ...) PLI_PRINTF(3, 4);

/// Clears `error` unless it is null, and returns PLI_STATUS_OK.
PLI_API pli_status pli_succeed(pli_error *error);

/// Frees a text that a Pliant function returned to the caller. Null is allowed.
PLI_API void pli_text_release(char *text);

/// Returns the version of the library in use, such as "0.1.0".
PLI_API const char *pli_version(void);

/// A vector or point, in metres unless stated otherwise.
typedef struct pli_vec3 {
    float x, y, z;
} pli_vec3;

/// Unit quaternion; identity is {0, 0, 0, 1}.
typedef struct pli_quat {
    float x, y, z, w;
} pli_quat;

/// Rigid pose: a rotation, followed by a translation.
typedef struct pli_transform {
    pli_vec3 position; ///< [m]
    pli_quat rotation; ///< Must have length 1 within 1e-3; the library normalises it.
} pli_transform;

/// Returns the identity pose.
PLI_API pli_transform pli_transform_identity(void);

/// A read-only view of 3-vectors that another object owns: element i is at `(const char *)data + i * stride`. It becomes
/// invalid when that object is changed, stepped or destroyed.
typedef struct pli_view {
    const float *data; ///< Null when count is 0.
    int32_t count;     ///< Number of 3-vectors.
    int32_t stride;    ///< Bytes from one vector to the next, >= 12.
} pli_view;

/// Returns element i of a view. Precondition: 0 <= i < view.count.
static inline const float *pli_view_at(pli_view view, int32_t i)
{
    const void *data = view.data;
#ifdef __cplusplus
    return static_cast<const float *>(
        static_cast<const void *>(static_cast<const char *>(data) + static_cast<ptrdiff_t>(i) * view.stride));
#else
    return (const float *)(const void *)((const char *)data + (ptrdiff_t)i * view.stride);
#endif
}

typedef enum pli_log_level { PLI_LOG_INFO, PLI_LOG_WARNING, PLI_LOG_ERROR } pli_log_level;

/// Callbacks of the application for memory, messages and assertions. The struct is copied; `user` must outlive the object
/// that uses it. All callbacks run on the thread that called the library, or on the thread that steps the world in
/// pli_worlds_step. Where a function is NULL, the default is used.
typedef struct pli_hooks {
    void *(*allocate)(void *user, size_t size, size_t alignment); ///< Null on failure. alignment is a power of two.
    void (*release)(void *user, void *memory, size_t size);       ///< memory is never null.
    void (*log)(void *user, pli_log_level level, const char *message);
    void (*assertion)(void *user, const char *condition, const char *file, int32_t line); ///< Default prints, aborts.
    void *user;
} pli_hooks;

/// The defaults: malloc and free, warnings and errors to stderr, abort on misuse.
PLI_API pli_hooks pli_hooks_default(void);

/// One item of parallel work. `index` runs from 0 to count - 1.
typedef void (*pli_task)(void *data, int32_t index);

/// Runs the parallel loops of a step on the job system of the application instead of Pliant's thread pool. Leave `run` NULL
/// to use the pool.
typedef struct pli_task_hooks {
    /// Calls task(data, i) once for each i in [0, count), on any threads and in any order, and returns when all calls have
    /// returned. Results depend neither on the order nor on the threads.
    void (*run)(void *user, int32_t count, pli_task task, void *data);
    void *user;
} pli_task_hooks;

#ifdef __cplusplus
}
#endif
#endif
