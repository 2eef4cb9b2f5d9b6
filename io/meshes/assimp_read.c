// Reads PLY, STL and glTF through assimp, which keeps polygons in these formats. Transforms of nodes are
// applied and several meshes become one, in the order of the scene's tree. Debian's assimp 5.2 crashes and
// hangs on some damaged files, so it runs in a process of its own.
#include "meshes/assimp_read.h"

#include "meshes/child_process.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct aiMatrix4x4 product(const struct aiMatrix4x4 *a, const struct aiMatrix4x4 *b)
{
    struct aiMatrix4x4 result = *a;
    aiMultiplyMatrix4(&result, b);
    return result;
}

static bool add_mesh(pli_polygons *p, const struct aiMesh *mesh, const struct aiMatrix4x4 *m)
{
    int32_t first = p->vertex_count;
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        struct aiVector3D v = mesh->mVertices[i];
        if (!pli_polygons_add_vertex(p, m->a1 * v.x + m->a2 * v.y + m->a3 * v.z + m->a4,
                                     m->b1 * v.x + m->b2 * v.y + m->b3 * v.z + m->b4,
                                     m->c1 * v.x + m->c2 * v.y + m->c3 * v.z + m->c4))
            return false;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices < 3) // Points and lines are not faces.
            continue;
        int32_t *corners = malloc(face->mNumIndices * sizeof *corners);
        for (unsigned k = 0; corners && k < face->mNumIndices; k++)
            corners[k] = first + (int32_t)face->mIndices[k];
        bool added = corners && pli_polygons_add_face(p, corners, (int32_t)face->mNumIndices);
        free(corners);
        if (!added)
            return false;
    }
    return true;
}

enum { DEEPEST_NODE = 200 };

static bool add_node(pli_polygons *p, const struct aiScene *scene, const struct aiNode *node,
                     const struct aiMatrix4x4 *parent, int depth)
{
    if (depth > DEEPEST_NODE)
        return false;
    struct aiMatrix4x4 here = product(parent, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        if (!add_mesh(p, scene->mMeshes[node->mMeshes[i]], &here))
            return false;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (!add_node(p, scene, node->mChildren[i], &here, depth + 1))
            return false;
    return true;
}

static pli_status import_with(const char *data, size_t size, const char *hint, const char *name, pli_polygons *polygons,
                              pli_error *error)
{
    if (size == 0)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: the file is empty", name);
    const struct aiScene *scene = aiImportFileFromMemory(data, (unsigned)size, 0, hint);
    if (!scene || !scene->mRootNode)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: %.300s", name, aiGetErrorString());
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    bool added = add_node(polygons, scene, scene->mRootNode, &identity, 0);
    aiReleaseImport(scene);
    return added ? pli_succeed(error) : pli_io_fail_memory(error);
}

// The importer drops a line feed that is the first byte after the header, as if a carriage return had ended the header;
// in a binary file it may be a byte of the first number, and so is given twice.
static pli_status import_ply(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error)
{
    static const char last[] = "\nend_header\n";
    const size_t length = sizeof last - 1;
    size_t end = 0;
    while (end + length < size && memcmp(data + end, last, length) != 0)
        end++;
    end += length;
    if (end >= size || data[end] != '\n')
        return import_with(data, size, "ply", name, polygons, error);
    char *longer = malloc(size + 1);
    if (!longer)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "%s: out of memory", name);
    memcpy(longer, data, end);
    longer[end] = '\n';
    memcpy(longer + end + 1, data + end, size - end);
    pli_status status = import_with(longer, size + 1, "ply", name, polygons, error);
    free(longer);
    return status;
}

static pli_status import_stl(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error)
{
    return import_with(data, size, "stl", name, polygons, error);
}

static pli_status import_gltf(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error)
{
    // The binary container is recognised by its first bytes.
    bool binary = size >= 4 && strncmp(data, "glTF", 4) == 0;
    return import_with(data, size, binary ? "glb" : "gltf", name, polygons, error);
}

static bool starts_with(const char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == '\0' || line[length] == ' ' || line[length] == '\r');
}

// Describes the defect of a PLY header, or returns NULL. The importer does not terminate without an end_header, and
// takes hours when counts exceed the bytes of the file.
static const char *ply_complaint(const char *data, size_t size)
{
    static const char *const words[] = {"ply", "format", "comment", "obj_info", "element", "property"};
    uint64_t total = 0;
    const char *end = data + size;
    for (const char *line = data; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((next ? next : end) - line);
        char copy[200], name[100];
        unsigned long long count = 0;
        snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1), line);
        if (starts_with(copy, "end_header"))
            return total <= size ? NULL : "its header promises more elements than the file has bytes";
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            known = known || starts_with(copy, words[i]);
        if (!known ||
            (starts_with(copy, "element") && (sscanf(copy, "element %99s %llu", name, &count) != 2 || count > size)))
            return "a line of its header is not of the PLY format";
        total += count;
        line = next ? next + 1 : end;
    }
    return "its header has no end";
}

pli_status pli_read_ply(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error)
{
    const char *complaint = ply_complaint(data, size);
    if (complaint)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: %s", name, complaint);
    return pli_read_apart(import_ply, data, size, name, polygons, error);
}

// The importer detects the format from the content and ignores the hint, so other formats are rejected here.
static bool looks_like_stl(const char *data, size_t size)
{
    if (size >= 84) {
        const unsigned char *count = (const unsigned char *)data + 80;
        uint64_t triangles = (uint64_t)count[0] | (uint64_t)count[1] << 8 | (uint64_t)count[2] << 16 |
                             (uint64_t)count[3] << 24;
        if (size == 84 + 50 * triangles)
            return true;
    }
    return size > 5 && strncmp(data, "solid", 5) == 0;
}

static bool looks_like_gltf(const char *data, size_t size)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n", data[i]) && data[i])
        i++;
    return (i < size && data[i] == '{') || (size >= 20 && strncmp(data, "glTF", 4) == 0);
}

pli_status pli_read_stl(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error)
{
    if (!looks_like_stl(data, size))
        return pli_fail(error, PLI_STATUS_PARSE, "%s: this is not an STL file, or it is cut off", name);
    return pli_read_apart(import_stl, data, size, name, polygons, error);
}

pli_status pli_read_gltf(const char *data, size_t size, const char *name, pli_polygons *polygons, pli_error *error)
{
    if (!looks_like_gltf(data, size))
        return pli_fail(error, PLI_STATUS_PARSE, "%s: this is not a glTF file", name);
    return pli_read_apart(import_gltf, data, size, name, polygons, error);
}
