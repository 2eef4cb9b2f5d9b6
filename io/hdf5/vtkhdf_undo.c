// PATH.undo: "PLIUNDO1", the size of the file, then pieces until the end: offset, length, bytes. Numbers have 64 bits, little-endian.
//
// The HDF5 library changes a file in place: trees, headers and the last rows of small tables, each frame. A process killed
// between two of these writes leaves a file that cannot be opened. Points of frames are appended and never rewritten, so the
// small remainder of the file suffices to restore the frames of the last checkpoint.
#define _POSIX_C_SOURCE 200809L
#include "vtkhdf_undo.h"

#include "files/bytes.h"
#include "files/file.h"
#include "support/publish.h"
#include "vtkhdf_read.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = {'P', 'L', 'I', 'U', 'N', 'D', 'O', '1'};
enum { NUMBER_SIZE = 8, PIECE_SIZE = 65536 };

typedef struct span {
    uint64_t start, size;
} span;

static char *undo_path(const char *path)
{
    size_t length = strlen(path) + sizeof ".undo";
    char *name = malloc(length);
    if (name)
        snprintf(name, length, "%s.undo", path);
    return name;
}

static void put(FILE *stream, uint64_t value)
{
    pli_put_int_little(stream, (int32_t)(uint32_t)value);
    pli_put_int_little(stream, (int32_t)(uint32_t)(value >> 32));
}

static bool get(FILE *stream, uint64_t *value)
{
    unsigned char bytes[NUMBER_SIZE];
    if (fread(bytes, 1, sizeof bytes, stream) != sizeof bytes)
        return false;
    *value = (uint64_t)pli_unpack_little(bytes) | (uint64_t)pli_unpack_little(bytes + 4) << 32;
    return true;
}

static int compare_starts(const void *a, const void *b)
{
    const uint64_t x = ((const span *)a)->start, y = ((const span *)b)->start;
    return x < y ? -1 : x > y;
}

// Appends the locations in the file of the chunks of a dataset that grows by rows; null when memory runs out. False for a different
// dataset.
static bool find_chunks(hid_t data, span **chunks, size_t *count)
{
    hsize_t size[2] = {0, 0}, chunk[2] = {0, 0};
    hid_t space = H5Dget_space(data), plan = H5Dget_create_plist(data);
    const int rank = H5Sget_simple_extent_ndims(space);
    bool fine = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                H5Pget_chunk(plan, rank, chunk) == rank && chunk[0] > 0;
    H5Pclose(plan);
    H5Sclose(space);
    span *grown = fine ? realloc(*chunks, (*count + (size_t)(size[0] / chunk[0]) + 2) * sizeof *grown) : NULL;
    if (!grown)
        free(*chunks);
    *chunks = grown;
    for (hsize_t row = 0; *chunks && row < size[0]; row += chunk[0]) {
        const hsize_t at[2] = {row, 0};
        unsigned filters;
        haddr_t address = HADDR_UNDEF;
        hsize_t bytes = 0;
        if (H5Dget_chunk_info_by_coord(data, at, &filters, &address, &bytes) >= 0 && address != HADDR_UNDEF)
            (*chunks)[(*count)++] = (span){address, bytes};
    }
    return fine;
}

static bool copy(FILE *from, FILE *to, uint64_t size)
{
    char bytes[PIECE_SIZE];
    while (size > 0) {
        size_t piece = size < sizeof bytes ? (size_t)size : sizeof bytes;
        if (fread(bytes, 1, piece, from) != piece || fwrite(bytes, 1, piece, to) != piece)
            return false;
        size -= piece;
    }
    return true;
}

static bool copy_piece(FILE *from, FILE *to, uint64_t start, uint64_t end)
{
    if (start >= end)
        return true;
    put(to, start);
    put(to, end - start);
    return fseeko(from, (off_t)start, SEEK_SET) == 0 && copy(from, to, end - start);
}

