// Reads the VTKHDF files that this library writes.
#define _POSIX_C_SOURCE 200809L
#include "vtkhdf_read.h"

#include "caches/cache_objects.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

typedef struct grid_reader {
    hid_t file, points;
} grid_reader;

// The values of a dataset must be in the file; deflated ones need at least 1/1032 of their size.
static bool holds_its_values(hid_t data)
{
    hid_t plan = H5Dget_create_plist(data), space = H5Dget_space(data), type = H5Dget_type(data);
    const bool own = H5Pget_layout(plan) != H5D_VIRTUAL && H5Pget_external_count(plan) == 0;
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const double bytes = (double)H5Tget_size(type) * (double)count;
    const bool fits = count >= 0 && bytes <= 1100.0 * (double)H5Dget_storage_size(data);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(plan);
    return own && fits;
}

static herr_t refuse_link(const char *file, const char *group, const char *target_file, const char *target,
                          unsigned *flags, hid_t plan, void *user)
{
    (void)file, (void)group, (void)target_file, (void)target, (void)flags, (void)plan, (void)user;
    return -1;
}

static hid_t plan_without_links(hid_t kind)
{
    hid_t plan = H5Pcreate(kind);
    if (plan >= 0 && H5Pset_elink_cb(plan, refuse_link, NULL) >= 0)
        return plan;
    H5Pclose(plan);
    return -1;
}

hid_t pli_hdf5_open_data(hid_t at, const char *name)
{
    hid_t plan = plan_without_links(H5P_DATASET_ACCESS), data = plan >= 0 ? H5Dopen2(at, name, plan) : -1;
    H5Pclose(plan);
    if (data < 0 || holds_its_values(data))
        return data;
    H5Dclose(data);
    return -1;
}

hid_t pli_hdf5_open_group(hid_t at, const char *name)
{
    hid_t plan = plan_without_links(H5P_GROUP_ACCESS), group = plan >= 0 ? H5Gopen2(at, name, plan) : -1;
    H5Pclose(plan);
    return group;
}

static int64_t length_of(hid_t file, const char *name)
{
    hid_t data = pli_hdf5_open_data(file, name);
    if (data < 0)
        return -1;
    hid_t space = H5Dget_space(data);
    hsize_t size[2] = {0, 0};
    int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 1 && rank <= 2)
        H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    H5Dclose(data);
    return size[0] > INT32_MAX ? -1 : (int64_t)size[0];
}

