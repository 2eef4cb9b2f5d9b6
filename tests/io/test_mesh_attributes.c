// Attributes of mesh files: render vertices and what they map to, texture coordinates, colours, groups, weights, in every
// format, read and written back. Expected values are written out by hand, or follow from numbers put into the file.
#define _GNU_SOURCE
#include <pliant/mesh_file.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/pliant-attributes-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

typedef struct loaded {
    pli_mesh *mesh;
    const pli_topology *t;
    pli_mesh_attributes *a;
} loaded;

static loaded load_with(const void *data, size_t size, const char *format, pli_mesh_policy policy)
{
    loaded l = {0};
    pli_error error = {0};
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.policy = policy;
    import.attributes = &l.a;
    import.hooks.log = NULL;
    if (pli_mesh_read_memory(data, size, format, &import, &l.mesh, NULL, &error) != PLI_STATUS_OK)
        fail_msg("%s: %s", format, error.message);
    l.t = pli_mesh_topology(l.mesh);
    return l;
}

static loaded load(const char *text, const char *format)
{
    return load_with(text, strlen(text), format, PLI_MESH_REFUSE);
}

static loaded load_file(const char *path)
{
    loaded l = {0};
    pli_error error = {0};
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.attributes = &l.a;
    import.hooks.log = NULL;
    if (pli_mesh_read(path, &import, &l.mesh, NULL, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    l.t = pli_mesh_topology(l.mesh);
    return l;
}

static void unload(loaded *l)
{
    pli_mesh_attributes_destroy(l->a);
    pli_mesh_destroy(l->mesh);
}

static const float *value(const loaded *l, const char *name, int32_t element)
{
    const pli_mesh_attribute *attribute = pli_mesh_attribute_named(l->a, name);
    if (!attribute)
        fail_msg("there is no attribute '%s'", name);
    return attribute->values + element * attribute->width;
}

// The value at corner c of the mesh.
static const float *at_corner(const loaded *l, const char *name, int32_t c) { return value(l, name, l->a->corners[c]); }

static void check_group(const loaded *l, const char *name, pli_mesh_group_kind kind, int32_t count,
                        const int32_t *elements)
{
    const pli_mesh_group *group = pli_mesh_group_named(l->a, name, kind);
    if (!group)
        fail_msg("there is no group '%s'", name);
    if (group->count != count || memcmp(group->elements, elements, 4 * (size_t)count) != 0)
        fail_msg("group '%s' has %d elements, the first is %d", name, (int)group->count, (int)group->elements[0]);
}

static void obj_seams_make_render_vertices(void **state)
{
    (void)state;
    loaded l = load("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 0.5 0.25 1\nv 9 9 9\n"
                    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\no cape\ng front  hem\nusemtl red wool\nf 1/1 2/2 3/3\n"
                    "g front\nusemtl blue\nf 1/4 3/3 4/-1\n",
                    "obj");
    // Vertex 1 of the file has two texture coordinates; all others have one, and the fifth none.
    const int32_t map[] = {0, 1, 2, 3, 4, 0}, corners[] = {0, 1, 2, 5, 2, 3}, both[] = {0, 1}, first[] = {0},
                  second[] = {1};
    const float uv[] = {0, 0, 1, 0, 1, 1, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f};
    assert_int_equal(l.a->vertex_count, 6);
    assert_int_equal(l.a->file_vertex_count, 5);
    assert_memory_equal(l.a->vertex_map, map, sizeof map);
    assert_memory_equal(l.a->corners, corners, sizeof corners);
    assert_memory_equal(l.a->triangles, corners, sizeof corners);
    assert_memory_equal(value(&l, PLI_ATTRIBUTE_UV, 0), uv, sizeof uv);
    const float colours[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5f, 0.25f, 1, 0, 0, 0, 1, 0, 0};
    assert_memory_equal(value(&l, PLI_ATTRIBUTE_COLOUR, 0), colours, sizeof colours);
    check_group(&l, "front", PLI_GROUP_FACES, 2, both);
    check_group(&l, "hem", PLI_GROUP_FACES, 1, first);
    check_group(&l, "red wool", PLI_GROUP_MATERIAL, 1, first);
    check_group(&l, "blue", PLI_GROUP_MATERIAL, 1, second);
    check_group(&l, "cape", PLI_GROUP_OBJECT, 2, both);
    assert_null(pli_mesh_group_named(l.a, "cape", PLI_GROUP_FACES));
    assert_null(pli_mesh_attribute_named(l.a, "uv1"));
    unload(&l);
}

// A mesh that needs repair: faces are dropped, turned about, and vertices split. Each corner's texture coordinates tell
// which vertex of which face it was in the file.
static void repaired_meshes_keep_what_belongs_to_corners(void **state)
{
    (void)state;
    enum { VERTICES = 30, FACES = 60 };
    static char text[20000];
    int used = 0, dropped = 0, split = 0;
    uint32_t random = 12345;
    int32_t faces[FACES][3];
    for (int v = 0; v < VERTICES; v++)
        used += snprintf(text + used, sizeof text - (size_t)used, "v %d %d %d\n", v, v * v % 7, v * v * v % 11);
    for (int f = 0; f < FACES; f++) {
        for (int k = 0; k < 3; k++) {
            random = random * 1664525u + 1013904223u;
            faces[f][k] = (int32_t)(random >> 16) % VERTICES;
            used += snprintf(text + used, sizeof text - (size_t)used, "vt %d %d\n", f, (int)faces[f][k]);
        }
        used += snprintf(text + used, sizeof text - (size_t)used, "g face%d\nf %d/-3 %d/-2 %d/-1\n", f,
                         (int)faces[f][0] + 1, (int)faces[f][1] + 1, (int)faces[f][2] + 1);
    }
    loaded l = load_with(text, strlen(text), "obj", PLI_MESH_REPAIR);
    dropped = FACES - l.t->face_count;
    split = l.t->vertex_count - VERTICES;
    assert_true(dropped > 0 && split > 0);
    for (int32_t c = 0; c < l.t->corner_count; c++) {
        const float *uv = at_corner(&l, PLI_ATTRIBUTE_UV, c);
        int32_t particle = l.t->face_vertices[c], face = (int32_t)uv[0], vertex = (int32_t)uv[1];
        assert_int_equal(l.a->vertex_map[l.a->corners[c]], particle);
        assert_int_equal(l.t->vertex_source[particle], vertex);
        assert_true(faces[face][0] == vertex || faces[face][1] == vertex || faces[face][2] == vertex);
        char name[20];
        const int32_t here = c / 3;
        snprintf(name, sizeof name, "face%d", (int)face);
        check_group(&l, name, PLI_GROUP_FACES, 1, &here);
    }
    unload(&l);
}

// The same PLY in its three encodings, written by hand.
static size_t put_ply(char *to, int format)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    static const double vertices[4][9] = {{0, 0, 0, 255, 0, 0, 0, 0, 1.5},
                                          {1, 0, 0, 0, 255, 0, 1, 0, -2.25},
                                          {1, 1, 0.1, 0, 0, 51, 1, 1, 3},
                                          {0, 1, 0, 102, 0, 0, 0, 1, 4}};
    static const double faces[2][5] = {{3, 0, 1, 2, 70000}, {3, 0, 2, 3, -8}};
    static const char vertex_types[] = "ffdBBBfff", face_types[] = "BHHHi";
    int used = sprintf(to,
                       "ply\nformat %s 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float32 y\n"
                       "property double z\nproperty uchar red\nproperty uint8 green\nproperty uchar blue\n"
                       "property float s\nproperty float t\nproperty float stiffness\nelement face 2\n"
                       "property list uchar ushort vertex_index\nproperty int part\nend_header\n",
                       names[format]);
    for (int i = 0; i < 6; i++) {
        const double *numbers = i < 4 ? vertices[i] : faces[i - 4];
        for (const char *type = i < 4 ? vertex_types : face_types; *type; type++, numbers++) {
            if (format == 0) {
                used += sprintf(to + used, "%.17g ", *numbers);
                continue;
            }
            unsigned char bytes[8];
            size_t size = *type == 'd' ? 8 : *type == 'B' ? 1 : *type == 'H' ? 2 : 4;
            float single = (float)*numbers;
            int64_t whole = (int64_t)*numbers;
            memcpy(bytes, *type == 'd' ? (const void *)numbers : *type == 'f' ? (const void *)&single : &whole, size);
            for (size_t k = 0; k < size; k++) // This machine's order is little.
                to[used++] = (char)bytes[format == 1 ? k : size - 1 - k];
        }
        if (format == 0)
            to[used++] = '\n';
    }
    return (size_t)used;
}

static void ply_is_one_in_three_encodings(void **state)
{
    (void)state;
    for (int format = 0; format < 3; format++) {
        char text[2000];
        loaded l = load_with(text, put_ply(text, format), "ply", PLI_MESH_REFUSE);
        const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0.1f, 0, 1, 0}, uv[] = {0, 0, 1, 0, 1, 1, 0, 1};
        const float stiffness[] = {1.5f, -2.25f, 3, 4}, part[] = {70000, -8};
        const float colours[] = {1, 0, 0, 0, 1, 0, 0, 0, 0.2f, 0.4f, 0, 0};
        const int32_t corners[] = {0, 1, 2, 0, 2, 3};
        assert_memory_equal(l.t->positions, positions, sizeof positions);
        assert_memory_equal(l.t->face_vertices, corners, sizeof corners);
        assert_memory_equal(value(&l, PLI_ATTRIBUTE_UV, 0), uv, sizeof uv);
        assert_memory_equal(value(&l, PLI_ATTRIBUTE_COLOUR, 0), colours, sizeof colours);
        assert_memory_equal(value(&l, "stiffness", 0), stiffness, sizeof stiffness);
        assert_memory_equal(value(&l, "part", 0), part, sizeof part);
        assert_int_equal(pli_mesh_attribute_named(l.a, "part")->domain, PLI_ATTRIBUTE_FACE);
        assert_int_equal(l.a->vertex_count, 4);
        unload(&l);
    }
}

