// Mesh files and caches: what is kept, what is refused, what survives truncation, a kill and a resume.
#define _GNU_SOURCE
#include <pliant/cache.h>
#include <pliant/mesh_file.h>

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/pliant-files-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *in_folder(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(data, 1, size, file);
    fclose(file);
}

static unsigned char *get_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing", path);
    unsigned char *data = malloc(1 << 22);
    *size = fread(data, 1, 1 << 22, file);
    fclose(file);
    return data;
}

static pli_status read_obj(const char *text, pli_mesh **mesh, pli_error *error)
{
    pli_mesh_import_def import = pli_mesh_import_def_default();
    return pli_mesh_read_memory(text, strlen(text), "obj", &import, mesh, NULL, error);
}

static void obj_keeps_order_and_polygons(void **state)
{
    (void)state;
    pli_mesh *mesh;
    pli_error error;
    const char *text =
        "# made by hand\r\no thing\r\nv 5 0 0\r\nv 0 0 0\r\nv 0 1 0 1.0\r\nv 5 1 0\r\nv 9 9 9\r\nvt 0 0\r\nvn 0 0 1\r\n"
        "v 6 0 0\r\nv 7 0.5 0\r\nv 6 1 0\r\nf 2/1/1 1/1/1 4/1/1 3/1/1\r\nf 1 -3 -2 -1 4";
    if (read_obj(text, &mesh, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    const pli_topology *t = pli_mesh_topology(mesh);
    assert_int_equal(t->vertex_count, 8);
    assert_int_equal(t->face_count, 2);
    const int32_t corners[] = {1, 0, 3, 2, 0, 5, 6, 7, 3};
    assert_memory_equal(t->face_vertices, corners, sizeof corners);
    assert_true(t->positions[0] == 5.0f && t->positions[12] == 9.0f);
    pli_mesh_destroy(mesh);
}

// The loader alone would take the comment as vertex 0 and stop at the backslash.
static void obj_comments_and_continued_lines_are_read(void **state)
{
    (void)state;
    static const char *const faces[] = {
        "f 1 2 3 4 # the only one\n", "f 1 2 3 4#the only one",  "f 1 2 \\\r\n 3 4\n", "f 1 2 3\\\n4\n",
        "\tf 1// 2/ 3//7 4/2/1 \n",   "# v 1\\\nf 1 2 3 4\n#\\",
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        char text[200];
        pli_mesh *mesh;
        pli_error error;
        snprintf(text, sizeof text, "v 0 0 0 # a\nv +1 .0 -0.\nv 1 1e0 0 \\\n 1\nv 0 10E-1 0 0.5 0.5 0.5\n%s",
                 faces[i]);
        if (read_obj(text, &mesh, &error) != PLI_STATUS_OK)
            fail_msg("case %zu: %s", i, error.message);
        const pli_topology *t = pli_mesh_topology(mesh);
        const int32_t corners[] = {0, 1, 2, 3};
        const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
        assert_int_equal(t->face_count, 1);
        assert_int_equal(t->corner_count, 4);
        assert_memory_equal(t->face_vertices, corners, sizeof corners);
        for (int k = 0; k < 12; k++)
            if (t->positions[k] != positions[k])
                fail_msg("case %zu: number %d is %g, written %g", i, k, (double)t->positions[k], (double)positions[k]);
        pli_mesh_destroy(mesh);
    }
}

static void bad_obj_files_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "no faces"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no faces"},
        {"v 0 0\n", ":1:"},
        {"v 0 0 0\nv 1 x 0\n", ":2:"},
        {"v 0 0 nan\n", ":1:"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", ":4:"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 b\n", ":4:"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 0 1 2\n", ":5:"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n", ":4:"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "face 0"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 2\n", "twice"},
        {"v 1e999 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "finite"},
        {"v 1,5 0 0\n", ":1: '1,5'"},
        {"v 0x1p3 0 0\n", ":1: '0x1p3'"},
        {"v 0 1e 0\n", ":1: '1e'"},
        {"v 0 0 1e9999999999\n", ":1: '1e9999999999'"},
        {"v 0 0 . \n", ":1: '.'"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4294967299\n", ":4: '4294967299'"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 18446744073709551619\n", ":4: '18446744073709551619'"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1.5 2 3\n", ":4: '1.5'"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/x 2 3\n", ":4: '1/x'"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1/1 2 3\n", ":4: '1/1/1/1'"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 \\\n2 3\nf 1 2 x\n", ":6: 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pli_mesh *mesh;
        pli_error error = {0};
        pli_status status = read_obj(cases[i].text, &mesh, &error);
        if (status == PLI_STATUS_OK || mesh || !strstr(error.message, cases[i].says))
            fail_msg("case %zu: status %d, '%s' should say '%s'", i, (int)status, error.message, cases[i].says);
    }
}

static void unknown_and_missing_files_are_refused(void **state)
{
    (void)state;
    pli_mesh *mesh;
    pli_error error;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    assert_int_equal(pli_mesh_read(in_folder("none.obj"), &import, &mesh, NULL, &error), PLI_STATUS_FILE);
    assert_int_equal(pli_mesh_read(in_folder("thing.step"), &import, &mesh, NULL, &error), PLI_STATUS_UNSUPPORTED);
    assert_int_equal(pli_mesh_read(folder, &import, &mesh, NULL, &error), PLI_STATUS_FILE);
    import.scale = -1.0f;
    put_file(in_folder("a.obj"), "v 0 0 0\n", 8);
    assert_int_equal(pli_mesh_read(in_folder("a.obj"), &import, &mesh, NULL, &error), PLI_STATUS_INVALID_ARGUMENT);
}

static void written_meshes_read_back_exactly(void **state)
{
    (void)state;
    static const char *const names[] = {"tube.obj", "tube.ply"};
    pli_mesh *tube, *back;
    pli_error error;
    assert_int_equal(pli_mesh_create_tube(7, 5, 0.123456789f, 1.0f / 3.0f, true, PLI_GRID_QUADS, &tube, &error), 0);
    const pli_topology *a = pli_mesh_topology(tube);
    for (int i = 0; i < 2; i++) {
        pli_mesh_import_def import = pli_mesh_import_def_default();
        pli_view none = {0};
        assert_int_equal(pli_mesh_write(in_folder(names[i]), tube, none, none, &error), PLI_STATUS_OK);
        if (pli_mesh_read(in_folder(names[i]), &import, &back, NULL, &error) != PLI_STATUS_OK)
            fail_msg("%s", error.message);
        const pli_topology *b = pli_mesh_topology(back);
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_int_equal(a->face_count, b->face_count);
        assert_memory_equal(a->positions, b->positions, 12 * (size_t)a->vertex_count);
        assert_memory_equal(a->face_vertices, b->face_vertices, 4 * (size_t)a->corner_count);
        pli_mesh_destroy(back);
    }
    pli_view none = {0};
    assert_int_equal(pli_mesh_write("/no/such/folder/x.obj", tube, none, none, &error), PLI_STATUS_FILE);
    pli_mesh_destroy(tube);
}

static void stl_is_welded(void **state)
{
    (void)state;
    const char *text =
        "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\n"
        "endsolid s\n";
    pli_mesh *mesh;
    pli_error error;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    if (pli_mesh_read_memory(text, strlen(text), "stl", &import, &mesh, NULL, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pli_mesh_topology(mesh)->vertex_count, 4);
    assert_int_equal(pli_mesh_topology(mesh)->hinge_count, 1);
    pli_mesh_destroy(mesh);
}

static void damaged_ply_stl_and_gltf_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text;
    } cases[] = {
        {"ply", ""},
        {"ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"},
        {"ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n0\n"},
        {"ply", "ply\nformat ascii 1.0\nnonsense\nend_header\n"},
        {"ply", "plyformat ascii 0.0\nelement vertex 2\nproperty float x\nproperty float $\nelement face 21\n"
                "property list uchar int vertex_indices\nend_header\n 0 0\n1 0 0\n1 1\n"},
        {"stl", "ply\nformat ascii 1.0\n"},
        {"stl", "solid s\nfacet normal 0 0 1\nouter loop\nver\xc8"
                "ex 0 0 0\n"},
        {"gltf", "ply\nformat ascii 1.0\n"},
        {"gltf", "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":9}}]}]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pli_mesh *mesh;
        pli_error error = {0};
        pli_mesh_import_def import = pli_mesh_import_def_default();
        pli_status status = pli_mesh_read_memory(cases[i].text, strlen(cases[i].text), cases[i].format, &import, &mesh,
                                                 NULL, &error);
        if (status == PLI_STATUS_OK || mesh || !error.message[0])
            fail_msg("case %zu: status %d, '%s'", i, (int)status, error.message);
    }
}

