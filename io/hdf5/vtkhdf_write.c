// VTKHDF: an unstructured grid whose points are stacked frame after frame, for ParaView, h5py, numpy.
//
//   /VTKHDF            Version, Type = UnstructuredGrid
//     NumberOfPoints [1]  NumberOfCells [1]  NumberOfConnectivityIds [1]
//     Points [frames * n, 3] float32   Connectivity int64   Offsets int64   Types uint8
//     PointData/       Normals [frames * n, 3], Stretch [frames * n], TextureCoordinates [n, 2] where the mesh has them
//     Steps/           NSteps, Values [frames], PartOffsets, NumberOfParts, PointOffsets, ..., PointDataOffsets/
//
// Readers without time see the first frame. The file is flushed after each frame, holds no times of its making, so that
// two runs give the same bytes, and goes back to its last checkpoint where a kill has damaged it (vtkhdf_undo).
#define _POSIX_C_SOURCE 200809L
#include "vtkhdf_write.h"

#include "caches/recorder.h"
#include "caches/vtkhdf.h"
#include "support/publish.h"
#include "vtkhdf_read.h"
#include "vtkhdf_undo.h"

#include <pliant/mesh_attributes.h>

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VTK_TRIANGLE = 5, VTK_POLYGON = 7, VTK_QUAD = 9, STEP_ARRAYS = 6, FIELDS = 3, NORMALS = 0, STRETCH = 1, UV = 2 };

typedef struct grid_file {
    hid_t file, points, steps, arrays[STEP_ARRAYS], fields[FIELDS], offsets[FIELDS];
    char *path;
    float *buffer;
    bool lacks_memory;
} grid_file;

typedef struct vtk_state {
    grid_file *grids; // One per object.
} vtk_state;

// Datasets of the steps: times, then offsets, of which only the offset of the points changes between frames.
static const struct {
    const char *name;
    int columns;
    bool is_time, is_point_offset, is_part_count;
} step_arrays[STEP_ARRAYS] = {
    {"Values", 0, true, false, false},        {"PartOffsets", 0, false, false, false},
    {"NumberOfParts", 0, false, false, true}, {"PointOffsets", 0, false, true, false},
    {"CellOffsets", 1, false, false, false},  {"ConnectivityIdOffsets", 1, false, false, false},
};

// Values at vertices: the stretch is the largest ratio of current to rest length among the edges of a vertex.
static const struct {
    const char *name, *offsets;
    int columns;
    bool moves; // One row per vertex and frame, else one per vertex.
} fields[FIELDS] = {
    [NORMALS] = {"PointData/Normals", "PointDataOffsets/Normals", 3, true},
    [STRETCH] = {"PointData/Stretch", "PointDataOffsets/Stretch", 1, true},
    [UV] = {"PointData/TextureCoordinates", "PointDataOffsets/TextureCoordinates", 2, false},
};

static int rank_of(int field) { return fields[field].columns > 1 ? 2 : 1; }

static pli_status fail_hdf(pli_error *error, const char *path)
{
    return pli_fail(error, PLI_STATUS_FILE, "cannot write '%s': the HDF5 library refused; is the disk full?", path);
}

static bool put_attribute(hid_t at, const char *name, hid_t type, hsize_t count, const void *values)
{
    hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, type, values) >= 0;
    written = H5Aclose(attribute) >= 0 && written;
    H5Sclose(space);
    return written;
}

// By default datasets and groups would store their creation time.
static hid_t plan_of(hid_t kind)
{
    hid_t plan = H5Pcreate(kind);
    H5Pset_obj_track_times(plan, false);
    return plan;
}

static hid_t make_group(hid_t at, const char *name)
{
    hid_t plan = plan_of(H5P_GROUP_CREATE);
    hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    return group;
}

