// Mesh files from memory, with what they say beside the shape.
#include "../web.h"

#include <pliant/guess.h>
#include <pliant/mesh_file.h>

#include <string.h>

static pli_mesh_attributes *attributes;

/// Null when it fails. The attributes stay until the next mesh is read.
EXPORT(mesh_read)
pli_mesh *web_mesh_read(const void *data, size_t size, const char *format, bool repair, bool weld, float scale)
{
    pli_mesh *mesh = NULL;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_mesh_attributes_destroy(attributes);
    attributes = NULL;
    import.policy = repair ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
    import.weld = weld, import.scale = scale;
    import.attributes = &attributes;
    web_error.status = pli_mesh_read_memory(data, size, format, &import, &mesh, NULL, &web_error);
    return mesh;
}

EXPORT(mesh_read_attributes) const pli_mesh_attributes *web_mesh_read_attributes(void) { return attributes; }

/// Values: render vertices, address of their map, address of the triangles, attributes, groups.
EXPORT(attributes_info) void web_attributes_info(const pli_mesh_attributes *from)
{
    web_values[0] = from->vertex_count;
    web_values[1] = (double)(uintptr_t)from->vertex_map;
    web_values[2] = (double)(uintptr_t)from->triangles;
    web_values[3] = from->attribute_count;
    web_values[4] = from->group_count;
}

/// Values: address of the name, whether it is of faces, width, address of the numbers.
EXPORT(attributes_at) void web_attributes_at(const pli_mesh_attributes *from, int32_t i)
{
    const pli_mesh_attribute *attribute = &from->attributes[i];
    web_values[0] = (double)(uintptr_t)attribute->name;
    web_values[1] = attribute->domain == PLI_ATTRIBUTE_FACE;
    web_values[2] = attribute->width;
    web_values[3] = (double)(uintptr_t)attribute->values;
}

/// Values: address of the name, kind, elements, their address, that of the weights.
EXPORT(attributes_group_at) void web_attributes_group_at(const pli_mesh_attributes *from, int32_t i)
{
    const pli_mesh_group *group = &from->groups[i];
    web_values[0] = (double)(uintptr_t)group->name;
    web_values[1] = group->kind;
    web_values[2] = group->count;
    web_values[3] = (double)(uintptr_t)group->elements;
    web_values[4] = (double)(uintptr_t)group->weights;
}

/// The text of a scene, which the caller releases (text_release); null when it fails. `file` may be null. Values: kind, unit, whether it is closed and
/// flat, pins, joints.
EXPORT(mesh_guess)
char *web_mesh_guess(const pli_mesh *mesh, int32_t kind, const char *file, const char *name, float scale, bool weld,
                     bool repair, double unit, bool z_up, bool ground)
{
    pli_guess_def def = pli_guess_def_default();
    pli_guess guess;
    char *scene = NULL;
    def.kind = (pli_guess_kind)kind;
    def.file = file, def.name = name;
    def.scale = scale, def.weld = weld, def.repair = repair;
    def.unit = unit, def.z_up = z_up, def.ground = ground;
    web_error.status = pli_mesh_guess(mesh, &def, &guess, &scene, &web_error);
    if (web_error.status != PLI_STATUS_OK)
        return NULL;
    web_values[0] = guess.kind;
    web_values[1] = guess.unit;
    web_values[2] = guess.closed, web_values[3] = guess.flat;
    web_values[4] = guess.pin_count, web_values[5] = guess.join_count;
    return scene;
}
