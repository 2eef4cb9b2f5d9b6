// USD as text: frames are time samples. OpenUSD's programs, Houdini, Omniverse, Unreal and others read it.
//
//   name.usda                    units, rate, faces, texture coordinates, colours and materials; it has the others as sublayers, and is
//                                rewritten every CHECKPOINT frames and at the end
//   name.OBJECT.usda             positions of an object
//   name.OBJECT.extent.usda      its bounding box
//   name.OBJECT.normals.usda     its normals, where the frames have some
//
// All samples of an attribute are in one block, so each changing attribute has its own growing file: a frame and the
// new end of the file are written in one call over the previous end. An object that has not moved yet has one value and no samples.
#define _POSIX_C_SOURCE 200809L
#include "caches/usd_look.h"

#include "support/publish.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { CHECKPOINT = 50, NUMBER_SIZE = 16 };

// An attribute with one value per vertex, or of two corners.
typedef struct kind {
    const char *type, *name, *ending;
    int digits; // Nine digits restore a float exactly.
} kind;

enum { POINTS, EXTENT, NORMALS, KIND_COUNT };
static const kind kinds[KIND_COUNT] = {
    {"point3f[]", "points", "", 9},
    {"float3[]", "extent", ".extent", 9},
    {"normal3f[]", "normals", ".normals", 4}, // By vertex, the default interpolation of normals.
};
static const char tail[] = "        }\n    }\n}\n", still_tail[] = "    }\n}\n";

// The file of one attribute of one object.
typedef struct layer {
    pli_new_file file;
    char *buffer;  // The stream's buffer, which holds a frame.
    float *first;  // [3 * vertices] the value of frame 0, while all frames are equal to it.
    bool is_still; // No frame differs so far.
    bool is_cut;   // A resumed file ends at `end`; later content of an earlier run is dropped.
    off_t end;     // Offset of the next sample; for a still object, offset of its value.
} layer;

typedef struct usd_state {
    layer (*layers)[KIND_COUNT]; // [objects]
    bool is_open;                // All layers are open.
} usd_state;

static int32_t value_count(const pli_recorder *r, int32_t object, const kind *k)
{
    return k == &kinds[EXTENT] ? 2 : pli_recorder_vertex_count(r, object);
}

static char *layer_path(const pli_recorder *r, int32_t object, const kind *k)
{
    size_t length = strlen(r->directory) + strlen(r->name) + strlen(r->objects[object].name) + strlen(k->ending) + 8;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s/%s.%s%s.usda", r->directory, r->name, r->objects[object].name, k->ending);
    return path;
}

/* ---- layers --------------------------------------------------------------------------------- */

static void put_values(FILE *stream, int digits, pli_view values)
{
    fputc('[', stream);
    for (int32_t v = 0; v < values.count; v++) {
        const float *p = pli_view_at(values, v);
        fputs(v > 0 ? ", " : "", stream);
        fprintf(stream, "(%.*g, %.*g, %.*g)", digits, (double)p[0], digits, (double)p[1], digits, (double)p[2]);
    }
    fputc(']', stream);
}

// Writes the value of a still object and the end of the file.
static void put_still(FILE *stream, const kind *k, pli_view values)
{
    fprintf(stream, "        %s %s = ", k->type, k->name);
    put_values(stream, k->digits, values);
    fprintf(stream, "\n%s", still_tail);
}

static void put_sample(FILE *stream, const kind *k, int32_t frame, pli_view values)
{
    fprintf(stream, "            %d: ", (int)frame);
    put_values(stream, k->digits, values);
    fputs(",\n", stream);
}

// The stream gets a buffer for a complete frame, so that a frame is written in one call.
static bool set_buffer(layer *l, int32_t count)
{
    const size_t size = 4096 + 6 * NUMBER_SIZE * 3 * (size_t)count;
    l->buffer = malloc(size);
    l->first = malloc(3 * (size_t)count * sizeof *l->first + 1);
    return l->buffer && l->first && setvbuf(l->file.stream, l->buffer, _IOFBF, size) == 0;
}

