// Welding: surfaces of revolution whose ends meet up to rounding close in every format; corners, groups and attributes follow.
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

enum { AROUND = 24, DOWN = 12, ROW = AROUND + 1 };

static char path[100], said[1000];

static void note(void *user, pli_log_level level, const char *message)
{
    (void)user, (void)level;
    snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", message);
}

// A sphere as exporters write it: a seam of vertices from pole to pole, and a vertex of each pole for each column. The ends of the
// seam differ by the sine of 2 pi in floating point, not by 0. `poles`: with the triangles there that have no area.
static pli_mesh *make_sphere(float size, bool poles)
{
    static float positions[3 * ROW * (DOWN + 1)];
    static int32_t faces[6 * AROUND * DOWN];
    int32_t vertices = 0, corners = 0;
    for (int j = 0; j <= DOWN; j++)
        for (int i = 0; i <= AROUND; i++) {
            double u = 2.0 * acos(-1.0) * i / AROUND, v = acos(-1.0) * j / DOWN;
            positions[3 * vertices] = size * (float)(cos(u) * sin(v));
            positions[3 * vertices + 1] = size * (float)cos(v);
            positions[3 * vertices++ + 2] = size * (float)(sin(u) * sin(v));
        }
    for (int j = 0; j < DOWN; j++)
        for (int i = 0; i < AROUND; i++) {
            const int32_t at = j * ROW + i, quad[6] = {at, at + 1, at + ROW, at + 1, at + ROW + 1, at + ROW};
            for (int k = 0; k < 6; k++)
                if (poles || (k < 3 ? j > 0 : j < DOWN - 1))
                    faces[corners++] = quad[k];
        }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = vertices;
    def.face_vertices = faces, def.face_count = corners / 3;
    pli_mesh *mesh;
    pli_error error;
    if (pli_mesh_create(&def, &mesh, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    return mesh;
}

static pli_mesh *read_back(bool weld, pli_mesh_attributes **attributes)
{
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_mesh *mesh;
    pli_error error;
    import.weld = weld;
    import.hooks.log = note;
    import.attributes = attributes;
    said[0] = '\0';
    if (pli_mesh_read(path, &import, &mesh, NULL, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    return mesh;
}

static void seams_close_in_every_format(void **state)
{
    (void)state;
    static const char *const formats[] = {"obj", "ply", "stl", "gltf", "glb"};
    static const float sizes[] = {1e-3f, 0.3f, 1e5f};
    for (size_t s = 0; s < 3; s++)
        for (int poles = 0; poles < 2; poles++) {
            pli_mesh *sphere = make_sphere(sizes[s], poles);
            for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
                pli_error error;
                snprintf(path, sizeof path, "/tmp/pliant-weld-%d.%s", (int)getpid(), formats[i]);
                assert_int_equal(pli_mesh_write(path, sphere, (pli_view){0}, (pli_view){0}, &error), PLI_STATUS_OK);
                pli_mesh *mesh = read_back(true, NULL);
                const pli_mesh_report *report = pli_mesh_get_report(mesh);
                if (!report->closed || report->vertex_count != AROUND * (DOWN - 1) + 2 || report->zero_area_faces > 0 ||
                    report->face_count != 2 * AROUND * (DOWN - 1) || !report->oriented)
                    fail_msg("%s of size %g: %d boundary edges, %d vertices, %d faces", formats[i], (double)sizes[s],
                             (int)report->boundary_edge_count, (int)report->vertex_count, (int)report->face_count);
                assert_non_null(strstr(said, " vertices within a millionth of its size of another one were merged"));
                assert_int_equal(strstr(said, "and 48 faces that lost their area by that were dropped") != NULL, poles);
                pli_mesh_destroy(mesh);
                unlink(path);
            }
            pli_mesh_destroy(sphere);
        }
}

// Vertices on a line: those within the distance of one that remains become it, however the chain goes on.
static void distances_are_those_promised(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n" // The diagonal is 1.41: 1.41e-6 apart is one.
                               "v 1.4e-6 0 0\nv 2.8e-6 0 0\nv 0 1.5e-6 0\nv 1 1 0\n"
                               "f 1 2 3\nf 4 7 3\nf 5 7 2\nf 6 7 3\n";
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_mesh_attributes *attributes = NULL;
    pli_mesh *mesh;
    pli_error error;
    import.weld = true;
    import.policy = PLI_MESH_REPAIR;
    import.attributes = &attributes;
    if (pli_mesh_read_memory(text, strlen(text), "obj", &import, &mesh, NULL, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    static const int32_t expected[] = {0, 1, 2, 0, 3, 4, 5};
    for (int i = 0; i < 7; i++)
        assert_int_equal(attributes->vertex_map[i], expected[i]);
    pli_mesh_attributes_destroy(attributes);
    pli_mesh_destroy(mesh);
}

// A quad of which two corners become one is a triangle; one with less left is dropped, with its places in groups and lists.
static void corners_and_groups_follow(void **state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 1 0 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\n"
        "vt .1 0\nvt .2 0\nvt .3 0\nvt .4 0\nvt .5 0\n"
        "g thin\nf 1/1 2/2 3/3\ng kept\nf 1/1 2/2 4/4 6/5\ng other\nf 2/2 3/3 5/5 4/4\nf 3/3 7/4 8/5 5/1\n";
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_mesh_attributes *a = NULL;
    pli_mesh *mesh;
    pli_error error;
    import.weld = true;
    import.attributes = &a;
    if (pli_mesh_read_memory(text, strlen(text), "obj", &import, &mesh, NULL, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    const pli_topology *t = pli_mesh_topology(mesh);
    assert_int_equal(t->face_count, 3);
    static const int32_t offsets[] = {0, 3, 6, 10}, corners[] = {0, 2, 3, 0, 1, 2, 1, 4, 5, 2};
    static const float uv[] = {.1f, .4f, .5f, .2f, .3f, .5f, .3f, .4f, .5f, .1f};
    assert_memory_equal(t->face_offsets, offsets, sizeof offsets);
    const pli_mesh_attribute *layer = pli_mesh_attribute_named(a, PLI_ATTRIBUTE_UV);
    for (int c = 0; c < 10; c++) {
        assert_int_equal(t->face_vertices[(c < 3   ? 0
                                           : c < 6 ? 3
                                                   : 6) +
                                          (c < 3   ? c
                                           : c < 6 ? c - 3
                                                   : c - 6)],
                         corners[c]);
        assert_int_equal(a->vertex_map[a->corners[c]], corners[c]);
        if (layer->values[2 * a->corners[c]] != uv[c])
            fail_msg("corner %d: %g, not %g", c, (double)layer->values[2 * a->corners[c]], (double)uv[c]);
    }
    static const struct {
        const char *name;
        int32_t count, first;
    } groups[] = {{"kept", 1, 0}, {"other", 2, 1}};
    for (size_t i = 0; i < 2; i++) {
        const pli_mesh_group *group = NULL;
        for (int32_t g = 0; g < a->group_count; g++)
            if (strcmp(a->groups[g].name, groups[i].name) == 0)
                group = &a->groups[g];
        assert_non_null(group);
        assert_int_equal(group->count, groups[i].count);
        assert_int_equal(group->elements[0], groups[i].first);
    }
    pli_mesh_attributes_destroy(a);
    pli_mesh_destroy(mesh);
}

static void coincident_borders_are_named(void **state)
{
    (void)state;
    pli_mesh *sphere = make_sphere(0.3f, false);
    pli_error error;
    snprintf(path, sizeof path, "/tmp/pliant-weld-%d.ply", (int)getpid());
    assert_int_equal(pli_mesh_write(path, sphere, (pli_view){0}, (pli_view){0}, &error), PLI_STATUS_OK);
    pli_mesh *mesh = read_back(false, NULL);
    // At borders are 24 vertices of each pole, the 25 beside them, and two of each of the 9 rows between. All but one of a pole lie on
    // another, and one of each of 11 rows.
    assert_non_null(strstr(said, "57 of its 116 vertices at borders lie on others"));
    assert_non_null(strstr(said, "--weld"));
    pli_mesh_destroy(mesh);
    mesh = read_back(true, NULL);
    assert_null(strstr(said, "--weld"));
    pli_mesh_destroy(mesh);
    pli_mesh_destroy(sphere);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seams_close_in_every_format),
        cmocka_unit_test(distances_are_those_promised),
        cmocka_unit_test(corners_and_groups_follow),
        cmocka_unit_test(coincident_borders_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