static size_t put_stl(unsigned char *to, const float (*corners)[3], uint32_t triangles)
{
    memset(to, ' ', 80);
    memcpy(to, "solid is how some binary files begin", 36);
    memcpy(to + 80, &triangles, 4);
    for (uint32_t t = 0; t < triangles; t++) {
        memset(to + 84 + 50 * t, 0, 50);
        memcpy(to + 84 + 50 * t + 12, corners[3 * t], 36);
    }
    return 84 + 50 * (size_t)triangles;
}

static void stl_maps_each_corner_to_its_particle(void **state)
{
    (void)state;
    const float corners[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0.5f}};
    const int32_t map[] = {0, 1, 2, 0, 2, 3}, same[] = {0, 1, 2, 3, 4, 5}, first[] = {0}, second[] = {1};
    unsigned char binary[200];
    char text[1000];
    size_t size = put_stl(binary, corners, 2);
    int used = 0;
    for (int t = 0; t < 2; t++) {
        used += sprintf(text + used, "solid part %d\n facet normal nan 0 1\n  OUTER loop\n", t);
        for (int k = 0; k < 3; k++)
            used += sprintf(text + used, "   vertex %g %g %g\n", (double)corners[3 * t + k][0],
                            (double)corners[3 * t + k][1], (double)corners[3 * t + k][2]);
        used += sprintf(text + used, "  endloop\n endfacet\nendsolid part %d\n", t);
    }
    for (int i = 0; i < 2; i++) {
        loaded l = i == 0 ? load_with(binary, size, "stl", PLI_MESH_REFUSE) : load(text, "stl");
        assert_int_equal(l.t->vertex_count, 4);
        assert_int_equal(l.a->vertex_count, 6);
        assert_memory_equal(l.a->vertex_map, map, sizeof map);
        assert_memory_equal(l.a->corners, same, sizeof same);
        for (int v = 0; v < 6; v++)
            assert_memory_equal(l.t->positions + 3 * l.a->vertex_map[v], corners[v], 12);
        if (i == 1) {
            check_group(&l, "part 0", PLI_GROUP_OBJECT, 1, first);
            check_group(&l, "part 1", PLI_GROUP_OBJECT, 1, second);
        }
        unload(&l);
    }
}