static pli_status begin_layer(const pli_recorder *r, layer *l, int32_t object, const kind *k, const char *path,
                              pli_error *error)
{
    pli_status status = pli_new_file_open(&l->file, path, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!set_buffer(l, value_count(r, object, k)))
        return pli_io_fail_memory(error);
    FILE *stream = l->file.stream;
    // A layer without a rate has 24 frames per second, and its samples would be rescaled to the root's rate.
    fprintf(stream, "#usda 1.0\n(\n    framesPerSecond = %.9g\n    timeCodesPerSecond = %.9g\n)\n\nover \"",
            r->frames_per_second, r->frames_per_second);
    pli_usd_put_identifier(stream, r->name);
    fputs("\"\n{\n    over \"", stream);
    pli_usd_put_object(r, stream, object);
    fprintf(stream, "\"\n    {\n");
    l->end = ftello(stream);
    return pli_succeed(error);
}

// Rounds a value to its text in the file, so that a value that is read back is identical.
static float as_written(const kind *k, float value)
{
    char text[32];
    snprintf(text, sizeof text, "%.*g", k->digits, (double)value);
    return strtof(text, NULL);
}

static bool is_as_first(const layer *l, const kind *k, pli_view values)
{
    for (int32_t i = 0; i < 3 * values.count; i++)
        if (l->first[i] != as_written(k, pli_view_at(values, i / 3)[i % 3]))
            return false;
    return true;
}

static void keep_first(layer *l, const kind *k, pli_view values)
{
    for (int32_t i = 0; i < 3 * values.count; i++)
        l->first[i] = as_written(k, pli_view_at(values, i / 3)[i % 3]);
    l->is_still = true;
}

// An attribute that was still until now gets samples at both ends of that period, since values are interpolated between samples.
static void begin_samples(layer *l, const kind *k, int32_t frame, int32_t count)
{
    const pli_view first = {l->first, count, 3 * sizeof *l->first};
    FILE *stream = l->file.stream;
    fprintf(stream, "        %s %s.timeSamples = {\n", k->type, k->name);
    put_sample(stream, k, 0, first);
    if (frame > 1)
        put_sample(stream, k, frame - 1, first);
    l->is_still = false;
}

static bool write_at(int file, const char *text, size_t size, off_t at)
{
    while (size > 0) {
        const ssize_t done = pwrite(file, text, size, at);
        if (done <= 0)
            return false;
        text += done, size -= (size_t)done, at += done;
    }
    return true;
}

// Ends the file after a text that is written where the layer is cut. The text is written first: if that fails, the file is unchanged.
// Old content after it that cannot be removed is replaced by empty lines. The stream is not used, since it would retry the write when
// it is closed.
static bool end_file(const layer *l, const char *text, size_t size)
{
    const int file = fileno(l->file.stream);
    const off_t end = l->end + (off_t)size;
    struct stat info;
    if (!write_at(file, text, size, l->end))
        return false;
    if (ftruncate(file, end) == 0)
        return true;
    const int reason = errno;
    const off_t size_now = fstat(file, &info) == 0 ? info.st_size : end;
    char lines[4096];
    memset(lines, '\n', sizeof lines);
    for (off_t at = end; at < size_now; at += (off_t)sizeof lines)
        if (!write_at(file, lines, size_now - at < (off_t)sizeof lines ? (size_t)(size_now - at) : sizeof lines, at))
            break;
    errno = reason;
    return false;
}

static pli_status cut_layer(const layer *l, const kind *k, int32_t count, pli_error *error)
{
    if (!l->file.stream || !l->is_cut)
        return pli_succeed(error);
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return pli_io_fail_memory(error);
    if (l->is_still)
        put_still(stream, k, (pli_view){l->first, count, 3 * sizeof *l->first});
    else
        fputs(tail, stream);
    const bool whole = fclose(stream) == 0;
    pli_status status = whole ? pli_succeed(error) : pli_io_fail_memory(error);
    if (whole && !end_file(l, text, size))
        status = pli_io_fail_errno(error, "resume", l->file.path);
    free(text);
    return status;
}

