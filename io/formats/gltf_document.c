// Parses glTF 2.0 (Khronos 2021): the JSON, the chunks of .glb, buffers in files or base64, and accessors, each of which is checked
// against its buffer before any value is read.
#define _POSIX_C_SOURCE 200809L
#include "formats/gltf_document.h"

#include "files/json_parse.h"
#include "files/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    GLB_HEADER = 12,
    CHUNK_HEADER = 8,
    CHUNK_JSON = 0x4e4f534a,
    CHUNK_BINARY = 0x004e4942,
    COUNT_MAX = INT32_MAX / 4
};

static pli_status fail(const pli_gltf *g, const char *what, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_PARSE, "%s: %s", g->file->name, what);
}

static pli_status parse(pli_gltf *g, const char *text, size_t size, pli_error *error)
{
    json_error_t where;
    size_t start = 0;
    while (start < size && strchr(" \t\r\n", text[start]) && text[start])
        start++;
    if (start == size || text[start] != '{')
        return fail(g, "this is not a glTF file", error);
    g->root = pli_json_parse(text, size, 0, &where);
    if (!g->root && !where.text[0])
        return pli_io_fail_memory(error);
    if (!g->root)
        return pli_fail(error, PLI_STATUS_PARSE, "%s:%d:%d: %s", g->file->name, where.line, where.column, where.text);
    const char *version = json_string_value(json_object_get(json_object_get(g->root, "asset"), "version"));
    if (!version || strncmp(version, "2.", 2) != 0)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "%s: asset.version is %s; only glTF 2.0 can be read",
                        g->file->name, version ? version : "missing");
    return PLI_STATUS_OK;
}

static pli_status parse_binary(pli_gltf *g, pli_error *error)
{
    const unsigned char *data = (const unsigned char *)g->file->data;
    size_t size = g->file->size, at = GLB_HEADER;
    if (pli_unpack_little(data + 4) != 2 || pli_unpack_little(data + 8) > size)
        return fail(g, "this .glb is not of version 2, or it is cut off", error);
    size = pli_unpack_little(data + 8);
    const char *text = NULL;
    size_t text_size = 0;
    while (at + CHUNK_HEADER <= size) {
        uint32_t length = pli_unpack_little(data + at), type = pli_unpack_little(data + at + 4);
        at += CHUNK_HEADER;
        if (length > size - at)
            return fail(g, "a chunk of this .glb is longer than the file", error);
        if (type == CHUNK_JSON && !text) {
            text = (const char *)data + at;
            text_size = length;
        } else if (type == CHUNK_BINARY && !g->binary) {
            g->binary = data + at;
            g->binary_size = length;
        }
        at += length;
    }
    return text ? parse(g, text, text_size, error) : fail(g, "this .glb has no JSON", error);
}

