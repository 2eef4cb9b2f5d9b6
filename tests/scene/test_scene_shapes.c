#define _GNU_SOURCE
// Every row of the table of shapes in a scene: its key and sizes are read and reach the world, and sizes of others are
// told of. A new shape is tested here without an edit.
#include "scene_text.h"

#include <math.h>

// A different size for every number.
static double size_of(int32_t field, int32_t k) { return 0.2 + 0.05 * field + 0.01 * k; }

static void add_text(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

// The key of one field with its sizes.
static void add_field(char *text, size_t size, int32_t field)
{
    const pli_shape_field *f = pli_shape_field_at(field);
    char more[100];
    if (f->length == 1)
        snprintf(more, sizeof more, ", \"%s\": %g", f->name, size_of(field, 0));
    else
        snprintf(more, sizeof more, ", \"%s\": [%g, %g, %g]", f->name, size_of(field, 0), size_of(field, 1),
                 size_of(field, 2));
    add_text(text, size, more);
}

// A shape with its own sizes, or with all there are.
static void add_shape(char *text, size_t size, const pli_shape_info *info, bool all)
{
    add_text(text, size, "\"shape\": \"");
    add_text(text, size, info->name);
    add_text(text, size, "\"");
    for (int32_t i = 0; i < pli_shape_field_count(); i++)
        if (all || info->fields >> i & 1u)
            add_field(text, size, i);
    if (info->takes_mesh)
        add_text(text, size, ", \"mesh\": {\"sphere\": {\"subdivisions\": 1}}");
}

static void scene_of(char *text, size_t size, const pli_shape_info *info, bool all)
{
    snprintf(text, size,
             "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {\"columns\": 3, \"rows\": 3}}}], "
             "\"colliders\": [{");
    add_shape(text, size, info, all);
    add_text(text, size, "}]}");
}

static void assert_sizes(const pli_collider_def *def, const pli_shape_info *info)
{
    assert_int_equal(def->shape, info->shape);
    for (int32_t i = 0; i < pli_shape_field_count(); i++)
        for (int32_t k = 0; k < pli_shape_field_at(i)->length && (info->fields >> i & 1u); k++) {
            float found = ((const float *)(const void *)((const char *)def + pli_shape_field_at(i)->offset))[k];
            if (found != (float)size_of(i, k))
                fail_msg("%s: %s[%d] is %g, not %g", info->name, pli_shape_field_at(i)->name, (int)k, (double)found,
                         size_of(i, k));
        }
    assert_true(info->takes_mesh == (def->mesh != NULL));
}

static void colliders_have_the_sizes_of_the_scene(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        char text[2000];
        pli_collider_def def;
        scene_of(text, sizeof text, pli_shape_at(i), false);
        loaded l = load_with(text, false, NULL);
        if (l.status != PLI_STATUS_OK || l.count != 0)
            fail_msg("%s: %d findings: %s", text, (int)l.count, l.count ? l.messages[0].text : l.error.message);
        pli_world *world = world_of(l.scene);
        assert_int_equal(pli_world_collider_count(world), 1);
        assert_int_equal(pli_collider_get_def(world, pli_world_collider_at(world, 0), &def, NULL), PLI_STATUS_OK);
        assert_sizes(&def, pli_shape_at(i));
        step(l.scene, world, 0, 3);
        pli_world_destroy(world);
        pli_scene_destroy(l.scene);
    }
}

static void sizes_of_other_shapes_are_warned_of(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        const pli_shape_info *info = pli_shape_at(i);
        char text[2000];
        int32_t expected = 0;
        for (int32_t k = 0; k < pli_shape_field_count(); k++)
            expected += !(info->fields >> k & 1u);
        scene_of(text, sizeof text, info, true);
        loaded l = load_with(text, false, NULL);
        assert_int_equal(l.status, PLI_STATUS_OK);
        assert_int_equal(l.count, expected);
        for (int32_t k = 0; k < l.count; k++)
            if (!l.messages[k].warning || !strstr(l.messages[k].text, info->name))
                fail_msg("%s: %s", l.messages[k].path, l.messages[k].text);
        pli_scene_destroy(l.scene);
    }
}

static void a_size_out_of_range_is_refused(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_shape_count(); i++)
        for (int32_t k = 0; k < pli_shape_field_count(); k++) {
            const pli_shape_info *info = pli_shape_at(i);
            char text[2000], path[80];
            if (!(info->fields >> k & 1u) || pli_shape_field_at(k)->length > 1)
                continue;
            snprintf(path, sizeof path, "colliders[0].%s=-1", pli_shape_field_at(k)->name);
            scene_of(text, sizeof text, info, false);
            loaded l = load_with(text, false, (const char *const[]){path, NULL});
            assert_int_equal(l.status, PLI_STATUS_INVALID_ARGUMENT);
            assert_non_null(strstr(l.messages[0].path, pli_shape_field_at(k)->name));
            assert_non_null(strstr(l.messages[0].text, "it must be"));
        }
}

// A mesh where it has no use, and none where there must be one.
static void meshes_are_of_the_shapes_that_take_one(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        const pli_shape_info *info = pli_shape_at(i);
        char text[300];
        snprintf(text, sizeof text, "{\"pliant\": 1, \"colliders\": [{\"shape\": \"%s\"%s}]}", info->name,
                 info->takes_mesh ? "" : ", \"mesh\": {\"sphere\": {}}");
        loaded l = load_with(text, false, NULL);
        assert_int_equal(l.status, PLI_STATUS_INVALID_ARGUMENT);
        assert_non_null(strstr(l.messages[0].text, info->takes_mesh ? "needs the key 'mesh'" : "has no mesh"));
    }
}

static void the_reference_and_the_schema_name_every_shape(void **state)
{
    (void)state;
    char *reference = pli_scene_reference(), *schema = pli_scene_schema(), row[100];
    for (int32_t i = 0; i < pli_shape_count(); i++) {
        snprintf(row, sizeof row, "| `%s` | %.40s", pli_shape_at(i)->name, pli_shape_at(i)->summary);
        assert_non_null(strstr(reference, row));
        snprintf(row, sizeof row, "\"%s\"", pli_shape_at(i)->name);
        assert_non_null(strstr(schema, row));
    }
    for (int32_t i = 0; i < pli_shape_field_count(); i++) {
        snprintf(row, sizeof row, "| `%s` | ", pli_shape_field_at(i)->name);
        assert_non_null(strstr(reference, row));
    }
    free(reference);
    free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colliders_have_the_sizes_of_the_scene),
        cmocka_unit_test(sizes_of_other_shapes_are_warned_of),
        cmocka_unit_test(a_size_out_of_range_is_refused),
        cmocka_unit_test(meshes_are_of_the_shapes_that_take_one),
        cmocka_unit_test(the_reference_and_the_schema_name_every_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