static bool put_numbers(hid_t at, const char *name, hid_t stored, hid_t given, hsize_t count, const void *values)
{
    hid_t space = H5Screate_simple(1, &count, NULL), plan = plan_of(H5P_DATASET_CREATE);
    hid_t data = H5Dcreate2(at, name, stored, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    bool written = data >= 0 && H5Dwrite(data, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    written = H5Dclose(data) >= 0 && written; // Small arrays are written when they are closed.
    H5Pclose(plan);
    H5Sclose(space);
    return written;
}

// Creates an empty dataset that can grow by rows.
static hid_t growing(hid_t at, const char *name, hid_t type, int rank, hsize_t columns, hsize_t chunk_rows)
{
    hsize_t size[2] = {0, columns}, most[2] = {H5S_UNLIMITED, columns}, chunk[2] = {chunk_rows, columns};
    hid_t space = H5Screate_simple(rank, size, most);
    hid_t plan = plan_of(H5P_DATASET_CREATE);
    H5Pset_chunk(plan, rank, chunk);
    hid_t data = H5Dcreate2(at, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    H5Sclose(space);
    return data;
}

static bool append_rows(hid_t data, int rank, hsize_t first, hsize_t rows, hsize_t columns, hid_t type,
                        const void *values)
{
    hsize_t size[2] = {first + rows, columns}, start[2] = {first, 0}, count[2] = {rows, columns};
    if (H5Dset_extent(data, size) < 0)
        return false;
    hid_t space = H5Dget_space(data), memory = H5Screate_simple(rank, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    bool written = H5Dwrite(data, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return written;
}

static bool put_faces(grid_file *g, hid_t group, const pli_topology *topology)
{
    hsize_t faces = (hsize_t)topology->face_count, corners = (hsize_t)topology->corner_count;
    uint8_t *types = malloc(faces + 1);
    g->lacks_memory = !types;
    if (!types)
        return false;
    for (int32_t f = 0; f < topology->face_count; f++) {
        int32_t size = topology->face_offsets[f + 1] - topology->face_offsets[f];
        types[f] = size == 3 ? VTK_TRIANGLE : size == 4 ? VTK_QUAD : VTK_POLYGON;
    }
    const int64_t counts[3] = {topology->vertex_count, topology->face_count, topology->corner_count};
    bool written = put_numbers(group, "NumberOfPoints", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &counts[0]) &&
                   put_numbers(group, "NumberOfCells", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &counts[1]) &&
                   put_numbers(group, "NumberOfConnectivityIds", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &counts[2]) &&
                   put_numbers(group, "Connectivity", H5T_STD_I64LE, H5T_NATIVE_INT32, corners,
                               topology->face_vertices) &&
                   put_numbers(group, "Offsets", H5T_STD_I64LE, H5T_NATIVE_INT32, faces + 1, topology->face_offsets) &&
                   put_numbers(group, "Types", H5T_STD_U8LE, H5T_NATIVE_UINT8, faces, types);
    free(types);
    return written;
}

static bool put_steps(grid_file *g, hid_t group)
{
    const int64_t none = 0;
    g->steps = make_group(group, "Steps");
    bool written = g->steps >= 0 && put_attribute(g->steps, "NSteps", H5T_NATIVE_INT64, 0, &none);
    for (int i = 0; i < STEP_ARRAYS && written; i++) {
        hid_t type = step_arrays[i].is_time ? H5T_IEEE_F64LE : H5T_STD_I64LE;
        g->arrays[i] = growing(g->steps, step_arrays[i].name, type, step_arrays[i].columns ? 2 : 1, 1, 1024);
        written = g->arrays[i] >= 0;
    }
    return written;
}

// Texture coordinates of the vertices, from the first render vertex of each; NULL if there are none or memory ran out.
static float *uv_of(const pli_recorder *r, int32_t object, bool *lacks_memory)
{
    const pli_mesh_attributes *of = r->attributes ? r->attributes[object] : NULL;
    const pli_mesh_attribute *uv = pli_mesh_attribute_named(of, PLI_ATTRIBUTE_UV);
    const int32_t count = pli_mesh_topology(r->objects[object].mesh)->vertex_count;
    if (!uv || uv->domain != PLI_ATTRIBUTE_VERTEX || uv->width < 2 || !of->vertex_map)
        return NULL;
    float *values = calloc(2 * (size_t)count + 1, sizeof *values);
    *lacks_memory = !values;
    for (int32_t i = of->vertex_count - 1; values && i >= 0; i--)
        if (of->vertex_map[i] >= 0 && of->vertex_map[i] < count)
            memcpy(values + 2 * (size_t)of->vertex_map[i], uv->values + (size_t)uv->width * (size_t)i,
                   2 * sizeof(float));
    return values;
}

static bool put_fields(grid_file *g, hid_t group, hsize_t vertices, const float *uv)
{
    hid_t data = make_group(group, "PointData"), offsets = make_group(g->steps, "PointDataOffsets");
    bool written = data >= 0 && offsets >= 0;
    for (int i = 0; i < FIELDS && written; i++) {
        if (i == UV && !uv)
            continue;
        g->fields[i] = growing(group, fields[i].name, H5T_IEEE_F32LE, rank_of(i), (hsize_t)fields[i].columns,
                               vertices + !vertices);
        g->offsets[i] = growing(g->steps, fields[i].offsets, H5T_STD_I64LE, 1, 1, 1024);
        written = g->fields[i] >= 0 && g->offsets[i] >= 0;
    }
    if (written && uv)
        written = append_rows(g->fields[UV], 2, 0, vertices, 2, H5T_NATIVE_FLOAT, uv);
    H5Gclose(data);
    H5Gclose(offsets);
    return written;
}

static bool create_grid(grid_file *g, const pli_topology *topology, const float *uv)
{
    const int64_t version[2] = {1, 0};
    const char type_name[] = "UnstructuredGrid";
    struct stat info;
    // An existing link would lead to another file.
    if (lstat(g->path, &info) == 0 && S_ISLNK(info.st_mode))
        unlink(g->path);
    g->file = H5Fcreate(g->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (g->file < 0)
        return false;
    hid_t group = make_group(g->file, "VTKHDF");
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, strlen(type_name));
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    g->points = growing(group, "Points", H5T_IEEE_F32LE, 2, 3,
                        (hsize_t)topology->vertex_count + !topology->vertex_count);
    bool written = put_attribute(group, "Version", H5T_NATIVE_INT64, 2, version) &&
                   put_attribute(group, "Type", text, 0, type_name) && put_faces(g, group, topology) &&
                   g->points >= 0 && put_steps(g, group) && put_fields(g, group, (hsize_t)topology->vertex_count, uv);
    H5Tclose(text);
    H5Gclose(group);
    return written;
}

static bool reopen_grid(grid_file *g, const pli_topology *topology, int32_t frames)
{
    FILE *own = pli_open_to_change(g->path);
    g->file = own ? H5Fopen(g->path, H5F_ACC_RDWR, H5P_DEFAULT) : -1;
    if (own)
        fclose(own);
    if (g->file < 0)
        return false;
    g->points = pli_hdf5_open_data(g->file, "VTKHDF/Points");
    g->steps = pli_hdf5_open_group(g->file, "VTKHDF/Steps");
    hsize_t size[2] = {0, 0}, kept[2] = {(hsize_t)frames * (hsize_t)topology->vertex_count, 3};
    hid_t space = H5Dget_space(g->points);
    H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    bool fine = g->points >= 0 && g->steps >= 0 && size[0] >= kept[0] && H5Dset_extent(g->points, kept) >= 0;
    for (int i = 0; i < STEP_ARRAYS && fine; i++) {
        hsize_t rows[2] = {(hsize_t)frames, 1};
        g->arrays[i] = pli_hdf5_open_data(g->steps, step_arrays[i].name);
        fine = g->arrays[i] >= 0 && H5Dset_extent(g->arrays[i], rows) >= 0;
    }
    hid_t group = fine ? pli_hdf5_open_group(g->file, "VTKHDF") : -1;
    for (int i = 0; i < FIELDS && fine; i++) {
        hsize_t rows[2] = {kept[0], (hsize_t)fields[i].columns}, steps[1] = {(hsize_t)frames};
        if (i == UV && H5Lexists(group, fields[i].name, H5P_DEFAULT) <= 0)
            continue;
        g->fields[i] = pli_hdf5_open_data(group, fields[i].name);
        g->offsets[i] = pli_hdf5_open_data(g->steps, fields[i].offsets);
        fine = g->fields[i] >= 0 && g->offsets[i] >= 0 && H5Dset_extent(g->offsets[i], steps) >= 0 &&
               (!fields[i].moves || H5Dset_extent(g->fields[i], rows) >= 0);
    }
    if (group >= 0)
        H5Gclose(group);
    return fine;
}

// Before a file is changed in place, it must be complete and its state stored.
static pli_status make_safe(const char *path, pli_error *error)
{
    pli_status status = pli_vtkhdf_go_back(path, error);
    return status == PLI_STATUS_OK ? pli_vtkhdf_keep(path, error) : status;
}

static pli_status open_vtkhdf(pli_recorder *r, pli_error *error)
{
    vtk_state *s = r->state;
    pli_hdf5_begin();
    s->grids = calloc((size_t)r->object_count, sizeof *s->grids);
    for (int32_t i = 0; s->grids && i < r->object_count; i++)
        s->grids[i] = (grid_file){-1, -1, -1, {-1, -1, -1, -1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}, NULL, NULL, false};
    for (int32_t i = 0; i < r->object_count; i++) {
        grid_file *g = s->grids ? &s->grids[i] : NULL;
        const pli_topology *topology = pli_mesh_topology(r->objects[i].mesh);
        if (!g || !(g->path = pli_recorder_object_path(r, i, "vtkhdf")) ||
            !(g->buffer = malloc(12 * (size_t)topology->vertex_count + 1)) || !pli_recorder_note_path(r, g->path))
            return pli_io_fail_memory(error);
        if (r->resume_frame == 0)
            pli_vtkhdf_forget(g->path);
        float *uv = r->resume_frame == 0 ? uv_of(r, i, &g->lacks_memory) : NULL;
        bool made = r->resume_frame > 0 || (!g->lacks_memory && create_grid(g, topology, uv));
        free(uv);
        if (!made)
            return g->lacks_memory ? pli_io_fail_memory(error) : fail_hdf(error, g->path);
        pli_status status = r->resume_frame > 0 && access(g->path, F_OK) == 0 ? make_safe(g->path, error)
                                                                              : PLI_STATUS_OK;
        if (status != PLI_STATUS_OK)
            return status;
        if (r->resume_frame > 0 && !reopen_grid(g, topology, r->resume_frame))
            return pli_fail(error, PLI_STATUS_CORRUPT, "'%s' does not hold the %d frames to resume from", g->path,
                            (int)r->resume_frame);
    }
    return pli_succeed(error);
}

static bool append_step(const pli_recorder *r, grid_file *g, int32_t vertices)
{
    for (int i = 0; i < STEP_ARRAYS; i++) {
        double time = r->frame / r->frames_per_second;
        int64_t number = step_arrays[i].is_part_count     ? 1
                         : step_arrays[i].is_point_offset ? (int64_t)r->frame * vertices
                                                          : 0;
        bool is_time = step_arrays[i].is_time;
        if (!append_rows(g->arrays[i], step_arrays[i].columns ? 2 : 1, (hsize_t)r->frame, 1, 1,
                         is_time ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, is_time ? (void *)&time : (void *)&number))
            return false;
    }
    for (int i = 0; i < FIELDS; i++) {
        int64_t number = fields[i].moves ? (int64_t)r->frame * vertices : 0;
        if (g->offsets[i] >= 0 && !append_rows(g->offsets[i], 1, (hsize_t)r->frame, 1, 1, H5T_NATIVE_INT64, &number))
            return false;
    }
    int64_t count = r->frame + 1;
    hid_t attribute = H5Aopen(g->steps, "NSteps", H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &count) >= 0;
    H5Aclose(attribute);
    return written && H5Fflush(g->file, H5F_SCOPE_GLOBAL) >= 0;
}

static double length_between(const float *a, const float *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(sum);
}

static void fill_stretch(const pli_topology *t, pli_view positions, float *stretch)
{
    for (int32_t v = 0; v < t->vertex_count; v++)
        stretch[v] = 0.0f;
    for (int32_t e = 0; e < t->edge_count; e++) {
        const int32_t a = t->edges[2 * e], b = t->edges[2 * e + 1];
        double rest = length_between(t->positions + 3 * (size_t)a, t->positions + 3 * (size_t)b);
        float ratio = rest > 0.0 ? (float)(length_between(pli_view_at(positions, a), pli_view_at(positions, b)) / rest)
                                 : 1.0f;
        stretch[a] = ratio > stretch[a] ? ratio : stretch[a];
        stretch[b] = ratio > stretch[b] ? ratio : stretch[b];
    }
    for (int32_t v = 0; v < t->vertex_count; v++)
        stretch[v] = t->ring_offsets[v + 1] > t->ring_offsets[v] ? stretch[v] : 1.0f;
}

// The given normals, or normals weighted by triangle area.
static void fill_normals(const pli_topology *t, pli_view positions, pli_view given, float *normals)
{
    for (int32_t v = 0; v < t->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            normals[3 * (size_t)v + (size_t)k] = given.count > 0 ? pli_view_at(given, v)[k] : 0.0f;
    for (int32_t i = 0; i < t->triangle_count && given.count == 0; i++) {
        const int32_t *at = t->triangles + 3 * (size_t)i;
        const float *a = pli_view_at(positions, at[0]), *b = pli_view_at(positions, at[1]),
                    *c = pli_view_at(positions, at[2]);
        for (int k = 0; k < 3; k++) {
            int y = (k + 1) % 3, z = (k + 2) % 3;
            float cross = (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
            for (int corner = 0; corner < 3; corner++)
                normals[3 * (size_t)at[corner] + (size_t)k] += cross;
        }
    }
    for (int32_t v = 0; v < t->vertex_count && given.count == 0; v++) {
        static const float none[3] = {0};
        float *n = normals + 3 * (size_t)v;
        double length = length_between(n, none);
        for (int k = 0; k < 3 && length > 0.0; k++)
            n[k] = (float)((double)n[k] / length);
    }
}

static bool append_fields(const pli_recorder *r, grid_file *g, int32_t object, pli_view positions, pli_view normals)
{
    const pli_topology *t = pli_mesh_topology(r->objects[object].mesh);
    const hsize_t vertices = (hsize_t)positions.count, first = (hsize_t)r->frame * vertices;
    fill_normals(t, positions, normals, g->buffer);
    if (!append_rows(g->fields[NORMALS], 2, first, vertices, 3, H5T_NATIVE_FLOAT, g->buffer))
        return false;
    fill_stretch(t, positions, g->buffer);
    return append_rows(g->fields[STRETCH], 1, first, vertices, 1, H5T_NATIVE_FLOAT, g->buffer);
}

static pli_status add_vtkhdf(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    vtk_state *s = r->state;
    const pli_view none = {0};
    for (int32_t i = 0; i < r->object_count; i++) {
        grid_file *g = &s->grids[i];
        int32_t vertices = positions[i].count;
        for (int32_t v = 0; v < vertices; v++)
            memcpy(g->buffer + 3 * v, pli_view_at(positions[i], v), 3 * sizeof(float));
        if (!append_rows(g->points, 2, (hsize_t)r->frame * (hsize_t)vertices, (hsize_t)vertices, 3, H5T_NATIVE_FLOAT,
                         g->buffer) ||
            !append_fields(r, g, i, positions[i], normals ? normals[i] : none) || !append_step(r, g, vertices))
            return fail_hdf(error, g->path);
    }
    return pli_succeed(error);
}

static pli_status close_vtkhdf(pli_recorder *r, pli_error *error)
{
    vtk_state *s = r->state;
    pli_status status = pli_succeed(error);
    for (int32_t i = 0; s->grids && i < r->object_count; i++) {
        grid_file *g = &s->grids[i];
        bool whole = true;
        for (int k = 0; k < STEP_ARRAYS; k++)
            whole = (g->arrays[k] < 0 || H5Dclose(g->arrays[k]) >= 0) && whole;
        for (int k = 0; k < FIELDS; k++) {
            whole = (g->fields[k] < 0 || H5Dclose(g->fields[k]) >= 0) && whole;
            whole = (g->offsets[k] < 0 || H5Dclose(g->offsets[k]) >= 0) && whole;
        }
        if (g->steps >= 0)
            H5Gclose(g->steps);
        whole = (g->points < 0 || H5Dclose(g->points) >= 0) && whole;
        whole = (g->file < 0 || H5Fclose(g->file) >= 0) && whole;
        if (!whole)
            status = fail_hdf(error, g->path);
        else if (g->file >= 0)
            pli_vtkhdf_forget(g->path);
        free(g->path);
        free(g->buffer);
    }
    free(s->grids);
    s->grids = NULL;
    return status;
}

const pli_cache_row pli_vtkhdf_row = {
    .face = PLI_VTKHDF_FACE,
    .state_size = sizeof(vtk_state),
    .open = open_vtkhdf,
    .add = add_vtkhdf,
    .close = close_vtkhdf,
    .read = pli_open_vtkhdf,
};
