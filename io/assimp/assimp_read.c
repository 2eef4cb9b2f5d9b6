// Reads formats without our own reader through Assimp. Node transforms are applied, and several meshes are merged in the order of the
// scene's tree. Debian's assimp 5.2 crashes and hangs on some damaged files, so it runs in a separate process.
#include "child_process.h"
#include "files/file.h"
#include "meshes/assimp_plugin.h"

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

static pli_status import(const pli_import_file *file, pli_polygons *polygons, pli_error *error)
{
    char extension[16];
    pli_file_extension(file->name, extension);
    if (file->size == 0)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: the file is empty", file->name);
    const char *hint = extension[0] ? extension : file->name; // For data in memory the name gives the format.
    const struct aiScene *scene = aiImportFileFromMemory(file->data, (unsigned)file->size, 0, hint);
    if (!scene || !scene->mRootNode)
        return pli_fail(error, PLI_STATUS_PARSE, "%s: %.300s", file->name, aiGetErrorString());
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    bool added = add_node(polygons, scene, scene->mRootNode, &identity, 0);
    aiReleaseImport(scene);
    return added ? pli_succeed(error) : pli_io_fail_memory(error);
}

static pli_status read_apart(const pli_import_file *file, pli_polygons *polygons, pli_error *error)
{
    return pli_read_apart(import, file, polygons, error);
}

PLI_API extern const pli_mesh_plugin pli_plugin_assimp;
const pli_mesh_plugin pli_plugin_assimp = {{PLI_VERSION_STRING}, read_apart};