static pli_status refuse_compression(const pli_gltf *g, pli_error *error)
{
    static const char *const compressed[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"};
    json_t *required = json_object_get(g->root, "extensionsRequired"), *item;
    size_t i;
    json_array_foreach (required, i, item)
        for (size_t k = 0; k < sizeof compressed / sizeof *compressed; k++)
            if (json_is_string(item) && strcmp(json_string_value(item), compressed[k]) == 0)
                return pli_fail(error, PLI_STATUS_UNSUPPORTED, "%s: its meshes are compressed (%s); export it without",
                                g->file->name, compressed[k]);
    return PLI_STATUS_OK;
}

pli_status pli_gltf_open(pli_gltf *g, const pli_import_file *file, pli_error *error)
{
    *g = (pli_gltf){.file = file, .byte_count = file->size};
    bool binary = file->size >= GLB_HEADER && memcmp(file->data, "glTF", 4) == 0;
    pli_status status = binary ? parse_binary(g, error) : parse(g, file->data, file->size, error);
    if (status == PLI_STATUS_OK)
        status = refuse_compression(g, error);
    if (status != PLI_STATUS_OK)
        return status;
    g->buffer_count = json_array_size(json_object_get(g->root, "buffers"));
    g->buffers = calloc(g->buffer_count + 1, sizeof *g->buffers);
    return g->buffers ? pli_succeed(error) : pli_io_fail_memory(error);
}

void pli_gltf_close(pli_gltf *g)
{
    for (size_t i = 0; g->buffers && i < g->buffer_count; i++) {
        pli_bytes_release(&g->buffers[i].file);
        free(g->buffers[i].text);
    }
    free(g->buffers);
    for (size_t i = 0; g->dense && i < json_array_size(json_object_get(g->root, "accessors")); i++)
        free(g->dense[i]);
    free(g->dense);
    json_decref(g->root);
    *g = (pli_gltf){0};
}

json_t *pli_gltf_item(const pli_gltf *g, const char *array, json_t *index)
{
    json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;
    return i >= 0 ? json_array_get(json_object_get(g->root, array), (size_t)i) : NULL;
}

static int digit64(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

// Decodes base64 up to its padding. False when it contains another character.
static bool decode64(const char *text, unsigned char *to, size_t *size)
{
    uint32_t bits = 0;
    int count = 0;
    *size = 0;
    for (; *text && *text != '='; text++) {
        int digit = digit64(*text);
        if (digit < 0)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            to[(*size)++] = (unsigned char)(bits >> count);
        }
    }
    return true;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Decodes escapes such as "%20". False for an escaped zero.
static bool decode_percents(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (at[0] == '%' && hex(at[1]) >= 0 && hex(at[2]) >= 0) {
            *to = (char)(16 * hex(at[1]) + hex(at[2]));
            at += 2;
        } else {
            *to = *at;
        }
        if (*to++ == '\0')
            return false;
    }
    *to = '\0';
    return true;
}

static bool has_scheme(const char *uri)
{
    size_t length = strcspn(uri, ":/?#");
    return uri[length] == ':' || uri[0] == '/';
}

// Reads the file named by `uri`, relative to the document.
static pli_status read_beside(pli_gltf *g, pli_gltf_buffer *b, const char *uri, pli_error *error)
{
    const pli_import_file *file = g->file;
    bool outside = false;
    if (!file->place)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "%s: its buffer is the file '%.100s', which cannot be found from memory; use .glb", file->name,
                        uri);
    errno = 0;
    char *name = strdup(uri);
    bool named = name && !has_scheme(uri) && decode_percents(name) && name[0];
    char *path = named ? pli_place_beside(file->place, file->name, name, &outside) : NULL;
    pli_status status;
    if (path)
        status = pli_place_read(file->place, path, &b->file, error);
    else if (!name || (!outside && errno == ENOMEM))
        status = pli_io_fail_memory(error);
    else if (!named || outside)
        status = pli_fail(error, PLI_STATUS_FILE,
                          "%s: its buffer '%.100s' is not a file inside its folder; put it there", file->name, uri);
    else
        status = pli_fail(error, PLI_STATUS_FILE, "%s: its buffer '%.100s' is not there", file->name, uri);
    b->bytes = (const unsigned char *)b->file.data;
    b->size = b->file.size;
    free(path);
    free(name);
    return status;
}

static pli_status load_buffer(pli_gltf *g, size_t index, pli_error *error)
{
    pli_gltf_buffer *b = &g->buffers[index];
    json_t *buffer = json_array_get(json_object_get(g->root, "buffers"), index);
    const char *uri = json_string_value(json_object_get(buffer, "uri"));
    pli_status status = PLI_STATUS_OK;
    if (b->bytes)
        return status;
    if (!uri && index == 0 && g->binary) {
        b->bytes = g->binary;
        b->size = g->binary_size;
    } else if (uri && strncmp(uri, "data:", 5) == 0) {
        const char *comma = strchr(uri, ',');
        b->text = comma ? malloc(strlen(comma) + 1) : NULL;
        if (comma && !b->text)
            return pli_io_fail_memory(error);
        bool decoded = comma && comma - uri >= 7 && strncmp(comma - 7, ";base64", 7) == 0 &&
                       decode64(comma + 1, b->text, &b->size);
        if (!decoded)
            return fail(g, "a buffer in its text is not base64", error);
        b->bytes = b->text;
    } else if (uri) {
        status = read_beside(g, b, uri, error);
    } else {
        return fail(g, "a buffer says neither where it is, nor is it in the file", error);
    }
    g->byte_count += b->size;
    return status;
}

