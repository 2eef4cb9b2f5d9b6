#define _GNU_SOURCE
// The check of scenes: what is wrong, where it stands, and what was probably meant.
#include "scene_text.h"

#define CLOTH "\"name\": \"cloth\", \"mesh\": {\"grid\": {\"columns\": 4, \"rows\": 5}}"
#define SCENE(...) "{\"pliant\": 1, \"deformables\": [{" __VA_ARGS__ "}]}"

// One finding of `text` has that path and contains that word.
static void expect(const char *text, const char *path, const char *word)
{
    loaded l = load_with(text, false, NULL);
    assert_null(l.scene);
    for (int i = 0; i < l.count && i < MESSAGES_MAX; i++)
        if (strcmp(l.messages[i].path, path) == 0 && strstr(l.messages[i].text, word))
            return;
    for (int i = 0; i < l.count && i < MESSAGES_MAX; i++)
        print_error("%s: %s\n", l.messages[i].path, l.messages[i].text);
    fail_msg("no finding at %s with '%s' in %s", path, word, text);
}

static void places_are_those_of_the_keys(void **state)
{
    (void)state;
    loaded l = load_with("{\n"
                         "  \"pliant\": 1,\n"
                         "  \"title\": \"a \\\" { [ b\",\n"
                         "  \"deformables\": [\n"
                         "    {\"mesh\": {\"grid\": {\"colums\": 3}}},\n"
                         "    {\"mesh\": {\"sphere\": {}}, \"density\": -1,\n"
                         "     \"constraints\": [{\"type\": \"distance\"}, {\"type\": \"triangle\",\n"
                         "        \"kapa\": 1, \"stiffness\": 2}]}\n"
                         "  ]\n"
                         "}\n",
                         false, NULL);
    static const struct {
        const char *path;
        int line, column;
    } expected[] = {
        {"deformables[0].mesh.grid.colums", 5, 24},
        {"deformables[1].density", 6, 30},
        {"deformables[1].constraints[1].kapa", 8, 9},
        {"deformables[1].constraints[1].stiffness", 8, 20},
    };
    assert_int_equal(l.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(l.messages[i].path, expected[i].path);
        assert_int_equal(l.messages[i].line, expected[i].line);
        assert_int_equal(l.messages[i].column, expected[i].column);
    }
    assert_non_null(strstr(l.error.message, ":5:24: deformables[0].mesh.grid.colums: "));
}

static void an_unknown_self_contact_has_a_place(void **state)
{
    (void)state;
    loaded l = load_with(SCENE(CLOTH ", \"self_contact\": \"balls\""), false, NULL);
    assert_null(l.scene);
    assert_string_equal(l.messages[0].path, "deformables[0].self_contact");
}

