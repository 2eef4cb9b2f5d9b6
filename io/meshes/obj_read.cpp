// Reads OBJ through tinyobjloader's callbacks, which keep the file's vertex order and its polygons.
// The loader reads unparsable numbers as zero, so the grammar is checked first.
#include "meshes/obj_read.h"

#include "meshes/obj_grammar.h"

#include <tiny_obj_loader.h>

#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct reading {
    pli_polygons *polygons;
    std::vector<int32_t> corners;
    bool failed;
};

void on_vertex(void *user, tinyobj::real_t x, tinyobj::real_t y, tinyobj::real_t z, tinyobj::real_t)
{
    auto *r = static_cast<reading *>(user);
    r->failed = r->failed || !pli_polygons_add_vertex(r->polygons, x, y, z);
}

void on_face(void *user, tinyobj::index_t *indices, int count)
{
    auto *r = static_cast<reading *>(user);
    r->corners.clear();
    for (int i = 0; i < count; i++) {
        int index = indices[i].vertex_index;
        r->corners.push_back(index > 0 ? index - 1 : r->polygons->vertex_count + index);
    }
    r->failed = r->failed || !pli_polygons_add_face(r->polygons, r->corners.data(), count);
}

pli_status load(std::string &text, const char *name, pli_polygons *polygons, pli_error *error)
{
    pli_obj_count count;
    pli_status status = pli_obj_look_over(&text[0], text.size(), name, &count, error);
    if (status != PLI_STATUS_OK)
        return status;
    reading r = {polygons, {}, false};
    tinyobj::callback_t callback;
    callback.vertex_cb = on_vertex;
    callback.index_cb = on_face;
    std::istringstream stream(text);
    std::string warning, failure;
    bool read = tinyobj::LoadObjWithCallback(stream, callback, &r, nullptr, &warning, &failure);
    if (r.failed)
        return pli_io_fail_memory(error);
    if (!read || polygons->face_count != count.faces || polygons->vertex_count != count.vertices)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: %d of %d faces and %d of %d vertices could be read: %.200s", name,
                        (int)polygons->face_count, (int)count.faces, (int)polygons->vertex_count, (int)count.vertices,
                        failure.c_str());
    return pli_succeed(error);
}

} // namespace

extern "C" pli_status pli_read_obj(const char *data, size_t size, const char *name, pli_polygons *polygons,
                                   pli_error *error)
{
    try {
        std::string text(data, size);
        if (text.compare(0, 3, "\xef\xbb\xbf") == 0)
            text.erase(0, 3);
        if (text.find('\0') != std::string::npos)
            return pli_fail(error, PLI_STATUS_PARSE, "%s: there are zero bytes in it; this is not an OBJ file", name);
        return load(text, name, polygons, error);
    } catch (const std::exception &) {
        return pli_io_fail_memory(error);
    }
}