enum { FRAMES = 7, RESUME = 4 };

typedef struct show {
    pli_mesh *meshes[2];
    pli_cache_object objects[2];
} show;

static show make_show(void)
{
    show s = {0};
    assert_int_equal(pli_mesh_create_grid(4, 3, 1, 1, PLI_GRID_QUADS, &s.meshes[0], NULL), PLI_STATUS_OK);
    assert_int_equal(pli_mesh_create_sphere(1, 1, &s.meshes[1], NULL), PLI_STATUS_OK);
    s.objects[0] = (pli_cache_object){"a sheet", s.meshes[0], {1, 0, 0}};
    s.objects[1] = (pli_cache_object){"ball", s.meshes[1], {0, 1, 0}};
    return s;
}

static void end_show(show *s)
{
    pli_mesh_destroy(s->meshes[0]);
    pli_mesh_destroy(s->meshes[1]);
}

// Where a vertex of an object is in a frame.
static float place(int object, int frame, int i) { return sinf((float)(i + 1) * 0.37f + (float)frame) + (float)object; }

static pli_status add_frames(pli_recorder *recorder, const show *s, int from, int to, pli_error *error)
{
    float values[2][3 * 64];
    pli_view views[2];
    for (int frame = from; frame < to; frame++) {
        for (int k = 0; k < 2; k++) {
            int32_t count = pli_mesh_topology(s->meshes[k])->vertex_count;
            for (int i = 0; i < 3 * count; i++)
                values[k][i] = place(k, frame, i);
            views[k] = (pli_view){values[k], count, 12};
        }
        pli_status status = pli_recorder_add(recorder, views, NULL, error);
        if (status != PLI_STATUS_OK)
            return status;
    }
    return PLI_STATUS_OK;
}