static void syntax_errors_have_a_place(void **state)
{
    (void)state;
    loaded l = load_with("{\"pliant\": 1,\n  oops}", false, NULL);
    assert_int_equal(l.status, PLI_STATUS_PARSE);
    assert_int_equal(l.count, 1);
    assert_int_equal(l.messages[0].line, 2);
    assert_int_equal(load_with("{\"pliant\": 1, \"pliant\": 1}", false, NULL).status, PLI_STATUS_PARSE);
    assert_int_equal(load_with("", false, NULL).status, PLI_STATUS_PARSE);
    assert_int_equal(load_with("[]", false, NULL).status, PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(load_with("{\"pliant\": 1, \"frames_per_second\": 1e999}", false, NULL).status, PLI_STATUS_PARSE);
    char deep[9000];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_int_equal(load_with(deep, false, NULL).status, PLI_STATUS_PARSE);
}

static void nearest_names_are_given(void **state)
{
    (void)state;
    expect("{\"pliant\": 1, \"deformable\": []}", "deformable", "'deformables'");
    expect("{\"pliant\": 1, \"settings\": {\"method\": \"xpdb\"}}", "settings.method", "'xpbd'");
    expect(SCENE(CLOTH ", \"constraints\": [{\"type\": \"dihedrl\"}]"), "deformables[0].constraints[0].type",
           "'dihedral'");
    expect(SCENE(CLOTH ", \"constraints\": [{\"type\": \"triangle\", \"generator\": \"tripels\"}]"),
           "deformables[0].constraints[0].generator", "'triples'");
    expect(SCENE(CLOTH ", \"constraints\": [{\"type\": \"triangle\", \"relation\": \"at_mots\"}]"),
           "deformables[0].constraints[0].relation", "'at_most'");
    expect("{\"pliant\": 1, \"output\": {\"formats\": [\"pc2\", \"gtlf\"]}}", "output.formats[1]", "'gltf'");
}

static void ranges_name_the_unit(void **state)
{
    (void)state;
    expect("{\"pliant\": 1, \"settings\": {\"air_density\": -1}}", "settings.air_density", "[kg/m^3]");
    expect("{\"pliant\": 1, \"settings\": {\"substeps\": 1001}}", "settings.substeps", "1 to 1000");
    expect("{\"pliant\": 1, \"settings\": {\"substeps\": 1.5}}", "settings.substeps", "whole number");
    expect("{\"pliant\": 1, \"settings\": {\"gravity\": [0, 1]}}", "settings.gravity", "3 numbers");
    expect("{\"pliant\": 1, \"view\": {\"ground\": 1}}", "view.ground", "true or false");
    expect(SCENE(CLOTH ", \"constraints\": [{\"type\": \"distance\", \"compliance\": -1}]"),
           "deformables[0].constraints[0].compliance", "is -1");
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    expect("{}", "", "'pliant'");
    expect(SCENE("\"name\": \"cloth\""), "deformables[0]", "'mesh'");
    expect(SCENE(CLOTH ", \"constraints\": [{\"name\": \"x\"}]"), "deformables[0].constraints[0]", "'type'");
    expect("{\"pliant\": 1, \"colliders\": [{\"radius\": 1}]}", "colliders[0]", "'shape'");
    expect("{\"pliant\": 1, \"deformables\": [{\"mesh\": {}}]}", "deformables[0].mesh", "exactly one");
    expect("{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {}, \"tube\": {}}}]}", "deformables[0].mesh",
           "here are 2");
}

static void rules_hold_beyond_the_tables(void **state)
{
    (void)state;
    expect("{\"pliant\": 1, \"deformables\": [{" CLOTH "}, {" CLOTH "}]}", "deformables[1].name", "deformables[0]");
    expect(SCENE("\"mesh\": {\"grid\": {\"columns\": 3000, \"rows\": 3000}}"), "deformables[0].mesh",
           "at most 4000000");
    expect("{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {\"columns\": 1500, \"rows\": 1500}}}, {\"mesh\": "
           "{\"tube\": {\"around\": 1500, \"along\": 1500}}}]}",
           "deformables[1].mesh", "4500000");
    expect("{\"pliant\": 1, \"colliders\": [{\"shape\": \"plane\", \"motion\": {\"keyframes\": [{\"time\": 1}, "
           "{\"time\": 1}]}}]}",
           "colliders[0].motion.keyframes[1].time", "must be later");
    expect(SCENE(CLOTH ", \"attachments\": [{\"particles\": [3, 20]}]"), "deformables[0].attachments[0]", "20");
    expect(SCENE(CLOTH ", \"attachments\": [{\"row\": 5}]"), "deformables[0].attachments[0]", "no particle");
    expect(SCENE(CLOTH ", \"attachments\": [{\"row\": 0, \"held\": true, \"fixed\": true}]"),
           "deformables[0].attachments[0].held", "former name");
    expect(SCENE(CLOTH ", \"constraints\": [{\"type\": \"distance\", \"particles\": [0, 20]}]"),
           "deformables[0].constraints[0].particles[1]", "0 to 19");
    expect(SCENE(CLOTH ", \"constraints\": [{\"type\": \"distance\", \"particles\": [0, 1, 2]}]"),
           "deformables[0].constraints[0].particles", "needs 2");
    expect(SCENE(CLOTH ", \"constraints\": [{\"type\": \"distance\", \"generator\": \"hinges\"}]"),
           "deformables[0].constraints[0].generator", "4 particles");
}

static void expectations_name_what_there_is(void **state)
{
    (void)state;
    static const struct {
        const char *expected, *path, *words;
    } rows[] = {
        {"{\"intersections\": -1}", "expect.intersections", "0 to"},
        {"{\"strech\": 1}", "expect.strech", "stretch"},
        {"{\"ends\": [{\"minimum\": [0, 0, 0]}]}", "expect.ends[0]", "name"},
        {"{\"ends\": [{\"name\": \"cloht\"}]}", "expect.ends[0].name", "no deformable and no body"},
        {"{\"ends\": [{\"name\": \"cloth\", \"volume\": [2, 1]}]}", "expect.ends[0].volume", "above the second"},
        {"{\"ends\": [{\"name\": \"cloth\", \"minimum\": [0, 1, 0], \"maximum\": [1, 0, 1]}]}",
         "expect.ends[0].minimum", "above the maximum"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        snprintf(text, sizeof text, "{\"pliant\": 1, \"deformables\": [{" CLOTH "}], \"expect\": %s}",
                 rows[i].expected);
        expect(text, rows[i].path, rows[i].words);
    }
}

static void keyframes_name_what_can_change(void **state)
{
    (void)state;
    static const char form[] = "{\"pliant\": 1, \"deformables\": [{" CLOTH
                               ", \"constraints\": [{\"type\": \"triangle\"}]}]"
                               ", \"keyframes\": [{\"path\": \"%s\", \"keys\": %s}]}";
    static const struct {
        const char *target, *keys, *path;
    } rows[] = {
        {"deformables.cloth.constraints.triangle.kapa", "[[0, 1]]", "keyframes[0].path"},
        {"deformables.cloth.density", "[[0, 1]]", "keyframes[0].path"},
        {"settings.method", "[[0, 1]]", "keyframes[0].path"},
        {"settings.substeps", "[[0, 0]]", "keyframes[0].keys[0]"},
        {"settings.wind", "[[0, 1]]", "keyframes[0].keys[0]"},
        {"settings.damping", "[[0, [1, 1, 1]]]", "keyframes[0].keys[0]"},
        {"settings.damping", "[[0, 0], [0, 1]]", "keyframes[0].keys"},
        {"settings.damping", "[]", "keyframes[0].keys"},
        {"deformables.cloth.constraints.triangle.stiffness", "[[0, 0], [1, 1.5]]", "keyframes[0].keys[1]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        snprintf(text, sizeof text, form, rows[i].target, rows[i].keys);
        expect(text, rows[i].path, "");
    }
}

static void all_findings_are_counted(void **state)
{
    (void)state;
    char text[4000] = "{\"pliant\": 1";
    for (int i = 0; i < 100; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", \"wrong%d\": 1", i);
    strcat(text, "}");
    assert_int_equal(load_with(text, false, NULL).count, 100);
}

static void settings_override_the_file(void **state)
{
    (void)state;
    static const char *const good[] = {"settings.substeps=7", "deformables.cloth.constraints.bend.relation=at_least",
                                       "deformables[0].density=0.5", "view.width=640", NULL};
    const char *text = SCENE(CLOTH ", \"constraints\": [{\"type\": \"triangle\", \"name\": \"bend\"}]");
    loaded l = load_with(text, false, good);
    assert_int_equal(l.status, PLI_STATUS_OK);
    pli_world *world = world_of(l.scene);
    double value;
    pli_constraints_get_parameter(world, pli_world_constraints_at(world, 0), "relation", &value, NULL);
    assert_int_equal(pli_world_settings(world).substeps, 7);
    assert_int_equal((int)value, PLI_SENSE_AT_LEAST);
    assert_int_equal(pli_scene_get_view(l.scene).width, 640);
    pli_world_destroy(world);
    pli_scene_destroy(l.scene);
    static const struct {
        const char *setting, *word;
    } bad[] = {
        {"settings.substep=7", "'substeps'"},
        {"deformables.clth.density=1", "'cloth'"},
        {"deformabels.cloth.density=1", "'deformables'"},
        {"deformables.cloth.constraints.bent.kappa=1", "'bend'"},
        {"settings.substeps=many", "whole number"},
        {"nonsense", "path=value"},
        {"=1", "path=value"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const settings[] = {bad[i].setting, NULL};
        loaded wrong = load_with(text, false, settings);
        assert_null(wrong.scene);
        if (!strstr(wrong.error.message, bad[i].word))
            fail_msg("--set %s says '%s'; expected %s in it", bad[i].setting, wrong.error.message, bad[i].word);
    }
}

static void files_outside_need_leave(void **state)
{
    (void)state;
    static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";
    char outside[] = "/tmp/pliant-outside-XXXXXX.obj", link[300], text[600];
    int handle = mkstemps(outside, 4);
    assert_true(handle >= 0 && write(handle, triangle, sizeof triangle - 1) == (ssize_t)sizeof triangle - 1);
    close(handle);
    snprintf(link, sizeof link, "%s/link.obj", folder());
    assert_int_equal(symlink(outside, link), 0);
    write_text("inside.obj", triangle);
    pli_scene_destroy(load(SCENE("\"mesh\": {\"file\": \"inside.obj\"}")));
    snprintf(text, sizeof text, SCENE("\"mesh\": {\"file\": \"..%s\"}"), strrchr(outside, '/'));
    const char *const names[] = {SCENE("\"mesh\": {\"file\": \"link.obj\"}"), text};
    for (int i = 0; i < 2; i++) {
        expect(names[i], "deformables[0].mesh.file", "outside");
        loaded l = load_with(names[i], true, NULL);
        assert_int_equal(l.status, PLI_STATUS_OK);
        pli_scene_destroy(l.scene);
    }
    expect(SCENE("\"mesh\": {\"file\": \"none.obj\"}"), "deformables[0].mesh.file", "no file");
    unlink(outside);
}

static uint64_t hash_of(const char *text, const char *const *settings)
{
    loaded l = load_with(text, false, settings);
    assert_int_equal(l.status, PLI_STATUS_OK);
    uint64_t hash = pli_scene_hash(l.scene);
    pli_scene_destroy(l.scene);
    return hash;
}

static void the_hash_is_of_content(void **state)
{
    (void)state;
    const char *text = "{\"pliant\": 1, \"deformables\": [{\"density\": 0.3, \"mesh\": {\"file\": \"mesh.obj\"}}]}";
    const char *spaced =
        "{\n \"deformables\": [{\"mesh\": {\"file\": \"mesh.obj\"},\n\n \"density\": 0.3}], \"pliant\": 1}";
    static const char *const same[] = {"deformables[0].density=0.3", NULL};
    static const char *const other[] = {"deformables[0].density=0.31", NULL};
    write_text("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    uint64_t hash = hash_of(text, NULL);
    assert_true(hash == hash_of(spaced, NULL));
    assert_true(hash == hash_of(text, same));
    assert_true(hash != hash_of(text, other));
    write_text("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1.001\nf 1 2 3\n");
    assert_true(hash != hash_of(text, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_those_of_the_keys),   cmocka_unit_test(an_unknown_self_contact_has_a_place),
        cmocka_unit_test(syntax_errors_have_a_place),     cmocka_unit_test(nearest_names_are_given),
        cmocka_unit_test(ranges_name_the_unit),           cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(rules_hold_beyond_the_tables),   cmocka_unit_test(expectations_name_what_there_is),
        cmocka_unit_test(keyframes_name_what_can_change), cmocka_unit_test(all_findings_are_counted),
        cmocka_unit_test(settings_override_the_file),     cmocka_unit_test(files_outside_need_leave),
        cmocka_unit_test(the_hash_is_of_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