// Restores the frames of a layer if another layer could not be written: unwritten data are discarded with its stream.
static void mend_layer(layer *l, const kind *k, off_t end, bool was_still, int32_t count)
{
    fclose(l->file.stream);
    l->file.stream = pli_open_to_change(l->file.path);
    l->end = end, l->is_still = was_still, l->is_cut = true;
    cut_layer(l, k, count, NULL);
}

static pli_status add_to_layer(const pli_recorder *r, layer *l, const kind *k, pli_view values, pli_error *error)
{
    FILE *stream = l->file.stream;
    const off_t end = l->end;
    const bool was_still = l->is_still;
    if (r->frame == 0)
        keep_first(l, k, values);
    else if (l->is_still && is_as_first(l, k, values))
        return pli_succeed(error);
    if (fseeko(stream, l->end, SEEK_SET) != 0)
        return pli_io_fail_errno(error, "write", l->file.path);
    if (r->frame == 0) {
        put_still(stream, k, values);
    } else {
        if (l->is_still)
            begin_samples(l, k, r->frame, values.count);
        put_sample(stream, k, r->frame, values);
        l->end = ftello(stream);
        fputs(tail, stream);
    }
    if (fflush(stream) != 0) {
        const pli_status status = pli_io_fail_errno(error, "write", l->file.path);
        if (!l->file.temporary)
            mend_layer(l, k, end, was_still, values.count);
        return status;
    }
    return l->file.temporary ? pli_new_file_publish(&l->file, error) : pli_succeed(error);
}

/* ---- resuming ------------------------------------------------------------------------------- */

// Reads the values of a line; returns their number, at most `count` + 1.
static int32_t read_values(const char *text, float *values, int32_t count)
{
    int32_t found = 0;
    for (const char *at = strchr(text, '('); at && found <= count; at = strchr(at, '(')) {
        char *end = (char *)(uintptr_t)at;
        for (int k = 0; k < 3; k++) {
            const float value = strtof(end + 1, &end);
            if (found < count)
                values[3 * found + k] = value;
        }
        found++, at++;
    }
    return found;
}

// Finds the end of the first `resume_frame` frames.
static pli_status find_end(const pli_recorder *r, layer *l, const kind *k, int32_t count, pli_error *error)
{
    char *line = NULL, still[64], samples[64];
    size_t size = 0;
    off_t at = 0, samples_at = 0;
    ssize_t length;
    snprintf(still, sizeof still, "        %s %s = [", k->type, k->name);
    snprintf(samples, sizeof samples, "        %s %s.timeSamples", k->type, k->name);
    int32_t found = -1, last = -1;
    bool goes_on = false;
    while ((length = getline(&line, &size, l->file.stream)) > 0) {
        int frame;
        at += length;
        if (strncmp(line, still, strlen(still)) == 0) {
            found = read_values(line, l->first, count);
            l->is_still = goes_on = true, l->end = at - length;
        } else if (strncmp(line, samples, strlen(samples)) == 0) {
            samples_at = at - length;
        } else if (sscanf(line, "            %d: [", &frame) == 1 && line[length - 1] == '\n') {
            goes_on = goes_on || frame >= r->resume_frame;
            if (frame >= r->resume_frame)
                break;
            found = read_values(line, l->first, count);
            l->is_still = false, l->end = at, last = frame;
        }
    }
    free(line);
    // Only a long-still attribute has no sample for each frame; it must then have a sample of a later frame.
    if (found != count || (last + 1 < r->resume_frame && !goes_on))
        return pli_fail(error, PLI_STATUS_CORRUPT, "'%s' is not the cache that is to be resumed", l->file.path);
    l->is_cut = !l->is_still;
    // It began to move in a frame that is dropped.
    if (l->is_cut && last + 1 < r->resume_frame)
        l->is_still = true, l->end = samples_at;
    return pli_succeed(error);
}

