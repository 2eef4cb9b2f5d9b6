// Writes glTF 2.0 with an embedded buffer: .glb, or .gltf with base64. Vertices are the render vertices, in triangles with one
// primitive per material; vertex attributes with up to four numbers are written.
#include "formats/mesh_write.h"

#include "files/bytes.h"
#include "files/json_parse.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT_TYPE = 5126, UNSIGNED_TYPE = 5125, ARRAY_BUFFER = 34962, INDEX_BUFFER = 34963, GLB_HEADERS = 28 };

typedef struct gltf_out {
    const pli_mesh_writing *w;
    json_t *root, *attributes, *primitives;
    unsigned char *bytes; // The buffer.
    size_t size, capacity;
    bool failed;
} gltf_out;

static void put_word(gltf_out *g, uint32_t word)
{
    if (g->size + 4 > g->capacity) {
        size_t capacity = 2 * g->capacity + 4096;
        unsigned char *bytes = realloc(g->bytes, capacity);
        g->failed = g->failed || !bytes;
        if (!bytes)
            return;
        g->bytes = bytes;
        g->capacity = capacity;
    }
    pli_pack_little(g->bytes + g->size, word);
    g->size += 4;
}

// Both functions take ownership of the value, even if memory runs out.
static void set(gltf_out *g, json_t *object, const char *key, json_t *value)
{
    g->failed = json_object_set_new(object, key, value) != 0 || g->failed;
}

static void append(gltf_out *g, json_t *array, json_t *value)
{
    g->failed = json_array_append_new(array, value) != 0 || g->failed;
}

static int32_t vertex_count(const gltf_out *g)
{
    return g->w->attributes ? g->w->attributes->vertex_count : g->w->positions.count;
}

// The accessor of the data written since `start`.
static int add_accessor(gltf_out *g, size_t start, int target, int type, int32_t count, int32_t width)
{
    static const char *const shapes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    json_t *views = json_object_get(g->root, "bufferViews"), *accessors = json_object_get(g->root, "accessors");
    json_t *view = json_pack("{s:i,s:I,s:I,s:i}", "buffer", 0, "byteOffset", (json_int_t)start, "byteLength",
                             (json_int_t)(g->size - start), "target", target);
    json_t *accessor = json_pack("{s:i,s:i,s:i,s:s}", "bufferView", (int)json_array_size(views), "componentType", type,
                                 "count", (int)count, "type", shapes[width - 1]);
    append(g, views, view);
    append(g, accessors, accessor);
    return (int)json_array_size(accessors) - 1;
}

static void add_view(gltf_out *g, const char *name, pli_view view)
{
    size_t start = g->size;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < vertex_count(g); i++) {
        const float *p = pli_view_at(view, g->w->attributes ? g->w->attributes->vertex_map[i] : i);
        for (int k = 0; k < 3; k++) {
            put_word(g, pli_float_bits(p[k]));
            low[k] = fminf(low[k], p[k]);
            high[k] = fmaxf(high[k], p[k]);
        }
    }
    int accessor = add_accessor(g, start, ARRAY_BUFFER, FLOAT_TYPE, vertex_count(g), 3);
    json_t *item = json_array_get(json_object_get(g->root, "accessors"), (size_t)accessor);
    if (vertex_count(g) > 0) {
        set(g, item, "min", json_pack("[f,f,f]", (double)low[0], (double)low[1], (double)low[2]));
        set(g, item, "max", json_pack("[f,f,f]", (double)high[0], (double)high[1], (double)high[2]));
    }
    set(g, g->attributes, name, json_integer(accessor));
}