// A square of four vertices: positions, texture coordinates and indices as one buffer, in base64 made by python.
#define SQUARE                                                                                                         \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                          \
    "{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"},"                                         \
    "{\"bufferView\":2,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"                                       \
    "{\"bufferView\":3,\"componentType\":5121,\"count\":4,\"type\":\"VEC4\"},"                                         \
    "{\"bufferView\":4,\"componentType\":5121,\"count\":4,\"type\":\"VEC4\",\"normalized\":true}],"                    \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":32},"            \
    "{\"buffer\":0,\"byteOffset\":80,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":92,\"byteLength\":16},"           \
    "{\"buffer\":0,\"byteOffset\":108,\"byteLength\":16}],\"buffers\":[{\"byteLength\":124"

static size_t put_square(unsigned char *to)
{
    const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, uv[] = {0, 0, 1, 0, 1, 0.75f, 0, 1};
    const uint16_t indices[] = {0, 1, 2, 0, 2, 3};
    const uint8_t joints[] = {0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    const uint8_t weights[] = {255, 0, 0, 0, 51, 204, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0};
    memcpy(to, positions, 48);
    memcpy(to + 48, uv, 32);
    memcpy(to + 80, indices, 12);
    memcpy(to + 92, joints, 16);
    memcpy(to + 108, weights, 16);
    return 124;
}

static const char whole[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,3]}],\"nodes\":["
    "{\"name\":\"cape\",\"mesh\":0,\"skin\":0,\"translation\":[50,0,0],\"children\":[1,2]},{\"name\":\"neck\"},"
    "{\"name\":\"arm\"},{\"name\":\"mirrored\",\"mesh\":1,\"translation\":[0,0,2],\"scale\":[1,-1,2]}],"
    "\"skins\":[{\"joints\":[1,2]}],\"materials\":[{\"name\":\"wool\"}],\"meshes\":[{\"primitives\":[{\"attributes\":"
    "{\"POSITION\":0,\"TEXCOORD_0\":1,\"JOINTS_0\":3,\"WEIGHTS_0\":4},\"indices\":2,\"material\":0}]},{\"primitives\":"
    "[{\"attributes\":{\"POSITION\":0},\"indices\":2}]}]," SQUARE;

