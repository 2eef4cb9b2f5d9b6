// OBJ through tinyobjloader's callbacks, which keep the file's vertex order and its polygons.
// The loader takes what it cannot read as zero, so lines are looked over first.
#include "polygons.h"

#include <tiny_obj_loader.h>

#include <cstring>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct reading {
    pli_polygons *polygons;
    std::vector<int32_t> corners;
    bool failed;
    bool outside; // An index of 0, or before the first vertex.
    int32_t outside_face;
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
        // Indices count from 1, or backwards from the latest vertex.
        int32_t vertex = index > 0 ? index - 1 : index < 0 ? r->polygons->vertex_count + index : -1;
        if (vertex < 0 && !r->outside) {
            r->outside = true;
            r->outside_face = r->polygons->face_count;
        }
        r->corners.push_back(vertex);
    }
    r->failed = r->failed || !pli_polygons_add_face(r->polygons, r->corners.data(), count);
}

bool number_start(const char *token)
{
    if (*token == '+' || *token == '-')
        token++;
    if (*token == '.')
        token++;
    return *token >= '0' && *token <= '9';
}

struct line_count {
    int32_t faces;
    int32_t face_line; // Line of face `wanted`, or 0.
};

// Looks over every line; the first bad one fails. Counts faces, and finds the line of face `wanted`.
pli_status look_over(const std::string &text, const char *name, int32_t wanted, line_count *lines, pli_error *error)
{
    *lines = {};
    int32_t line = 0;
    for (size_t begin = 0; begin < text.size();) {
        size_t end = text.find_first_of("\r\n", begin);
        end = end == std::string::npos ? text.size() : end;
        std::string content = text.substr(begin, end - begin);
        begin = end + (end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n' ? 2 : 1);
        line++;
        size_t start = content.find_first_not_of(" \t");
        if (start == std::string::npos || start + 1 >= content.size() ||
            std::strchr(" \t", content[start + 1]) == nullptr)
            continue;
        char kind = content[start];
        if (kind != 'v' && kind != 'f')
            continue;
        std::istringstream tokens(content.substr(start + 1));
        std::string token;
        int count = 0;
        while (tokens >> token && token[0] != '#') {
            if ((kind == 'f' || count < 3) && !number_start(token.c_str()))
                return pli_fail(error, PLI_STATUS_PARSE, "%s:%d: '%.40s' is not a number", name, (int)line,
                                token.c_str());
            count++;
        }
        if (count < 3)
            return pli_fail(error, PLI_STATUS_PARSE, "%s:%d: a %s needs at least 3 numbers, here are %d", name,
                            (int)line, kind == 'v' ? "vertex" : "face", count);
        if (kind == 'f' && lines->faces++ == wanted)
            lines->face_line = line;
    }
    return pli_succeed(error);
}

pli_status load(const std::string &text, const char *name, pli_polygons *polygons, pli_error *error)
{
    line_count lines;
    pli_status status = look_over(text, name, -1, &lines, error);
    if (status != PLI_STATUS_OK)
        return status;
    reading r = {polygons, {}, false, false, 0};
    tinyobj::callback_t callback;
    callback.vertex_cb = on_vertex;
    callback.index_cb = on_face;
    std::istringstream stream(text);
    std::string warning, failure;
    bool read = tinyobj::LoadObjWithCallback(stream, callback, &r, nullptr, &warning, &failure);
    if (r.failed)
        return pli_io_fail_memory(error);
    if (r.outside) {
        look_over(text, name, r.outside_face, &lines, nullptr);
        return pli_fail(error, PLI_STATUS_PARSE,
                        "%s:%d: a face names vertex 0 or one before the first; vertices "
                        "count from 1",
                        name, (int)lines.face_line);
    }
    if (!read || polygons->face_count != lines.faces)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: %d of %d faces could be read: %.200s", name,
                        (int)polygons->face_count, (int)lines.faces,
                        failure.empty() ? "a face has indices that are not numbers" : failure.c_str());
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