// The name of an attribute in glTF: texture coordinates and colours are numbered, other names begin with an underscore.
static bool name_of(const pli_mesh_attribute *attribute, char name[80])
{
    static const struct {
        const char *ours, *theirs;
        int32_t least, most;
    } known[] = {{PLI_ATTRIBUTE_UV, "TEXCOORD_", 2, 2}, {PLI_ATTRIBUTE_COLOUR, "COLOR_", 3, 4}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].ours);
        const char *number = attribute->name + length;
        if (strncmp(attribute->name, known[i].ours, length) == 0 && strspn(number, "0123456789") == strlen(number)) {
            snprintf(name, 80, "%s%.20s", known[i].theirs, number[0] ? number : "0");
            return attribute->width >= known[i].least && attribute->width <= known[i].most;
        }
    }
    snprintf(name, 80, "_%.60s", attribute->name);
    return true;
}

static void add_attribute(gltf_out *g, const pli_mesh_attribute *attribute)
{
    char name[80];
    if (attribute->domain != PLI_ATTRIBUTE_VERTEX || !name_of(attribute, name) || json_object_get(g->attributes, name))
        return;
    size_t start = g->size;
    bool flipped = strncmp(name, "TEXCOORD_", 9) == 0; // The origin of glTF textures is at the top.
    for (int32_t i = 0; i < vertex_count(g); i++)
        for (int32_t k = 0; k < attribute->width; k++) {
            float value = attribute->values[(size_t)i * (size_t)attribute->width + (size_t)k];
            put_word(g, pli_float_bits(flipped && k == 1 ? 1.0f - value : value));
        }
    int accessor = add_accessor(g, start, ARRAY_BUFFER, FLOAT_TYPE, vertex_count(g), attribute->width);
    set(g, g->attributes, name, json_integer(accessor));
}

// The render vertex of a triangle's corner.
static int32_t corner_vertex(const gltf_out *g, int32_t triangle, int k)
{
    const pli_topology *t = g->w->topology;
    int32_t vertex = t->triangles[3 * triangle + k], c = t->face_offsets[t->triangle_faces[triangle]];
    if (!g->w->attributes)
        return vertex;
    if (g->w->attributes->triangles)
        return g->w->attributes->triangles[3 * triangle + k];
    while (t->face_vertices[c] != vertex)
        c++;
    return g->w->attributes->corners[c];
}

// A primitive of the triangles starting at `order` whose faces have one material, or none (-1).
static void add_primitive(gltf_out *g, const int32_t *order, int32_t count, int32_t group)
{
    size_t start = g->size;
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            put_word(g, (uint32_t)corner_vertex(g, order[i], k));
    int indices = add_accessor(g, start, INDEX_BUFFER, UNSIGNED_TYPE, 3 * count, 1);
    json_t *primitive = json_pack("{s:O,s:i}", "attributes", g->attributes, "indices", indices);
    json_t *materials = json_object_get(g->root, "materials");
    if (group >= 0) {
        if (!materials) {
            materials = json_array();
            set(g, g->root, "materials", materials);
        }
        set(g, primitive, "material", json_integer((json_int_t)json_array_size(materials)));
        json_t *name = json_string(g->w->attributes->groups[group].name); // NULL when it is not UTF-8.
        append(g, materials, json_pack("{s:o,s:b}", "name", name ? name : json_string("material"), "doubleSided", 1));
    }
    append(g, g->primitives, primitive);
}

// Sorts the triangles by the materials of their faces, in the order of the groups, and adds a primitive for each.
static void add_primitives(gltf_out *g)
{
    const pli_topology *t = g->w->topology;
    int32_t groups = g->w->attributes ? g->w->attributes->group_count : 0;
    int32_t *material = pli_writing_face_groups(g->w, PLI_GROUP_MATERIAL);
    int32_t *starts = calloc((size_t)groups + 3, sizeof *starts);
    int32_t *order = malloc(((size_t)t->triangle_count + 1) * sizeof *order);
    g->failed = g->failed || !material || !starts || !order;
    for (int32_t i = 0; !g->failed && i < t->triangle_count; i++)
        starts[material[t->triangle_faces[i]] + 3]++;
    for (int32_t i = 0; !g->failed && i <= groups; i++)
        starts[i + 2] += starts[i + 1];
    for (int32_t i = 0; !g->failed && i < t->triangle_count; i++)
        order[starts[material[t->triangle_faces[i]] + 2]++] = i;
    for (int32_t i = 0; !g->failed && i <= groups; i++)
        if (starts[i + 1] > starts[i])
            add_primitive(g, order + starts[i], starts[i + 1] - starts[i], i - 1);
    free(material);
    free(starts);
    free(order);
}