// The same document with its buffer in a .glb, or in a file beside it.
static size_t put_glb(char *to)
{
    char text[3000];
    unsigned char buffer[124];
    put_square(buffer);
    snprintf(text, sizeof text, "%s}]}", whole);
    while (strlen(text) % 4)
        strcat(text, " ");
    const uint32_t length = (uint32_t)strlen(text), head[5] = {0x46546c67, 2, 28 + length + 124, length, 0x4e4f534a};
    const uint32_t chunk[2] = {124, 0x004e4942};
    memcpy(to, head, 20);
    memcpy(to + 20, text, length);
    memcpy(to + 20 + length, chunk, 8);
    memcpy(to + 28 + length, buffer, 124);
    return 28 + length + 124;
}

static void gltf_keeps_joints_materials_and_nodes(void **state)
{
    (void)state;
    char glb[4000];
    loaded l = load_with(glb, put_glb(glb), "glb", PLI_MESH_REFUSE);
    // A mesh under a skin follows its joints, which are below its own node; the other one is moved, and mirrored, so that its faces turn
    // about.
    const float positions[] = {50, 0, 0, 51, 0, 0, 51, 1, 0, 50, 1, 0, 0, 0, 2, 1, 0, 2, 1, -1, 2, 0, -1, 2};
    const int32_t corners[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6}, wool[] = {0, 1}, mirrored[] = {2, 3};
    const float uv[] = {0, 1, 1, 1, 1, 0.25f, 0, 0};
    assert_int_equal(l.t->vertex_count, 8);
    for (int i = 0; i < 24; i++)
        assert_true(l.t->positions[i] == positions[i]);
    assert_memory_equal(l.t->face_vertices, corners, sizeof corners);
    assert_memory_equal(value(&l, PLI_ATTRIBUTE_UV, 0), uv, sizeof uv);
    check_group(&l, "wool", PLI_GROUP_MATERIAL, 2, wool);
    check_group(&l, "cape", PLI_GROUP_OBJECT, 2, wool);
    check_group(&l, "mirrored", PLI_GROUP_OBJECT, 2, mirrored);
    const int32_t neck[] = {0, 1}, arm[] = {1, 2};
    const float neck_weights[] = {1, 0.2f}, arm_weights[] = {0.8f, 1};
    check_group(&l, "neck", PLI_GROUP_VERTICES, 2, neck);
    check_group(&l, "arm", PLI_GROUP_VERTICES, 2, arm);
    assert_memory_equal(pli_mesh_group_named(l.a, "neck", PLI_GROUP_VERTICES)->weights, neck_weights, 8);
    assert_memory_equal(pli_mesh_group_named(l.a, "arm", PLI_GROUP_VERTICES)->weights, arm_weights, 8);
    unload(&l);
}