static pli_status resume_layer(const pli_recorder *r, layer *l, int32_t object, const kind *k, const char *path,
                               pli_error *error)
{
    const int32_t count = value_count(r, object, k);
    l->file.path = strdup(path);
    l->file.stream = pli_open_to_change(path);
    if (!l->file.stream)
        return pli_io_fail_errno(error, "resume", path);
    if (!l->file.path || !set_buffer(l, count))
        return pli_io_fail_memory(error);
    return find_end(r, l, k, count, error);
}

static pli_status open_layer(const pli_recorder *r, int32_t object, int32_t which, pli_error *error)
{
    const usd_state *s = r->state;
    char *path = layer_path(r, object, &kinds[which]);
    if (!path)
        return pli_io_fail_memory(error);
    pli_status status = r->resume_frame > 0
                            ? resume_layer(r, &s->layers[object][which], object, &kinds[which], path, error)
                            : begin_layer(r, &s->layers[object][which], object, &kinds[which], path, error);
    free(path);
    return status;
}

/* ---- the root ------------------------------------------------------------------------------- */

static void put_sublayers(const pli_recorder *r, FILE *stream)
{
    const usd_state *s = r->state;
    bool first = true;
    fputs("    subLayers = [", stream);
    for (int32_t i = 0; i < r->object_count; i++)
        for (int32_t k = 0; k < KIND_COUNT; k++)
            if (s->layers[i][k].file.stream) {
                fprintf(stream, "%s\n        @./%s.%s%s.usda@", first ? "" : ",", r->name, r->objects[i].name,
                        kinds[k].ending);
                first = false;
            }
    fputs("\n    ]\n", stream);
}

static char *root_path(const pli_recorder *r)
{
    size_t length = strlen(r->directory) + strlen(r->name) + 8;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s/%s.usda", r->directory, r->name);
    return path;
}

static pli_status write_root(const pli_recorder *r, int32_t frames, pli_error *error)
{
    char *path = root_path(r);
    pli_new_file file;
    pli_status status = path ? pli_new_file_open(&file, path, error) : pli_io_fail_memory(error);
    free(path);
    if (status != PLI_STATUS_OK)
        return status;
    fputs("#usda 1.0\n(\n    defaultPrim = \"", file.stream);
    pli_usd_put_identifier(file.stream, r->name);
    fprintf(file.stream,
            "\"\n    doc = \"Pliant " PLI_VERSION_STRING "\"\n    endTimeCode = %d\n    framesPerSecond = %.9g\n"
            "    metersPerUnit = 1\n    startTimeCode = 0\n",
            (int)(frames > 0 ? frames - 1 : 0), r->frames_per_second);
    put_sublayers(r, file.stream);
    fprintf(file.stream, "    timeCodesPerSecond = %.9g\n    upAxis = \"%s\"\n)\n\ndef Xform \"", r->frames_per_second,
            r->up.z > r->up.y ? "Z" : "Y");
    pli_usd_put_identifier(file.stream, r->name);
    fputs("\"\n{", file.stream);
    for (int32_t i = 0; i < r->object_count; i++)
        pli_usd_put_mesh(r, file.stream, i);
    pli_usd_put_materials(r, file.stream);
    fputs("}\n", file.stream);
    return pli_new_file_commit(&file, error);
}

/* ---- the recorder --------------------------------------------------------------------------- */

// Opens the normals of an object from an earlier run, so that a resumed run continues them.
static pli_status resume_normals(const pli_recorder *r, int32_t object, pli_error *error)
{
    char *path = layer_path(r, object, &kinds[NORMALS]);
    if (!path)
        return pli_io_fail_memory(error);
    const bool there = access(path, R_OK) == 0;
    free(path);
    return there ? open_layer(r, object, NORMALS, error) : PLI_STATUS_OK;
}