static pli_recorder *open_recorder(const show *s, const char *format, const char *name, int resume)
{
    pli_recorder *recorder;
    pli_error error = {0};
    pli_recorder_def def = pli_recorder_def_default();
    def.directory = folder;
    def.name = name;
    def.format = format;
    def.objects = s->objects;
    def.object_count = 2;
    def.frames_per_second = 24.0;
    def.frame_count = FRAMES;
    def.resume_frame = resume;
    if (pli_recorder_open(&def, &recorder, &error) != PLI_STATUS_OK)
        fail_msg("%s: %s", format, error.message);
    return recorder;
}

static void record(const show *s, const char *format, const char *name, int from, int to)
{
    pli_error error = {0};
    pli_recorder *recorder = open_recorder(s, format, name, from);
    if (add_frames(recorder, s, from, to, &error) != PLI_STATUS_OK ||
        pli_recorder_close(recorder, &error) != PLI_STATUS_OK)
        fail_msg("%s: %s", format, error.message);
}

static void check_object(pli_cache *cache, int index, int object, int frames, float tolerance, const char *format)
{
    float values[3 * 64];
    pli_error error = {0};
    assert_int_equal(pli_cache_frame_count(cache), frames);
    for (int frame = 0; frame < frames; frame++) {
        if (pli_cache_read(cache, index, frame, values, &error) != PLI_STATUS_OK)
            fail_msg("%s: %s", format, error.message);
        int32_t count = pli_mesh_topology(pli_cache_object_at(cache, index).mesh)->vertex_count;
        for (int i = 0; i < 3 * count; i++)
            if (!(fabsf(values[i] - place(object, frame, i)) <= tolerance))
                fail_msg("%s frame %d number %d: %g, written %g", format, frame, i, (double)values[i],
                         (double)place(object, frame, i));
    }
    assert_int_equal(pli_cache_read(cache, index, frames, values, &error), PLI_STATUS_INVALID_ARGUMENT);
}

// The file of an object in a format, as documented: NAME_OBJECT.ext, and _0000 in sequences.
static bool is_gltf(const char *format) { return strcmp(format, "gltf") == 0 || strcmp(format, "glb") == 0; }

static const char *file_of(const char *format, const char *name, int object)
{
    static char path[200];
    const char *const objects[] = {"a_sheet", "ball"};
    snprintf(path, sizeof path, "%s/%s_%s.%s", folder, name, objects[object], format);
    if (is_gltf(format))
        snprintf(path, sizeof path, "%s/%s.%s", folder, name, format);
    else if (access(path, F_OK) != 0)
        snprintf(path, sizeof path, "%s/%s_%s_0000.%s", folder, name, objects[object], format);
    return path;
}