static void put(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

// A glTF file can name any file; only those inside its folder are read.
static void gltf_buffers_stay_in_their_folder(void **state)
{
    (void)state;
    static const struct {
        const char *uri;
        bool read;
    } cases[] = {
        {"a b.bin", true},         {"a%20b.bin", true},       {"./sub/../a%20b.bin", true},
        {"../out.bin", false},     {"%2e%2e/out.bin", false}, {"sub/../../out.bin", false},
        {"link.bin", false},       {"/etc/passwd", false},    {"file:///etc/passwd", false},
        {"http://x/a.bin", false}, {"none.bin", false},       {"a%00.bin", false},
    };
    char path[200], command[300], text[3000];
    unsigned char buffer[124];
    snprintf(command, sizeof command, "mkdir -p %s/in/sub && ln -sf ../out.bin %s/in/link.bin", folder, folder);
    assert_int_equal(system(command), 0);
    put_square(buffer);
    snprintf(path, sizeof path, "%s/in/a b.bin", folder);
    put(path, buffer, sizeof buffer);
    snprintf(path, sizeof path, "%s/out.bin", folder);
    put(path, buffer, sizeof buffer);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(path, sizeof path, "%s/in/a.gltf", folder);
        snprintf(text, sizeof text, "%s,\"uri\":\"%s\"}]}", whole, cases[i].uri);
        put(path, text, strlen(text));
        pli_mesh *mesh;
        pli_error error = {0};
        pli_mesh_import_def import = pli_mesh_import_def_default();
        import.hooks.log = NULL;
        pli_status status = pli_mesh_read(path, &import, &mesh, NULL, &error);
        if (cases[i].read ? status != PLI_STATUS_OK : status != PLI_STATUS_FILE || !strstr(error.message, "buffer"))
            fail_msg("'%s': status %d, %s", cases[i].uri, (int)status, error.message);
        pli_mesh_destroy(mesh);
    }
}

// What is written is read back: shape, coordinates of each corner, colours, groups.
static void check_copy(const loaded *l, const loaded *copy, const char *name, bool colours)
{
    assert_int_equal(copy->t->face_count, l->t->face_count);
    for (int32_t c = 0; c < l->t->corner_count; c++) {
        const float *p = l->t->positions + 3 * l->t->face_vertices[c];
        const float *q = copy->t->positions + 3 * copy->t->face_vertices[c];
        if (memcmp(p, q, 12) != 0)
            fail_msg("%s: corner %d is at %g %g %g", name, (int)c, (double)q[0], (double)q[1], (double)q[2]);
        if (memcmp(at_corner(l, "uv", c), at_corner(copy, "uv", c), 8) != 0)
            fail_msg("%s: corner %d has %g %g, written %g %g", name, (int)c, (double)at_corner(copy, "uv", c)[0],
                     (double)at_corner(copy, "uv", c)[1], (double)at_corner(l, "uv", c)[0],
                     (double)at_corner(l, "uv", c)[1]);
        if (colours && memcmp(at_corner(l, "colour", c), at_corner(copy, "colour", c), 12) != 0)
            fail_msg("%s: colour of corner %d", name, (int)c);
    }
}

static void written_attributes_read_back(void **state)
{
    (void)state;
    static const char *const names[] = {"copy.obj", "copy.ply", "copy.gltf", "copy.glb"};
    loaded l = load("v 0 0 0 1 0 0\nv 1 0 0 0 1 0.3\nv 1 1 0 0 0 1\nv 0 1 0 0.5 0.25 1\n"
                    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\nvt 0.25 0.75\no cape\ng front hem\nusemtl red wool\n"
                    "f 1/1 2/2 3/3\ng\nusemtl blue\nf 1/4 3/3 4/5\n",
                    "obj");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[200];
        pli_error error = {0};
        pli_view none = {0};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (pli_mesh_write_with_attributes(path, l.mesh, l.a, none, none, &error) != PLI_STATUS_OK)
            fail_msg("%s", error.message);
        loaded copy = load_file(path);
        check_copy(&l, &copy, names[i], true);
        const int32_t first[] = {0}, second[] = {1}, both[] = {0, 1};
        if (i != 1) {
            check_group(&copy, "red wool", PLI_GROUP_MATERIAL, 1, first);
            check_group(&copy, "blue", PLI_GROUP_MATERIAL, 1, second);
        }
        if (i == 0) {
            check_group(&copy, "front", PLI_GROUP_FACES, 1, first);
            check_group(&copy, "hem", PLI_GROUP_FACES, 1, first);
            check_group(&copy, "cape", PLI_GROUP_OBJECT, 2, both);
        }
        unload(&copy);
    }
    unload(&l);
}

