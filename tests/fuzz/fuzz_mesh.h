// One run of a mesh reader on any bytes, and what must hold of a mesh and its attributes that it accepts.
#ifndef PLIANT_TESTS_FUZZ_MESH_H
#define PLIANT_TESTS_FUZZ_MESH_H

#include <pliant/mesh_file.h>

#include <stdio.h>
#include <stdlib.h>

static inline void fuzz_silent(void *user, pli_log_level level, const char *message)
{
    (void)user, (void)level, (void)message;
}

static inline void fuzz_must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

// Every corner's render vertex is the vertex of the mesh that is there, and groups name elements of the mesh.
static inline void fuzz_check_attributes(const pli_mesh *mesh, const pli_mesh_attributes *a)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    for (int32_t i = 0; i < a->vertex_count; i++)
        fuzz_must(a->vertex_map[i] >= 0 && a->vertex_map[i] < t->vertex_count, "the map stays in the mesh");
    for (int32_t c = 0; c < t->corner_count; c++)
        fuzz_must(a->corners[c] >= 0 && a->corners[c] < a->vertex_count &&
                      a->vertex_map[a->corners[c]] == t->face_vertices[c],
                  "corners map to their vertices");
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        fuzz_must(a->vertex_map[a->triangles[i]] == t->triangles[i], "triangles map to their vertices");
    for (int32_t i = 0; i < a->attribute_count; i++) {
        const pli_mesh_attribute *attribute = &a->attributes[i];
        int64_t count = attribute->domain == PLI_ATTRIBUTE_FACE ? t->face_count : a->vertex_count;
        volatile float last = count > 0 ? attribute->values[count * attribute->width - 1] : 0.0f;
        (void)last;
    }
    for (int32_t i = 0; i < a->group_count; i++)
        for (int32_t k = 0; k < a->groups[i].count; k++) {
            int32_t most = a->groups[i].kind == PLI_GROUP_VERTICES ? t->vertex_count : t->face_count;
            fuzz_must(a->groups[i].elements[k] >= 0 && a->groups[i].elements[k] < most, "groups stay in the mesh");
        }
}

static inline pli_mesh_import_def fuzz_import(bool repair, pli_mesh_attributes **attributes)
{
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.policy = repair ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
    import.weld = repair;
    import.attributes = attributes;
    import.hooks.log = fuzz_silent;
    return import;
}

static inline void fuzz_mesh(const void *data, size_t size, const char *format)
{
    for (int repair = 0; repair < 2; repair++) {
        pli_mesh *mesh;
        pli_mesh_attributes *attributes;
        pli_mesh_report report;
        pli_error error;
        pli_mesh_import_def import = fuzz_import(repair, &attributes);
        if (pli_mesh_read_memory(data, size, format, &import, &mesh, &report, &error) != PLI_STATUS_OK)
            continue;
        fuzz_check_attributes(mesh, attributes);
        pli_mesh_attributes_destroy(attributes);
        pli_mesh_destroy(mesh);
    }
}

#endif