static void check_recording(const char *format, const char *name, int frames)
{
    float tolerance = is_gltf(format) ? 5e-7f : 0.0f;
    for (int object = 0; object < 2; object++) {
        pli_cache *cache;
        pli_error error;
        if (pli_cache_open(file_of(format, name, object), NULL, &cache, &error) != PLI_STATUS_OK)
            fail_msg("%s: %s", format, error.message);
        bool all = is_gltf(format);
        assert_int_equal(pli_cache_object_count(cache), all ? 2 : 1);
        check_object(cache, all ? object : 0, object, frames, tolerance, format);
        pli_cache_close(cache);
    }
}

// Formats that are only written say so, in the table and when they are opened.
static void check_unreadable(const show *s, const pli_cache_format *format)
{
    pli_error error = {0};
    pli_cache *cache;
    pli_recorder *recorder = open_recorder(s, format->name, "unread", 0);
    assert_int_equal(add_frames(recorder, s, 0, 1, &error), PLI_STATUS_OK);
    char *path = strdup(pli_recorder_path(recorder));
    assert_int_equal(pli_recorder_close(recorder, &error), PLI_STATUS_OK);
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(pli_cache_open(path, NULL, &cache, &error), PLI_STATUS_UNSUPPORTED);
    free(path);
}

static void recordings_read_back(void **state)
{
    (void)state;
    show s = make_show();
    int32_t read = 0;
    for (int32_t i = 0; i < pli_cache_format_count(); i++) {
        const pli_cache_format *format = pli_cache_format_at(i);
        record(&s, format->name, "whole", 0, FRAMES);
        if (format->can_read)
            check_recording(format->name, "whole", FRAMES);
        else
            check_unreadable(&s, format);
        read += format->can_read;
    }
    assert_true(read >= 6);
    end_show(&s);
}

// The messages that list formats are made from the table.
static void messages_name_every_format(void **state)
{
    (void)state;
    show s = make_show();
    pli_error unknown, unread;
    pli_recorder *recorder;
    pli_cache *cache;
    pli_recorder_def def = pli_recorder_def_default();
    def.directory = folder;
    def.format = "hologram";
    def.objects = s.objects;
    def.object_count = 2;
    put_file(in_folder("x.hologram"), "x", 1);
    assert_int_equal(pli_recorder_open(&def, &recorder, &unknown), PLI_STATUS_NOT_FOUND);
    assert_int_equal(pli_cache_open(in_folder("x.hologram"), NULL, &cache, &unread), PLI_STATUS_UNSUPPORTED);
    for (int32_t i = 0; i < pli_cache_format_count(); i++) {
        const pli_cache_format *format = pli_cache_format_at(i);
        assert_non_null(strstr(unknown.message, format->name));
        assert_int_equal(strstr(unread.message, format->name) != NULL, format->can_read);
    }
    end_show(&s);
}

// The mesh with a corner of its last face torn off: one vertex more, as many faces.
static pli_mesh *torn_off(const pli_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    float positions[3 * 64];
    int32_t corners[64], sizes[64];
    memcpy(positions, t->positions, 12 * (size_t)t->vertex_count);
    memcpy(corners, t->face_vertices, 4 * (size_t)t->corner_count);
    int32_t *last = &corners[t->corner_count - 1];
    memcpy(positions + 3 * t->vertex_count, t->positions + 3 * *last, 12);
    *last = t->vertex_count;
    for (int i = 0; i < t->face_count; i++)
        sizes[i] = t->face_offsets[i + 1] - t->face_offsets[i];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = t->vertex_count + 1;
    def.face_vertices = corners, def.face_sizes = sizes, def.face_count = t->face_count;
    pli_mesh *made;
    assert_int_equal(pli_mesh_create(&def, &made, NULL), PLI_STATUS_OK);
    return made;
}