// A non-negative integer; `initial` without the key, -1 for other values.
static int64_t whole(json_t *object, const char *key, int64_t initial)
{
    json_t *value = json_object_get(object, key);
    if (!value)
        return initial;
    return json_is_integer(value) && json_integer_value(value) >= 0 ? (int64_t)json_integer_value(value) : -1;
}

static int32_t component_bytes(int64_t type)
{
    switch (type) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

static int32_t width_of(json_t *accessor)
{
    static const char *const shapes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const char *shape = json_string_value(json_object_get(accessor, "type"));
    for (int32_t i = 0; shape && i < 4; i++)
        if (strcmp(shape, shapes[i]) == 0)
            return i + 1;
    return shape && strcmp(shape, "MAT4") == 0 ? 16 : 0;
}

// Whether all elements are inside the view, and the view inside its buffer.
static bool inside(const pli_gltf_buffer *b, int64_t offset, int64_t length, int64_t start, const pli_gltf_numbers *n)
{
    int64_t size = (int64_t)b->size, element = (int64_t)n->width * n->bytes;
    if (offset < 0 || length < 0 || start < 0 || offset > size || length > size - offset || n->stride < element)
        return false;
    return n->count == 0 || (start <= length - element && (n->count - 1) <= (length - element - start) / n->stride);
}

// Finds the numbers that start at a byte offset of a bufferView.
static pli_status locate(pli_gltf *g, json_t *view, int64_t start, pli_gltf_numbers *n, pli_error *error)
{
    const int64_t buffer = whole(view, "buffer", -1), offset = whole(view, "byteOffset", 0);
    if (buffer < 0 || (uint64_t)buffer >= g->buffer_count)
        return fail(g, "a bufferView names no buffer", error);
    pli_status status = load_buffer(g, (size_t)buffer, error);
    if (status != PLI_STATUS_OK)
        return status;
    n->stride = whole(view, "byteStride", (int64_t)n->width * n->bytes);
    if (!inside(&g->buffers[buffer], offset, whole(view, "byteLength", -1), start, n))
        return fail(g, "an accessor reaches beyond its buffer", error);
    n->at = g->buffers[buffer].bytes + offset + start;
    return pli_succeed(error);
}

// Writes the elements of a sparse accessor over those of `dense`.
static pli_status overlay(pli_gltf *g, json_t *sparse, const pli_gltf_numbers *n, unsigned char *dense,
                          pli_error *error)
{
    json_t *places = json_object_get(sparse, "indices"), *contents = json_object_get(sparse, "values");
    const int64_t count = whole(sparse, "count", -1), type = whole(places, "componentType", -1);
    const size_t element = (size_t)n->width * (size_t)n->bytes;
    pli_gltf_numbers indices = {.count = count, .width = 1, .type = (int32_t)type, .bytes = component_bytes(type)};
    pli_gltf_numbers values = {.count = count, .width = n->width, .bytes = n->bytes};
    if (count < 0 || count > n->count || (type != 5121 && type != 5123 && type != 5125))
        return fail(g, "a sparse accessor has no count up to its own, or indices of another type", error);
    pli_status status = locate(g, pli_gltf_item(g, "bufferViews", json_object_get(places, "bufferView")),
                               whole(places, "byteOffset", 0), &indices, error);
    if (status == PLI_STATUS_OK)
        status = locate(g, pli_gltf_item(g, "bufferViews", json_object_get(contents, "bufferView")),
                        whole(contents, "byteOffset", 0), &values, error);
    double before = -1.0;
    for (int64_t i = 0; status == PLI_STATUS_OK && i < count; i++) {
        const double at = pli_gltf_number(&indices, i, 0);
        if (at <= before || at >= (double)n->count)
            return pli_fail(error, PLI_STATUS_PARSE,
                            "%s: index %lld of a sparse accessor is %.0f; indices ascend, and are below %lld",
                            g->file->name, (long long)i, at, (long long)n->count);
        memcpy(dense + element * (size_t)at, values.at + i * values.stride, element);
        before = at;
    }
    return status;
}

// Assembles the numbers of a sparse accessor: the numbers of its bufferView, or zeros, overwritten by the listed elements.
static pli_status find_sparse(pli_gltf *g, json_t *accessor, size_t number, pli_gltf_numbers *n, pli_error *error)
{
    enum { SPARE_BYTES = 1 << 26, PER_BYTE = 64 };
    json_t *view = pli_gltf_item(g, "bufferViews", json_object_get(accessor, "bufferView"));
    const size_t element = (size_t)n->width * (size_t)n->bytes, size = element * (size_t)n->count;
    pli_status status = PLI_STATUS_OK;
    if (!g->dense)
        g->dense = calloc(json_array_size(json_object_get(g->root, "accessors")) + 1, sizeof *g->dense);
    if (!g->dense)
        return pli_io_fail_memory(error);
    if (!g->dense[number]) {
        g->dense_bytes += size;
        if (g->dense_bytes > SPARE_BYTES + PER_BYTE * g->byte_count)
            return fail(g, "its sparse accessors are larger than its size allows", error);
        unsigned char *dense = calloc(size + 1, 1);
        if (!dense)
            return pli_io_fail_memory(error);
        if (view)
            status = locate(g, view, whole(accessor, "byteOffset", 0), n, error);
        for (int64_t i = 0; view && status == PLI_STATUS_OK && i < n->count; i++)
            memcpy(dense + element * (size_t)i, n->at + i * n->stride, element);
        if (status == PLI_STATUS_OK)
            status = overlay(g, json_object_get(accessor, "sparse"), n, dense, error);
        if (status != PLI_STATUS_OK) {
            free(dense);
            return status;
        }
        g->dense[number] = dense;
    }
    n->at = g->dense[number];
    n->stride = (int64_t)element;
    return pli_succeed(error);
}

pli_status pli_gltf_find(pli_gltf *g, json_t *index, pli_gltf_numbers *n, pli_error *error)
{
    json_t *accessor = pli_gltf_item(g, "accessors", index);
    json_t *view = pli_gltf_item(g, "bufferViews", json_object_get(accessor, "bufferView"));
    const int64_t type = whole(accessor, "componentType", -1);
    *n = (pli_gltf_numbers){.count = whole(accessor, "count", -1),
                            .width = width_of(accessor),
                            .type = (int32_t)type,
                            .bytes = component_bytes(type),
                            .normalised = json_is_true(json_object_get(accessor, "normalized"))};
    if (!accessor || n->count < 0 || n->count > COUNT_MAX || n->width == 0 || n->bytes == 0)
        return fail(g, "an accessor that a mesh uses is missing, or has no count, type or componentType", error);
    if (json_object_get(accessor, "sparse"))
        return find_sparse(g, accessor, (size_t)json_integer_value(index), n, error);
    if (!view)
        return fail(g, "an accessor that a mesh uses has no data", error);
    return locate(g, view, whole(accessor, "byteOffset", 0), n, error);
}

double pli_gltf_number(const pli_gltf_numbers *n, int64_t i, int32_t k)
{
    const unsigned char *at = n->at + i * n->stride + (int64_t)k * n->bytes;
    uint32_t bits = 0;
    for (int32_t b = 0; b < n->bytes; b++)
        bits |= (uint32_t)at[b] << (8 * b);
    if (n->type == 5126)
        return (double)pli_bits_float(bits);
    bool is_signed = n->type == 5120 || n->type == 5122;
    double top = n->bytes == 1 ? 255.0 : n->bytes == 2 ? 65535.0 : 4294967295.0;
    double value = (double)bits, half = (top - 1.0) / 2.0;
    if (is_signed && value > half)
        value -= top + 1.0;
    if (!n->normalised)
        return value;
    value /= is_signed ? half : top;
    return value < -1.0 ? -1.0 : value;
}