// All parts of a file outside of the chunks.
static bool copy_around(FILE *from, FILE *to, const span *chunks, size_t count)
{
    struct stat info;
    if (fstat(fileno(from), &info) != 0)
        return false;
    fwrite(magic, 1, sizeof magic, to);
    put(to, (uint64_t)info.st_size);
    uint64_t start = 0;
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        fine = chunks[i].start >= start && copy_piece(from, to, start, chunks[i].start);
        start = chunks[i].start + chunks[i].size;
    }
    return fine && copy_piece(from, to, start, (uint64_t)info.st_size);
}

// The chunks of all datasets with a row per vertex and frame, in file order; null when memory runs out. False for a file of another
// kind.
static bool find_all(const char *path, span **chunks, size_t *count)
{
    static const char *const names[] = {"VTKHDF/Points", "VTKHDF/PointData/Normals", "VTKHDF/PointData/Stretch"};
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool found = file >= 0;
    *chunks = NULL;
    *count = 0;
    for (int i = 0; i < 3 && found && (i == 0 || *chunks); i++) {
        hid_t data = pli_hdf5_open_data(file, names[i]);
        found = data >= 0 && find_chunks(data, chunks, count);
        if (data >= 0)
            H5Dclose(data);
    }
    if (file >= 0)
        H5Fclose(file);
    if (!found) {
        free(*chunks);
        *chunks = NULL;
    }
    if (*chunks)
        qsort(*chunks, *count, sizeof **chunks, compare_starts);
    return found;
}

pli_status pli_vtkhdf_keep(const char *path, pli_error *error)
{
    size_t count = 0;
    span *chunks = NULL;
    const bool found = find_all(path, &chunks, &count);
    char *undo = undo_path(path);
    FILE *from = chunks && undo ? fopen(path, "rb") : NULL;
    pli_new_file to = {0};
    pli_status status = from ? pli_new_file_open(&to, undo, error)
                        : !undo || (found && !chunks)
                            ? pli_io_fail_memory(error)
                            : pli_fail(error, PLI_STATUS_CORRUPT, "'%s' is not a VTKHDF file of this version", path);
    if (status == PLI_STATUS_OK) {
        if (copy_around(from, to.stream, chunks, count))
            status = pli_new_file_commit(&to, error);
        else
            status = pli_io_fail_errno(error, "write", undo);
        pli_new_file_abandon(&to);
    }
    if (from)
        fclose(from);
    free(undo);
    free(chunks);
    return status;
}

// The last piece must end exactly at the end of the undo file.
static bool put_back(FILE *from, FILE *to)
{
    char word[sizeof magic];
    uint64_t size, start, length;
    if (fread(word, 1, sizeof word, from) != sizeof word || memcmp(word, magic, sizeof magic) != 0 || !get(from, &size))
        return false;
    while (get(from, &start)) {
        bool fits = get(from, &length) && start <= size && length <= size - start && size <= INT64_MAX;
        if (!fits || fseeko(to, (off_t)start, SEEK_SET) != 0 || !copy(from, to, length))
            return false;
    }
    return feof(from) && fflush(to) == 0 && ftruncate(fileno(to), (off_t)size) == 0 && fsync(fileno(to)) == 0;
}

pli_status pli_vtkhdf_go_back(const char *path, pli_error *error)
{
    char *undo = undo_path(path);
    if (!undo)
        return pli_io_fail_memory(error);
    FILE *from = pli_open_to_change(undo), *to = from ? pli_open_to_change(path) : NULL;
    bool fine = !from || (to && put_back(from, to));
    if (to)
        fine = fclose(to) == 0 && fine;
    if (from)
        fclose(from);
    pli_status status = fine ? pli_succeed(error)
                             : pli_fail(error, PLI_STATUS_CORRUPT,
                                        "'%s' cannot be brought back to its last whole state by '%s'; run without "
                                        "--resume to start again",
                                        path, undo);
    free(undo);
    return status;
}

void pli_vtkhdf_forget(const char *path)
{
    char *undo = undo_path(path);
    if (undo)
        unlink(undo);
    free(undo);
}