// A sheet that tears on the way: formats that can hold it say so, and give its faces back frame by frame.
static void topology_may_change_where_the_format_says_so(void **state)
{
    (void)state;
    show s = make_show();
    pli_mesh *cut = torn_off(s.meshes[0]);
    for (int32_t i = 0; i < pli_cache_format_count(); i++) {
        const pli_cache_format *format = pli_cache_format_at(i);
        pli_error error = {0};
        pli_recorder *recorder = open_recorder(&s, format->name, "changing", 0);
        assert_int_equal(add_frames(recorder, &s, 0, 2, &error), PLI_STATUS_OK);
        assert_non_null(strstr(pli_recorder_path(recorder), folder));
        pli_status status = pli_recorder_set_mesh(recorder, 0, cut, &error);
        assert_int_equal(status, format->variable_topology ? PLI_STATUS_OK : PLI_STATUS_UNSUPPORTED);
        show after = s;
        after.meshes[0] = format->variable_topology ? cut : s.meshes[0];
        assert_int_equal(add_frames(recorder, &after, 2, 4, &error), PLI_STATUS_OK);
        assert_int_equal(pli_recorder_close(recorder, &error), PLI_STATUS_OK);
        if (!format->variable_topology || !format->can_read || strcmp(format->name, "vtkhdf") == 0)
            continue;
        pli_cache *cache;
        if (pli_cache_open(file_of(format->name, "changing", 0), NULL, &cache, &error) != PLI_STATUS_OK)
            fail_msg("%s: %s", format->name, error.message);
        assert_true(pli_cache_frames_per_second(cache) > 0.0);
        for (int frame = 0; frame < 4; frame++) {
            const pli_mesh *mesh;
            if (pli_cache_frame_mesh(cache, 0, frame, &mesh, &error) != PLI_STATUS_OK)
                fail_msg("%s, frame %d: %s", format->name, frame, error.message);
            assert_int_equal(pli_mesh_topology(mesh)->vertex_count, frame < 2 ? 12 : 13);
        }
        pli_cache_close(cache);
    }
    pli_mesh_destroy(cut);
    end_show(&s);
}

static void mesh_formats_are_listed(void **state)
{
    (void)state;
    int32_t both = 0;
    for (int32_t i = 0; i < pli_mesh_format_count(); i++) {
        const pli_mesh_format *format = pli_mesh_format_at(i);
        assert_true(format->name[0] && format->summary[0] && format->can_read);
        both += format->can_read && format->can_write;
    }
    assert_int_equal(both, 4);
    assert_null(pli_mesh_format_at(-1));
    assert_null(pli_mesh_format_at(pli_mesh_format_count()));
}

static void shorter_recordings_are_right_too(void **state)
{
    (void)state;
    show s = make_show();
    for (int32_t i = 0; i < pli_cache_format_count(); i++) {
        record(&s, pli_cache_format_at(i)->name, "short", 0, FRAMES - 2);
        if (pli_cache_format_at(i)->can_read)
            check_recording(pli_cache_format_at(i)->name, "short", FRAMES - 2);
    }
    end_show(&s);
}

static void resumed_recordings_are_equal(void **state)
{
    (void)state;
    static const char *const formats[] = {"pc2", "mdd", "gltf", "ply", "vtkhdf", "glb"};
    show s = make_show();
    for (int i = 0; i < 6; i++) {
        record(&s, formats[i], "one", 0, FRAMES);
        // More frames than the resume keeps: what lies beyond is cut off.
        record(&s, formats[i], "two", 0, RESUME + 1);
        record(&s, formats[i], "two", RESUME, FRAMES);
        check_recording(formats[i], "two", FRAMES);
        if (is_gltf(formats[i]) || strcmp(formats[i], "vtkhdf") == 0)
            continue; // Their files name themselves, or hold free space.
        size_t one_size, two_size;
        unsigned char *one = get_file(file_of(formats[i], "one", 1), &one_size);
        unsigned char *two = get_file(file_of(formats[i], "two", 1), &two_size);
        assert_int_equal(one_size, two_size);
        assert_memory_equal(one, two, one_size);
        free(one);
        free(two);
    }
    end_show(&s);
}

static void killed_recordings_keep_their_frames(void **state)
{
    (void)state;
    static const char *const formats[] = {"pc2", "mdd", "ply", "vtkhdf"};
    show s = make_show();
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child == 0) {
            pli_error error;
            pli_recorder *recorder = open_recorder(&s, formats[i], "killed", 0);
            add_frames(recorder, &s, 0, 3, &error);
            kill(getpid(), SIGKILL);
        }
        int how;
        waitpid(child, &how, 0);
        assert_true(WIFSIGNALED(how));
        check_recording(formats[i], "killed", 3);
    }
    end_show(&s);
}