// Attributes of one number go through PLY and glTF, and STL keeps the triangles.
static void custom_attributes_and_triangles_read_back(void **state)
{
    (void)state;
    static const char *const names[] = {"own.ply", "own.glb", "own.stl"};
    char text[2000], path[200];
    pli_error error = {0};
    pli_view none = {0};
    loaded l = load_with(text, put_ply(text, 0), "ply", PLI_MESH_REFUSE);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (pli_mesh_write_with_attributes(path, l.mesh, l.a, none, none, &error) != PLI_STATUS_OK)
            fail_msg("%s", error.message);
        loaded copy = load_file(path);
        if (i < 2)
            check_copy(&l, &copy, names[i], true);
        assert_int_equal(copy.t->vertex_count, 4);
        assert_int_equal(copy.t->triangle_count, 2);
        for (int32_t c = 0; c < 6 && i < 2; c++)
            assert_true(*at_corner(&l, "stiffness", c) == *at_corner(&copy, "stiffness", c));
        for (int32_t c = 0; c < 6; c++)
            assert_memory_equal(copy.t->positions + 3 * copy.t->triangles[c], l.t->positions + 3 * l.t->triangles[c],
                                12);
        if (i == 0)
            assert_memory_equal(value(&l, "part", 0), value(&copy, "part", 0), 8);
        unload(&copy);
    }
    unload(&l);
}

// Hundreds of corners at one vertex: with one texture coordinate each, and, apart, split into one particle each.
static void many_corners_of_one_vertex_stay_apart(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    static char fan[60000], ties[60000];
    int used = sprintf(fan, "v 0 0 0\n"), tied = sprintf(ties, "v 0 0 0\n");
    for (int i = 0; i <= COUNT; i++)
        used += sprintf(fan + used, "v %g %g 0\nvt %d 7\n", cos(i * 0.01), sin(i * 0.01), i);
    for (int i = 0; i < COUNT; i++) {
        used += sprintf(fan + used, "f 1/%d %d/1 %d/1\n", i + 1, i + 2, i + 3);
        tied += sprintf(ties + tied, "v %d 1 0\nv %d 1 1\nf 1 %d %d\n", i, i, 2 * i + 2, 2 * i + 3);
    }
    loaded l = load(fan, "obj");
    assert_int_equal(l.t->vertex_count, COUNT + 2);
    assert_int_equal(l.a->vertex_count, COUNT + 2 + COUNT - 1);
    for (int32_t i = 0; i < COUNT; i++) {
        assert_true(at_corner(&l, "uv", 3 * i)[0] == (float)i && at_corner(&l, "uv", 3 * i + 1)[0] == 0.0f);
        assert_int_equal(l.a->vertex_map[l.a->corners[3 * i]], 0);
    }
    unload(&l);
    l = load_with(ties, strlen(ties), "obj", PLI_MESH_REPAIR);
    assert_int_equal(l.t->vertex_count, 3 * COUNT);
    assert_int_equal(l.a->vertex_count, 3 * COUNT);
    for (int32_t c = 0; c < l.t->corner_count; c++)
        assert_int_equal(l.a->vertex_map[l.a->corners[c]], l.t->face_vertices[c]);
    unload(&l);
}

// Vertices of a file that are welded belong to a group once.
static void welded_vertices_are_in_a_group_once(void **state)
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"skin\":0},"
        "{\"name\":\"hip\"}],\"skins\":[{\"joints\":[1]}],\"meshes\":[{\"primitives\":[{\"attributes\":"
        "{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}]}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":6,\"type\":\"VEC4\"},"
        "{\"bufferView\":2,\"componentType\":5121,\"count\":6,\"type\":\"VEC4\",\"normalized\":true}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},"
        "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":24}],\"buffers\":[{\"byteLength\":120}]} ";
    const float corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0};
    const int32_t all[] = {0, 1, 2, 3};
    unsigned char glb[2000] = {0};
    const uint32_t length = sizeof text - 1 - (sizeof text - 1) % 4;
    const uint32_t head[5] = {0x46546c67, 2, 28 + length + 120, length, 0x4e4f534a}, chunk[2] = {120, 0x004e4942};
    memcpy(glb, head, 20);
    memcpy(glb + 20, text, length);
    memcpy(glb + 20 + length, chunk, 8);
    memcpy(glb + 28 + length, corners, 72);
    for (int v = 0; v < 6; v++)
        glb[28 + length + 96 + 4 * (unsigned)v] = 255;
    loaded l = load_with(glb, 28 + length + 120, "glb", PLI_MESH_REFUSE);
    assert_int_equal(l.a->vertex_count, 6);
    check_group(&l, "hip", PLI_GROUP_VERTICES, 4, all);
    unload(&l);
}

