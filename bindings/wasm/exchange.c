// Memory, numbers and messages that go between JavaScript and the library.
#include "web.h"

#include <stdlib.h>

double web_values[WEB_VALUES];
pli_error web_error;

EXPORT(values) double *web_get_values(void) { return web_values; }
EXPORT(values_count) int32_t web_values_count(void) { return WEB_VALUES; }

EXPORT(memory_take) void *web_memory_take(size_t size) { return malloc(size ? size : 1); }
EXPORT(memory_give) void web_memory_give(void *memory) { free(memory); }

EXPORT(error_message) const char *web_error_message(void) { return web_error.message; }
/// The status of the last call that gives an object, and gave none.
EXPORT(error_status) pli_status web_error_status(void) { return web_error.status; }
EXPORT(status_name) const char *web_status_name(pli_status status) { return pli_status_name(status); }
EXPORT(version) const char *web_version(void) { return pli_version(); }
EXPORT(simd_available) bool web_simd_available(const char *name)
{
    const int32_t simd = pli_choice_value("simd", name);
    return simd >= 0 && pli_simd_available((pli_simd)simd);
}

pli_vec3 web_vector(int32_t first)
{
    const double *v = web_values + first;
    return (pli_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

pli_transform web_pose(int32_t first)
{
    const double *r = web_values + first + 3;
    return (pli_transform){web_vector(first), {(float)r[0], (float)r[1], (float)r[2], (float)r[3]}};
}

double *web_put_vector(double *to, pli_vec3 vector)
{
    to[0] = (double)vector.x, to[1] = (double)vector.y, to[2] = (double)vector.z;
    return to + 3;
}

double *web_put_pose(double *to, pli_transform pose)
{
    to = web_put_vector(to, pose.position);
    to[0] = (double)pose.rotation.x, to[1] = (double)pose.rotation.y;
    to[2] = (double)pose.rotation.z, to[3] = (double)pose.rotation.w;
    return to + 4;
}

void web_put_view(pli_view view)
{
    web_values[0] = (double)(uintptr_t)view.data;
    web_values[1] = view.count;
    web_values[2] = view.stride;
}