static void put_base64(FILE *stream, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= i + 2 < size ? (uint32_t)bytes[i + 2] : 0;
        for (int k = 0; k < 4; k++)
            fputc(i + (size_t)k > size ? '=' : digits[bits >> (18 - 6 * k) & 63], stream);
    }
}

static void put_glb(FILE *stream, const gltf_out *g, const char *text)
{
    size_t length = strlen(text), padded = (length + 3) / 4 * 4;
    fwrite("glTF", 1, 4, stream);
    pli_put_int_little(stream, 2);
    pli_put_int_little(stream, (int32_t)(uint32_t)(GLB_HEADERS + padded + g->size));
    pli_put_int_little(stream, (int32_t)(uint32_t)padded);
    fwrite("JSON", 1, 4, stream);
    fwrite(text, 1, length, stream);
    for (size_t i = length; i < padded; i++)
        fputc(' ', stream);
    pli_put_int_little(stream, (int32_t)(uint32_t)g->size);
    fwrite("BIN\0", 1, 4, stream);
    fwrite(g->bytes, 1, g->size, stream);
}

// Writes the JSON with the buffer in place of its marker.
static void put_text(FILE *stream, const gltf_out *g, const char *text)
{
    static const char mark[] = "\"uri\":\"";
    const char *at = strstr(text, mark);
    size_t before = at ? (size_t)(at - text) + sizeof mark - 1 : strlen(text);
    fwrite(text, 1, before, stream);
    fputs("data:application/octet-stream;base64,", stream);
    put_base64(stream, g->bytes, g->size);
    fputs(text + before, stream);
}

static bool build(gltf_out *g, bool binary)
{
    const pli_mesh_attributes *a = g->w->attributes;
    g->attributes = json_object();
    g->primitives = json_array();
    json_t *buffer = json_object();
    g->root = json_pack("{s:{s:s,s:s},s:[O],s:i,s:[{s:[i]}],s:[{s:i}],s:[{s:O}],s:[],s:[]}", "asset", "version", "2.0",
                        "generator", "Pliant " PLI_VERSION_STRING, "buffers", buffer, "scene", 0, "scenes", "nodes", 0,
                        "nodes", "mesh", 0, "meshes", "primitives", g->primitives, "bufferViews", "accessors");
    if (!g->root || !g->attributes) {
        json_decref(buffer);
        return false;
    }
    add_view(g, "POSITION", g->w->positions);
    if (g->w->normals.count > 0)
        add_view(g, "NORMAL", g->w->normals);
    for (int32_t i = 0; a && i < a->attribute_count; i++)
        add_attribute(g, &a->attributes[i]);
    add_primitives(g);
    set(g, buffer, "byteLength", json_integer((json_int_t)g->size));
    if (!binary)
        set(g, buffer, "uri", json_string(""));
    json_decref(buffer);
    return !g->failed;
}

bool pli_write_gltf(FILE *stream, const pli_mesh_writing *w)
{
    gltf_out g = {.w = w};
    bool binary = strcmp(w->extension, "glb") == 0, built = build(&g, binary);
    // Nine digits restore floats exactly, so that bounds equal the numbers.
    char *text = built ? pli_json_format(g.root, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (text && binary)
        put_glb(stream, &g, text);
    else if (text)
        put_text(stream, &g, text);
    free(text);
    free(g.bytes);
    json_decref(g.primitives);
    json_decref(g.attributes);
    json_decref(g.root);
    return text != NULL;
}