// glTF has one primitive a material: triangles change places, but not their material.
static void triangles_keep_their_material(void **state)
{
    (void)state;
    static const char *const materials[] = {"a", "b", "a", "", "b", "c", "a", "", "c"};
    enum { FACES = sizeof materials / sizeof *materials };
    char text[2000], path[200];
    int used = sprintf(text, "v 0 0 0\nv 0 1 0\n");
    for (int f = 0; f < FACES; f++)
        used += sprintf(text + used, "v %d %d 0\nusemtl %s\nf %d %d %d\n", f + 1, f % 2, materials[f], f + 1 + f % 2,
                        f + 2 - f % 2, f + 3);
    pli_error error = {0};
    pli_view none = {0};
    loaded l = load(text, "obj");
    snprintf(path, sizeof path, "%s/materials.glb", folder);
    if (pli_mesh_write_with_attributes(path, l.mesh, l.a, none, none, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    loaded copy = load_file(path);
    assert_int_equal(copy.t->face_count, FACES);
    for (int32_t f = 0; f < FACES; f++) {
        // The vertex that came with a face is the last of it, and says its number.
        int32_t number = (int32_t)copy.t->positions[3 * copy.t->face_vertices[3 * f + 2]] - 1;
        const char *found = "";
        for (int32_t i = 0; i < copy.a->group_count; i++)
            for (int32_t k = 0; k < copy.a->groups[i].count; k++)
                if (copy.a->groups[i].elements[k] == f)
                    found = copy.a->groups[i].name;
        assert_string_equal(found, materials[number]);
    }
    unload(&copy);
    unload(&l);
}

static void attributes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const int32_t map[] = {0, 1, 2}, wrong_map[] = {0, 1, 7}, corners[] = {0, 1, 2}, wrong_corners[] = {0, 1, 3},
                  turned[] = {0, 2, 1};
    const pli_mesh_attribute wide = {"uv", PLI_ATTRIBUTE_VERTEX, 5, (const float[15]){0}};
    const pli_mesh_group beyond = {"g", PLI_GROUP_FACES, 1, (const int32_t[]){1}, NULL};
    loaded l = load("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "obj");
    char path[200];
    snprintf(path, sizeof path, "%s/never.obj", folder);
    for (int i = 0; i < 7; i++) {
        pli_mesh_attributes a = pli_mesh_attributes_default();
        pli_error error = {0};
        pli_view none = {0};
        a.vertex_count = 3;
        a.vertex_map = i == 1 ? wrong_map : i == 6 ? NULL : map;
        a.corners = i == 2 ? wrong_corners : i == 3 ? turned : corners;
        a.attributes = &wide;
        a.attribute_count = i == 4;
        a.groups = &beyond;
        a.group_count = i == 5;
        pli_status status = pli_mesh_write_with_attributes(path, l.mesh, &a, none, none, &error);
        if (status != (i == 0 ? PLI_STATUS_OK : PLI_STATUS_INVALID_ARGUMENT))
            fail_msg("case %d: status %d, '%s'", i, (int)status, error.message);
        assert_int_equal(access(path, F_OK) == 0, i == 0);
        unlink(path);
    }
    unload(&l);
}

static void damaged_files_name_the_line(void **state)
{
    (void)state;
#define PLY(vertices, faces)                                                                                           \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"  \
    "property list uchar int vertex_indices\nend_header\n" vertices faces
    static const struct {
        const char *format, *text, *says;
    } cases[] = {
        {"ply", PLY("0 0 0\n1 0 0\n0 1 0\n", "3 0 1 2\n"), NULL},
        {"ply", PLY("0 0 0\n1 b 0\n0 1 0\n", "3 0 1 2\n"), ":11: 'b' is not a number"},
        {"ply", PLY("0 0 0\n1 0 0\n0 1 0\n", "3 0 1\n"), ":14: the file ends"},
        {"ply", PLY("0 0 0\n1 0 0\n0 1 0\n", "200 0 1\n"), ":13: a list"},
        {"ply", PLY("0 0 0\n1 0 0\n0 1 0\n", "3 0 1 5\n"), "face 0"},
        {"ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty flat x\nend_header\n", ":4:"},
        {"ply", "ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nend_header\n0\n", ":3:"},
        {"ply", "ply\nformat hex 1.0\nend_header\n", ":2: 'hex'"},
        {"ply", "ply\nformat ascii 1.0\nelement face 0\nproperty list char int vertex_index\nend_header\n", "'x'"},
        {"stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 x 0\n", ":5: 'x' is not a number"},
        {"stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\n", "ends within"},
        {"stl", "solid a\nfacet normal 0 0 1\nouter ring\n", ":3: 'ring'"},
        {"stl", "solid a\nsquare\n", ":2: 'square'"},
        {"obj", "vt 0 x\n", ":1: 'x'"},
        {"obj", "v 0 0 0\nvt 1 2 3 4\n", ":2: '4'"},
        {"gltf", "{\"asset\":{\"version\":\"1.0\"}}", "only glTF 2.0"},
        {"gltf", "{\n\"asset\":{\"version\":\"2.0\"},\n}", ":3:"},
        {"gltf", "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", "draco"},
        {"gltf", "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]}",
         "tree"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pli_mesh *mesh;
        pli_error error = {0};
        pli_mesh_import_def import = pli_mesh_import_def_default();
        pli_status status = pli_mesh_read_memory(cases[i].text, strlen(cases[i].text), cases[i].format, &import, &mesh,
                                                 NULL, &error);
        if ((status == PLI_STATUS_OK) != !cases[i].says || (cases[i].says && !strstr(error.message, cases[i].says)))
            fail_msg("case %zu: status %d, '%s' should say '%s'", i, (int)status, error.message, cases[i].says);
        pli_mesh_destroy(mesh);
    }
}

// Accessors that reach one byte too far, in every direction.
static void gltf_accessors_stay_in_their_buffer(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
    } cases[] = {
        {"\"byteLength\":48}", "\"byteLength\":47}"},
        {"\"byteLength\":48}", "\"byteLength\":125}"},
        {"\"byteOffset\":80", "\"byteOffset\":113"},
        {"\"byteOffset\":80", "\"byteOffset\":-4"},
        {"\"count\":4,\"type\":\"VEC3\"", "\"count\":5,\"type\":\"VEC3\""},
        {"\"count\":4,\"type\":\"VEC3\"", "\"count\":9223372036854775807,\"type\":\"VEC3\""},
        {"\"bufferView\":0,\"comp", "\"bufferView\":0,\"byteOffset\":4,\"comp"},
        {"{\"buffer\":0,\"byteLength\":48}", "{\"buffer\":0,\"byteStride\":4,\"byteLength\":48}"},
        {"{\"buffer\":0,\"byteLength\":48}", "{\"buffer\":1,\"byteLength\":48}"},
    };
    char glb[4000], text[4000];
    size_t size = put_glb(glb);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s}]}", whole);
        char *at = strstr(text, cases[i].old);
        assert_non_null(at);
        memmove(at + strlen(cases[i].new), at + strlen(cases[i].old), strlen(at + strlen(cases[i].old)) + 1);
        memcpy(at, cases[i].new, strlen(cases[i].new));
        while (strlen(text) % 4)
            strcat(text, " ");
        char damaged[5000];
        const uint32_t length = (uint32_t)strlen(text), total = 28 + length + 124;
        memcpy(damaged, glb, 20);
        memcpy(damaged + 8, &total, 4);
        memcpy(damaged + 12, &length, 4);
        memcpy(damaged + 20, text, length);
        memcpy(damaged + 20 + length, glb + size - 132, 132);
        pli_mesh *mesh;
        pli_error error = {0};
        pli_mesh_import_def import = pli_mesh_import_def_default();
        pli_status status = pli_mesh_read_memory(damaged, total, "glb", &import, &mesh, NULL, &error);
        if (status != PLI_STATUS_PARSE || !error.message[0])
            fail_msg("case %zu: status %d, '%s'", i, (int)status, error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_seams_make_render_vertices),
        cmocka_unit_test(repaired_meshes_keep_what_belongs_to_corners),
        cmocka_unit_test(ply_is_one_in_three_encodings),
        cmocka_unit_test(stl_maps_each_corner_to_its_particle),
        cmocka_unit_test(gltf_keeps_joints_materials_and_nodes),
        cmocka_unit_test(gltf_buffers_stay_in_their_folder),
        cmocka_unit_test(gltf_accessors_stay_in_their_buffer),
        cmocka_unit_test(written_attributes_read_back),
        cmocka_unit_test(custom_attributes_and_triangles_read_back),
        cmocka_unit_test(many_corners_of_one_vertex_stay_apart),
        cmocka_unit_test(welded_vertices_are_in_a_group_once),
        cmocka_unit_test(triangles_keep_their_material),
        cmocka_unit_test(attributes_that_do_not_fit_are_refused),
        cmocka_unit_test(damaged_files_name_the_line),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