static pli_status open_usd(pli_recorder *r, pli_error *error)
{
    usd_state *s = r->state;
    char *path = root_path(r);
    s->layers = calloc((size_t)r->object_count, sizeof *s->layers);
    const bool named = path && pli_recorder_note_path(r, path);
    free(path);
    if (!named || !s->layers)
        return pli_io_fail_memory(error);
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < r->object_count && status == PLI_STATUS_OK; i++) {
        status = open_layer(r, i, POINTS, error);
        if (status == PLI_STATUS_OK)
            status = open_layer(r, i, EXTENT, error);
        if (status == PLI_STATUS_OK && r->resume_frame > 0)
            status = resume_normals(r, i, error);
    }
    // Files are cut only after all of them were recognised as files of the recording.
    for (int32_t i = 0; i < KIND_COUNT * r->object_count && status == PLI_STATUS_OK; i++)
        status = cut_layer(&s->layers[i / KIND_COUNT][i % KIND_COUNT], &kinds[i % KIND_COUNT],
                           value_count(r, i / KIND_COUNT, &kinds[i % KIND_COUNT]), error);
    s->is_open = status == PLI_STATUS_OK;
    return status;
}

static void find_extent(pli_view positions, float corners[6])
{
    for (int k = 0; k < 3; k++)
        corners[k] = positions.count > 0 ? INFINITY : 0.0f, corners[3 + k] = -corners[k];
    for (int32_t v = 0; v < positions.count; v++)
        for (int k = 0; k < 3; k++) {
            corners[k] = fminf(corners[k], pli_view_at(positions, v)[k]);
            corners[3 + k] = fmaxf(corners[3 + k], pli_view_at(positions, v)[k]);
        }
}

static pli_status add_object(const pli_recorder *r, int32_t object, pli_view positions, const pli_view *normals,
                             pli_error *error)
{
    layer *layers = ((const usd_state *)r->state)->layers[object];
    float corners[6];
    find_extent(positions, corners);
    pli_status status = add_to_layer(r, &layers[POINTS], &kinds[POINTS], positions, error);
    if (status == PLI_STATUS_OK)
        status = add_to_layer(r, &layers[EXTENT], &kinds[EXTENT], (pli_view){corners, 2, 12}, error);
    const bool shaded = normals && normals->count == positions.count;
    if (status == PLI_STATUS_OK && shaded && r->frame == 0)
        status = open_layer(r, object, NORMALS, error);
    if (status == PLI_STATUS_OK && shaded && layers[NORMALS].file.stream)
        status = add_to_layer(r, &layers[NORMALS], &kinds[NORMALS], *normals, error);
    return status;
}

static pli_status add_usd(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < r->object_count && status == PLI_STATUS_OK; i++)
        status = add_object(r, i, positions[i], normals ? &normals[i] : NULL, error);
    if (status == PLI_STATUS_OK && r->frame % CHECKPOINT == 0)
        status = write_root(r, r->frame + 1, error);
    return status;
}

static pli_status close_usd(pli_recorder *r, pli_error *error)
{
    usd_state *s = r->state;
    pli_status status = s->is_open && r->frame > 0 ? write_root(r, r->frame, error) : pli_succeed(error);
    for (int32_t i = 0; s->layers && i < r->object_count; i++)
        for (int32_t k = 0; k < KIND_COUNT; k++) {
            layer *l = &s->layers[i][k];
            const bool whole = l->file.stream && !l->file.temporary;
            if (whole && (fflush(l->file.stream) != 0 || fsync(fileno(l->file.stream)) != 0) && status == PLI_STATUS_OK)
                status = pli_io_fail_errno(error, "write", l->file.path);
            pli_new_file_abandon(&l->file);
            free(l->buffer);
            free(l->first);
        }
    free(s->layers);
    s->layers = NULL;
    return status;
}

const pli_cache_row pli_cache_row_usda = {
    .face = {"usda", "usda", "USD as text, a time sample a frame, with looks: Houdini, Omniverse, Unreal; large",
             .can_read = false, .variable_topology = false},
    .state_size = sizeof(usd_state),
    .open = open_usd,
    .add = add_usd,
    .close = close_usd,
};
