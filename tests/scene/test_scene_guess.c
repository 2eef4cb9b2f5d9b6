#define _GNU_SOURCE
// Guesses: names of kinds, defaults and results.
#include "scene_text.h"

#include <pliant/guess.h>

static void each_kind_has_its_name(void **state)
{
    (void)state;
    static const char *const names[] = {"auto", "cloth", "shell", "balloon"};
    for (int32_t i = 0; i < PLI_GUESS_KIND_COUNT; i++) {
        assert_string_equal(pli_choice_name("guess", i), names[i]);
        assert_int_equal(pli_choice_value("guess", names[i]), i);
    }
    assert_int_equal(pli_choice_value("guess", "jelly"), -1);
    assert_int_equal(pli_choice_value("guess", "Cloth"), -1);
    assert_int_equal(pli_choice_value("guess", NULL), -1);
    assert_string_equal(pli_choice_name("guess", PLI_GUESS_KIND_COUNT), "unknown");
    assert_string_equal(pli_choice_name("guess", -1), "unknown");
}

static void defaults_are_those_of_the_header(void **state)
{
    (void)state;
    const pli_guess_def def = pli_guess_def_default();
    assert_int_equal(def.kind, PLI_GUESS_AUTO);
    assert_true(def.unit == 0.0 && def.frame == 1.0 / 60.0 && def.scale == 1.0f);
    assert_true(def.ground && !def.z_up && !def.weld && !def.repair);
    assert_true(!def.file && !def.name && !def.pins && def.pin_count == 0);
}

static void a_flat_mesh_is_cloth_and_no_balloon(void **state)
{
    (void)state;
    pli_mesh *mesh;
    pli_error error;
    assert_int_equal(pli_mesh_create_grid(9, 9, 1.0f, 1.0f, PLI_GRID_CROSSED, &mesh, NULL), PLI_STATUS_OK);
    pli_guess_def def = pli_guess_def_default();
    pli_guess whole, part;
    char *text;
    assert_int_equal(pli_mesh_guess(mesh, &def, &whole, &text, &error), PLI_STATUS_OK);
    assert_int_equal(whole.kind, PLI_GUESS_CLOTH);
    assert_true(whole.flat && !whole.closed && whole.vertex_count == pli_mesh_topology(mesh)->vertex_count);
    assert_non_null(strstr(whole.reason, "cloth: it is flat"));
    assert_non_null(strstr(text, "\"deformables\""));
    pli_text_release(text);

    def.kind = PLI_GUESS_BALLOON;
    assert_int_equal(pli_mesh_guess(mesh, &def, &part, NULL, &error), PLI_STATUS_INVALID_ARGUMENT);
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_its_name),
        cmocka_unit_test(defaults_are_those_of_the_header),
        cmocka_unit_test(a_flat_mesh_is_cloth_and_no_balloon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