static void truncated_caches_never_crash(void **state)
{
    (void)state;
    static const char *const formats[] = {"pc2", "mdd"};
    show s = make_show();
    for (int i = 0; i < 2; i++) {
        record(&s, formats[i], "cut", 0, 3);
        size_t size;
        char mesh[200];
        unsigned char *data = get_file(file_of(formats[i], "cut", 0), &size);
        snprintf(mesh, sizeof mesh, "%s/cut_a_sheet.obj", folder);
        int last = 0;
        for (size_t length = 0; length <= size; length++) {
            char name[32];
            pli_cache *cache;
            float values[64];
            snprintf(name, sizeof name, "prefix.%s", formats[i]);
            put_file(in_folder(name), data, length);
            if (pli_cache_open(in_folder(name), mesh, &cache, NULL) != PLI_STATUS_OK)
                continue;
            int frames = pli_cache_frame_count(cache);
            assert_true(frames >= last && frames <= 3);
            last = frames;
            for (int k = 0; k < frames; k++)
                assert_int_equal(pli_cache_read(cache, 0, k, values, NULL), PLI_STATUS_OK);
            pli_cache_close(cache);
        }
        assert_int_equal(last, 3);
        free(data);
    }
    end_show(&s);
}

static void recorders_refuse_what_they_cannot_do(void **state)
{
    (void)state;
    show s = make_show();
    pli_recorder *recorder;
    pli_error error;
    pli_recorder_def def = pli_recorder_def_default();
    def.directory = "/no/such/folder";
    def.format = "pc2";
    def.objects = s.objects;
    def.object_count = 2;
    assert_int_equal(pli_recorder_open(&def, &recorder, &error), PLI_STATUS_FILE);
    def.format = "abc";
    assert_int_equal(pli_recorder_open(&def, &recorder, &error), PLI_STATUS_NOT_FOUND);
    def.format = "pc2";
    def.object_count = 0;
    assert_int_equal(pli_recorder_open(&def, &recorder, &error), PLI_STATUS_INVALID_ARGUMENT);
    recorder = open_recorder(&s, "pc2", "refuse", 0);
    pli_view wrong[2] = {{0}, {0}};
    assert_int_equal(pli_recorder_add(recorder, wrong, NULL, &error), PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_recorder_close(recorder, &error), PLI_STATUS_OK);
    // Each format refuses a position that is not finite, and names it.
    for (int32_t k = 0; k < pli_cache_format_count(); k++) {
        float *numbers[2];
        pli_view views[2];
        for (int32_t i = 0; i < 2; i++) {
            const int32_t count = pli_mesh_topology(s.objects[i].mesh)->vertex_count;
            numbers[i] = calloc(3 * (size_t)count, sizeof *numbers[i]);
            views[i] = (pli_view){numbers[i], count, 3 * sizeof(float)};
        }
        numbers[1][4] = NAN;
        recorder = open_recorder(&s, pli_cache_format_at(k)->name, "finite", 0);
        assert_int_equal(pli_recorder_add(recorder, views, NULL, &error), PLI_STATUS_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, "vertex 1 of object"));
        pli_recorder_close(recorder, &error);
        free(numbers[0]);
        free(numbers[1]);
    }
    pli_cache *cache;
    put_file(in_folder("x.vtkhdf"), "not HDF5", 8);
    put_file(in_folder("x.gltf"), "{\"buffers\":[{\"uri\":\"../x\"}]}", 28);
    put_file(in_folder("x.abc"), "?", 1);
    assert_int_equal(pli_cache_open(in_folder("x.vtkhdf"), NULL, &cache, &error), PLI_STATUS_PARSE);
    assert_int_equal(pli_cache_open(in_folder("x.gltf"), NULL, &cache, &error), PLI_STATUS_UNSUPPORTED);
    assert_int_equal(pli_cache_open(in_folder("x.abc"), NULL, &cache, &error), PLI_STATUS_UNSUPPORTED);
    end_show(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_keeps_order_and_polygons),
        cmocka_unit_test(obj_comments_and_continued_lines_are_read),
        cmocka_unit_test(bad_obj_files_name_the_line),
        cmocka_unit_test(unknown_and_missing_files_are_refused),
        cmocka_unit_test(written_meshes_read_back_exactly),
        cmocka_unit_test(stl_is_welded),
        cmocka_unit_test(damaged_ply_stl_and_gltf_are_refused),
        cmocka_unit_test(recordings_read_back),
        cmocka_unit_test(messages_name_every_format),
        cmocka_unit_test(topology_may_change_where_the_format_says_so),
        cmocka_unit_test(mesh_formats_are_listed),
        cmocka_unit_test(shorter_recordings_are_right_too),
        cmocka_unit_test(resumed_recordings_are_equal),
        cmocka_unit_test(killed_recordings_keep_their_frames),
        cmocka_unit_test(truncated_caches_never_crash),
        cmocka_unit_test(recorders_refuse_what_they_cannot_do),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