// Numbers of a dataset; NULL if there are none. `lacks_memory` is set if memory ran out.
static int32_t *read_numbers(hid_t file, const char *name, int64_t count, bool *lacks_memory)
{
    hid_t data = pli_hdf5_open_data(file, name);
    int32_t *numbers = data >= 0 && count >= 0 ? malloc(4 * (size_t)count + 4) : NULL;
    *lacks_memory = *lacks_memory || (data >= 0 && count >= 0 && !numbers);
    if (numbers && H5Dread(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) {
        free(numbers);
        numbers = NULL;
    }
    if (data >= 0)
        H5Dclose(data);
    return numbers;
}

static bool read_rows(hid_t points, hsize_t first, hsize_t rows, float *positions)
{
    hsize_t start[2] = {first, 0}, count[2] = {rows, 3};
    hid_t space = H5Dget_space(points), memory = H5Screate_simple(2, count, NULL);
    bool read = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(points, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, positions) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return read;
}

static pli_status read_frame(pli_cache_reader *reader, int32_t frame, float *positions, pli_error *error)
{
    const grid_reader *s = reader->state;
    hsize_t rows = (hsize_t)pli_mesh_topology(reader->mesh)->vertex_count;
    if (read_rows(s->points, (hsize_t)frame * rows, rows, positions))
        return pli_succeed(error);
    return pli_fail(error, PLI_STATUS_FILE, "frame %d of '%s' cannot be read", (int)frame, reader->path);
}

static void close_grid(pli_cache_reader *reader)
{
    grid_reader *s = reader->state;
    if (s && s->points >= 0)
        H5Dclose(s->points);
    if (s && s->file >= 0)
        H5Fclose(s->file);
    free(s);
    pli_mesh_destroy(reader->mesh);
    free(reader->path);
    free(reader->name);
}

static pli_status fill_mesh(pli_cache_reader *reader, const grid_reader *s, int32_t vertices, pli_error *error)
{
    int64_t corners = length_of(s->file, "VTKHDF/Connectivity"), faces = length_of(s->file, "VTKHDF/Types");
    bool lacks_memory = false;
    int32_t *connectivity = read_numbers(s->file, "VTKHDF/Connectivity", corners, &lacks_memory);
    int32_t *offsets = length_of(s->file, "VTKHDF/Offsets") == faces + 1
                           ? read_numbers(s->file, "VTKHDF/Offsets", faces + 1, &lacks_memory)
                           : NULL;
    float *positions = malloc(12 * (size_t)vertices + 4);
    pli_status status = lacks_memory || !positions ? pli_io_fail_memory(error)
                        : connectivity && offsets && read_rows(s->points, 0, (hsize_t)vertices, positions)
                            ? PLI_STATUS_OK
                            : pli_fail(error, PLI_STATUS_CORRUPT, "'%s' is damaged", reader->path);
    bool fine = status == PLI_STATUS_OK && offsets[0] == 0 && offsets[faces] == corners;
    for (int64_t f = 0; fine && f < faces; f++)
        fine = offsets[f] <= offsets[f + 1];
    // Converts offsets to sizes in place.
    for (int64_t f = 0; fine && f < faces; f++)
        offsets[f] = offsets[f + 1] - offsets[f];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = vertices;
    def.face_sizes = offsets;
    def.face_vertices = connectivity;
    def.face_count = (int32_t)faces;
    if (status == PLI_STATUS_OK)
        status = fine ? pli_mesh_create(&def, &reader->mesh, error)
                      : pli_fail(error, PLI_STATUS_CORRUPT, "'%s': its faces are damaged", reader->path);
    free(connectivity);
    free(offsets);
    free(positions);
    return status;
}

static double rate_of(hid_t file)
{
    double times[2] = {0.0, 0.0};
    hid_t data = pli_hdf5_open_data(file, "VTKHDF/Steps/Values");
    if (data < 0 || length_of(file, "VTKHDF/Steps/Values") < 2)
        return 60.0;
    hsize_t start = 0, count = 2;
    hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, times);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(data);
    return times[1] > times[0] ? 1.0 / (times[1] - times[0]) : 60.0;
}

void pli_hdf5_begin(void)
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static pli_status fill_reader(pli_cache_reader *reader, pli_error *error)
{
    grid_reader *s = reader->state;
    pli_hdf5_begin();
    s->file = H5Fopen(reader->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    s->points = s->file >= 0 ? pli_hdf5_open_data(s->file, "VTKHDF/Points") : -1;
    if (s->points < 0)
        return pli_fail(error, PLI_STATUS_PARSE, "'%s' is not a VTKHDF file that holds its own values", reader->path);
    int64_t rows = length_of(s->file, "VTKHDF/Points"), steps = length_of(s->file, "VTKHDF/Steps/Values");
    bool lacks_memory = false;
    int32_t *counts = length_of(s->file, "VTKHDF/NumberOfPoints") == 1
                          ? read_numbers(s->file, "VTKHDF/NumberOfPoints", 1, &lacks_memory)
                          : NULL;
    int32_t vertices = counts ? counts[0] : 0;
    free(counts);
    if (lacks_memory)
        return pli_io_fail_memory(error);
    if (vertices <= 0 || rows < vertices || steps < 1)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s' is not a VTKHDF file as Pliant writes it", reader->path);
    int64_t whole = rows / vertices;
    reader->frame_count = (int32_t)(whole < steps ? whole : steps);
    reader->frames_per_second = rate_of(s->file);
    return fill_mesh(reader, s, vertices, error);
}

pli_status pli_open_vtkhdf(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                           pli_error *error)
{
    (void)mesh_path;
    if (place->source)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s': VTKHDF is read from the disk only", path);
    grid_reader *state = calloc(1, sizeof *state);
    pli_cache_reader reader = {
        .path = strdup(path), .name = pli_path_stem(path), .read = read_frame, .close = close_grid, .state = state};
    if (state)
        *state = (grid_reader){-1, -1};
    pli_status status = state && reader.path && reader.name ? fill_reader(&reader, error) : pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK)
        return pli_cache_add(cache, &reader, error);
    reader.close(&reader);
    return status;
}
