// The session library without a window: undo and redo of every event, seeking, A and B, the brush, gestures, and the text of a log.
#include "session/edits.h"
#include "session/events.h"
#include "session/log.h"
#include "session/session.h"
#include "session/tools.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char cloth_text[] =
    "{\"pliant\": 1, \"settings\": {\"substeps\": 4}, \"deformables\": [{\"name\": \"cloth\","
    "\"mesh\": {\"grid\": {\"columns\": 12, \"rows\": 12, \"width\": 1, \"depth\": 1}}, \"pose\": {\"position\": [0, "
    "1, 0]},"
    "\"attachments\": [{\"corners\": true, \"fixed\": true}], \"plate\": {\"rigidity\": 1e-4},"
    "\"constraints\": [{\"type\": \"distance\", \"compliance\": 1e-5}]}],"
    "\"colliders\": [{\"shape\": \"sphere\", \"radius\": 0.2, \"pose\": {\"position\": [0.1, 0.6, 0]}},"
    "{\"shape\": \"plane\"}]}";
static const char balloon_text[] =
    "{\"pliant\": 1, \"deformables\": [{\"name\": \"balloon\", \"mesh\": {\"sphere\": {\"radius\": 0.2, "
    "\"subdivisions\": 2}},"
    "\"pose\": {\"position\": [0, 0.5, 0]}, \"constraints\": [{\"type\": \"distance\"}, {\"type\": \"volume\"}]}],"
    "\"colliders\": [{\"shape\": \"plane\"}]}";

static pli_scene *load(const char *text)
{
    pli_scene_load_def def = pli_scene_load_def_default();
    pli_scene *scene = NULL;
    pli_error error = {0};
    def.text = text, def.text_size = strlen(text);
    if (pli_scene_load(&def, &scene, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    return scene;
}

static pli_session open_with(const char *text, size_t budget, int32_t interval)
{
    pli_session s;
    pli_error error = {0};
    const pli_session_def def = {.scene = load(text), .budget = budget, .interval = interval};
    if (pli_session_open(&s, &def, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    return s;
}

static pli_session open_cloth(void) { return open_with(cloth_text, 0, 0); }
static uint64_t hash(const pli_session *s) { return pli_world_hash(s->world); }
static pli_deformable cloth(const pli_session *s) { return pli_world_deformable_at(s->world, 0); }

static void run(pli_session *s, int32_t frames)
{
    for (int32_t i = 0; i < frames; i++)
        if (!pli_session_step(s))
            fail_msg("%s", s->message);
}

/* ---- every event -------------------------------------------------------------------------------- */

static bool do_pin(pli_session *s) { return pli_session_pin(s, cloth(s), 60); }
static bool do_unpin(pli_session *s) { return pli_session_unpin(s, cloth(s), 0); }
static bool do_ball(pli_session *s) { return pli_session_throw(s, (pli_vec3){0, 1.2f, 2}, (pli_vec3){0, 0.9f, 0}, 1); }
static bool do_set(pli_session *s) { return pli_session_set(s, "cloth/distance.compliance", 1e-3); }
static bool do_setting(pli_session *s) { return pli_session_set(s, "settings.gravity.x", 3.0); }
static bool do_deformable(pli_session *s) { return pli_session_set(s, "cloth.rigidity", 1e-2); }
static bool do_cut(pli_session *s)
{
    return pli_session_cut(s, cloth(s), (pli_vec3){0.2f, 0.9f, 0}, (pli_vec3){1, 0, 0}, 0.3f);
}
static bool do_move(pli_session *s)
{
    const bool taken = pli_session_take_collider(s, pli_world_collider_at(s->world, 0));
    pli_session_move(s, (pli_vec3){0, 0.95f, 0});
    return taken;
}
static bool do_move_pin(pli_session *s)
{
    const bool taken = pli_session_take_pin(s, cloth(s), 0);
    pli_session_move(s, (pli_vec3){0.2f, 1.2f, 0});
    return taken;
}
static bool do_side(pli_session *s)
{
    pli_session_copy_values(s);
    s->sets[1].settings.gravity.y = -2.0f;
    pli_session_swap_values(s, 1);
    return s->tools.side == 1;
}
static bool paint(pli_session *s, int32_t quantity, double value)
{
    s->brush.quantity = quantity;
    s->brush.values[quantity] = value;
    s->brush.radius = 0.25f;
    if (!pli_session_stroke_begin(s, 1, cloth(s), false))
        return false;
    for (int32_t vertex = 60; vertex < 64; vertex++) {
        const float *p = pli_view_at(pli_deformable_positions(s->world, cloth(s)), vertex);
        pli_session_stroke(s, 1, cloth(s), vertex, (pli_vec3){p[0], p[1], p[2]});
    }
    const bool edited = s->gestures[1].edited;
    pli_session_stroke_end(s, 1);
    return edited;
}
static bool do_paint_density(pli_session *s) { return paint(s, pli_session_quantity_find("density"), 2.0); }
static bool do_paint_stiffness(pli_session *s) { return paint(s, pli_session_quantity_find("stiffness"), 0.01); }
static bool do_paint_rigidity(pli_session *s) { return paint(s, pli_session_quantity_find("rigidity"), 1e-2); }
static bool do_paint_pressure(pli_session *s) { return paint(s, pli_session_quantity_find("pressure"), 20.0); }
static bool do_paint_pins(pli_session *s) { return paint(s, PLI_SESSION_PAINT_PINS, 0.0); }
static bool do_scene(pli_session *s)
{
    char text[sizeof cloth_text];
    strcpy(text, cloth_text);
    memcpy(strstr(text, "1e-5"), "1e-2", 4);
    return pli_session_change_scene(s, load(text), "model");
}
static bool do_material(pli_session *s) { return pli_session_set_material(s, cloth(s), pli_material_find("denim")); }

static const struct {
    const char *name;
    bool (*act)(pli_session *s);
} edits[] = {
    {"pin", do_pin},
    {"unpin", do_unpin},
    {"ball", do_ball},
    {"set", do_set},
    {"setting", do_setting},
    {"deformable", do_deformable},
    {"cut", do_cut},
    {"move", do_move},
    {"move pin", do_move_pin},
    {"side", do_side},
    {"density", do_paint_density},
    {"stiffness", do_paint_stiffness},
    {"rigidity", do_paint_rigidity},
    {"pressure", do_paint_pressure},
    {"pins", do_paint_pins},
    {"scene", do_scene},
    {"material", do_material},
};
enum { EDITS = sizeof edits / sizeof *edits };

// An edit changes the run, undo restores its hash and what follows, redo the changed one; and seeking finds both.
static void check_edit(int i, int32_t interval)
{
    // With few stored frames, most are reached by the log.
    pli_session s = open_with(cloth_text, 0, interval), plain = open_cloth();
    run(&s, 5), run(&plain, 5);
    const uint64_t before = hash(&s);
    assert_int_equal(before, hash(&plain));
    if (!edits[i].act(&s))
        fail_msg("%s: %s", edits[i].name, s.message);
    assert_int_equal(s.edit_count, 1);
    run(&s, 30), run(&plain, 30);
    const uint64_t after = hash(&s), without = hash(&plain);
    if (after == without)
        fail_msg("%s changes nothing", edits[i].name);
    pli_session_undo(&s);
    assert_int_equal(s.frame, 5);
    assert_int_equal(hash(&s), before);
    assert_int_equal(s.edit_count, 0);
    pli_session_redo(&s);
    assert_int_equal(s.frame, 35);
    assert_int_equal(hash(&s), after);
    pli_session_go(&s, 2);
    pli_session_go(&s, 35);
    if (hash(&s) != after)
        fail_msg("%s: the repeated run differs", edits[i].name);
    pli_session_undo(&s);
    run(&s, 30);
    if (hash(&s) != without)
        fail_msg("%s: the run after undo differs", edits[i].name);
    pli_session_close(&s), pli_session_close(&plain);
}

static void test_every_edit_is_undone(void **state)
{
    (void)state;
    for (int i = 0; i < EDITS; i++)
        check_edit(i, 1), check_edit(i, 7), check_edit(i, 1000);
}

/* ---- a long session ----------------------------------------------------------------------------- */

static void act_much(pli_session *s)
{
    for (int i = 0; i < EDITS; i++) {
        // Torn cloth cannot be painted, and painted values cannot be set: these events are rejected, and change nothing.
        edits[i].act(s);
        run(s, 2);
        pli_session_grab(s, 0, cloth(s), 40 + i);
        pli_session_pull(s, 0, (pli_vec3){0.1f * (float)i, 1.3f, 0.2f});
        run(s, 2);
        pli_session_let_go(s, 0);
        pli_session_blow(s, (pli_vec3){0, 1, 2}, (pli_vec3){0, 0, -1});
        run(s, 2);
        pli_session_calm(s);
        pli_session_drop(s);
    }
    run(s, 3);
}

static void test_seeking_repeats_everything(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    act_much(&s);
    const int32_t last = s.last;
    uint64_t *hashes = calloc((size_t)last + 1, sizeof *hashes);
    for (int32_t frame = 0; frame <= last; frame += 7) {
        pli_session_go(&s, frame);
        hashes[frame] = hash(&s);
    }
    for (int32_t frame = last - last % 7; frame >= 0; frame -= 7) {
        pli_session_go(&s, frame);
        assert_int_equal(hash(&s), hashes[frame]);
    }
    assert_int_equal(s.last, last);
    free(hashes);
    pli_session_close(&s);
}

static void test_a_small_budget_changes_nothing(void **state)
{
    (void)state;
    pli_session s = open_cloth(), small = open_with(cloth_text, 1 << 20, 4);
    act_much(&s), act_much(&small);
    assert_int_equal(hash(&s), hash(&small));
    assert_true(small.moment_bytes <= 1 << 20);
    assert_true(small.moment_count < s.moment_count / 2);
    for (int32_t frame = 0; frame <= s.last; frame += 23) {
        pli_session_go(&s, frame), pli_session_go(&small, frame);
        assert_int_equal(hash(&s), hash(&small));
    }
    pli_session_close(&s), pli_session_close(&small);
}

static void test_a_log_is_read_back(void **state)
{
    (void)state;
    pli_session s = open_cloth(), again = open_cloth();
    pli_error error;
    for (int i = 0; i < EDITS; i++)
        if (edits[i].act != do_scene) {
            edits[i].act(&s);
            run(&s, 3);
        }
    char *text = pli_session_log_write(&s);
    assert_int_equal(pli_session_log_read(&again, text, &error), PLI_STATUS_OK);
    assert_int_equal(again.last, s.last);
    pli_session_go(&again, again.last);
    assert_int_equal(hash(&again), hash(&s));
    char *text_again = pli_session_log_write(&again);
    assert_string_equal(text, text_again);
    free(text), free(text_again);
    pli_session_close(&s), pli_session_close(&again);
}

static void test_a_wrong_log_is_rejected(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "3",
                                        "1 fly\n1 end\n",
                                        "1 calm\n0 calm\n1 end\n",
                                        "0 pull 0 1 2\n0 end\n",
                                        "0 pin 0 0 5 1 2\n0 end\n",
                                        "0 pin 0 0 1000000000 1\n0 end\n",
                                        "0 set 0 -1 0 0 1\n0 end\n"};
    pli_session s = open_cloth();
    const uint64_t start = hash(&s);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pli_error error;
        assert_int_equal(pli_session_log_read(&s, wrong[i], &error), PLI_STATUS_CORRUPT);
        assert_int_equal(s.event_count, 0);
        assert_int_equal(hash(&s), start);
    }
    // Numbers out of range are rejected when the event acts.
    pli_error error;
    assert_int_equal(
        pli_session_log_read(&s, "0 grab 0 9 0 0 1 0 0 0\n0 grab 7 0 0 0 1 0 0 0\n0 pin 0 0 1 99999\n2 end\n", &error),
        PLI_STATUS_OK);
    pli_session_go(&s, 2);
    assert_true(s.message_stays);
    pli_session_close(&s);
}

static char *read_file(const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/session/%s", getenv("PLIANT_SOURCE_DIR"), name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read", path);
    char *text = calloc(1, 1 << 18);
    fread(text, 1, (1 << 18) - 1, file);
    fclose(file);
    return text;
}

// The recorded session of web/test/session.test.mjs: the same bits natively and in WebAssembly.
static void test_a_recorded_session_is_pinned(void **state)
{
    (void)state;
    char *scene = read_file("cloth.json"), *log = read_file("all-events.txt"), found[40];
    pli_session s = open_with(scene, 0, 0);
    pli_error error = {0};
    if (pli_session_log_read(&s, log, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    pli_session_go(&s, s.last);
    if (s.message[0])
        fail_msg("%s", s.message);
    snprintf(found, sizeof found, "# hash %016llx\n", (unsigned long long)hash(&s));
    if (strncmp(log, found, strlen(found)) != 0)
        fail_msg("the recorded session has another hash: %s", found);
    bool seen[PLI_SESSION_KINDS] = {[PLI_SESSION_SCENE] = true, [PLI_SESSION_PUMP] = true};
    for (int32_t i = 0; i < s.event_count; i++)
        seen[s.events[i].kind] = true;
    for (int32_t kind = 0; kind < PLI_SESSION_KINDS; kind++)
        if (!seen[kind])
            fail_msg("the recorded session has no event '%s'", pli_session_row_of(kind)->name);
    pli_session_close(&s);
    free(scene), free(log);
}

/* ---- branches ----------------------------------------------------------------------------------- */

static void test_a_new_event_discards_the_future(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    run(&s, 4);
    do_pin(&s);
    run(&s, 6);
    do_ball(&s);
    run(&s, 6);
    assert_int_equal(s.edit_count, 2);
    pli_session_go(&s, 7);
    assert_int_equal(s.last, 16);
    do_set(&s);
    assert_int_equal(s.last, 7);
    assert_int_equal(s.edit_count, 2);
    assert_int_equal(s.event_count, 2);
    assert_int_equal(pli_session_balls_count(&s.tools.balls), 0);
    pli_session_close(&s);
}

// A failed event discards nothing.
static void test_a_rejected_event_changes_nothing(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    run(&s, 8);
    pli_session_go(&s, 3);
    const uint64_t before = hash(&s);
    assert_false(pli_session_set(&s, "cloth/distance.compliance", -1.0));
    assert_false(pli_session_set(&s, "cloth/none.compliance", 1.0));
    assert_false(pli_session_set(&s, "settings.gravity", 1.0));
    assert_false(pli_session_cut(&s, cloth(&s), (pli_vec3){9, 9, 9}, (pli_vec3){1, 0, 0}, 0.1f));
    assert_false(pli_session_pump(&s, 1.0f));
    assert_int_equal(s.last, 8);
    assert_int_equal(s.event_count, 0);
    assert_int_equal(hash(&s), before);
    pli_session_close(&s);
}

// A grab that was active when time went back is released before the next event.
static void test_going_back_releases(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    run(&s, 2);
    assert_true(pli_session_grab(&s, 0, cloth(&s), 60));
    pli_session_pull(&s, 0, (pli_vec3){0, 2, 0});
    pli_session_blow(&s, (pli_vec3){0, 1, 2}, (pli_vec3){0, 0, -1});
    run(&s, 10);
    pli_session_go(&s, 5);
    assert_true(s.tools.hands[0].holds);
    do_pin(&s);
    assert_false(s.tools.hands[0].holds);
    assert_false(s.tools.gust.blows);
    run(&s, 10);
    assert_int_equal(s.tools.hands[0].grab.attachment.id, 0);
    const uint64_t after = hash(&s);
    pli_session_go(&s, 0);
    pli_session_go(&s, 15);
    assert_int_equal(hash(&s), after);
    pli_session_close(&s);
}

static void test_changes_of_one_value_are_one_edit(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    pli_session_set(&s, "cloth/distance.compliance", 1e-3);
    pli_session_set(&s, "cloth/distance.compliance", 2e-3);
    assert_int_equal(s.edit_count, 1);
    assert_int_equal(s.event_count, 1);
    s.drag = PLI_SESSION_DRAG_BEGINS;
    pli_session_set(&s, "cloth/distance.compliance", 3e-3);
    s.drag = PLI_SESSION_DRAG_CONTINUES;
    run(&s, 3);
    pli_session_set(&s, "cloth/distance.compliance", 4e-3);
    assert_int_equal(s.edit_count, 2);
    pli_session_undo(&s);
    pli_session_control control;
    assert_true(pli_session_control_find(&s, "cloth/distance.compliance", &control));
    assert_true(pli_session_control_value(s.world, &control) == 2e-3);
    assert_int_equal(s.frame, 0);
    pli_session_close(&s);
}

static void test_several_values_are_one_edit(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    assert_true(pli_session_set_labelled(&s, "settings.wind.x", 1.0, "wind"));
    assert_true(pli_session_set_labelled(&s, "settings.wind.z", 2.0, NULL));
    assert_true(pli_session_set_labelled(&s, "cloth.friction", 0.7, NULL));
    assert_int_equal(s.edit_count, 1);
    assert_string_equal(s.edits[0].label, "wind");
    pli_deformable_def def;
    assert_int_equal(pli_deformable_get_def(s.world, cloth(&s), &def, NULL), PLI_STATUS_OK);
    assert_true(def.friction == 0.7f);
    pli_session_undo(&s);
    assert_true(pli_world_settings(s.world).wind.x == 0.0f && pli_world_settings(s.world).wind.z == 0.0f);
    assert_int_equal(pli_deformable_get_def(s.world, cloth(&s), &def, NULL), PLI_STATUS_OK);
    assert_true(def.friction != 0.7f);
    pli_session_close(&s);
}

static void test_a_stored_state_is_adopted_and_the_start_stays(void **state)
{
    (void)state;
    pli_session a = open_cloth(), b = open_cloth();
    run(&a, 12);
    const size_t size = pli_world_snapshot_size(a.world);
    void *bytes = malloc(size);
    assert_int_equal(pli_world_snapshot_write(a.world, bytes, size, NULL), PLI_STATUS_OK);
    assert_true(pli_session_adopt(&b, 12, bytes, size));
    assert_int_equal(b.frame, 12);
    assert_int_equal(b.last, 12);
    for (int32_t frame = 12; frame >= 0; frame -= 4) {
        pli_session_go(&a, frame);
        pli_session_go(&b, frame);
        assert_int_equal(b.frame, frame);
        assert_int_equal(hash(&b), hash(&a));
    }
    assert_false(pli_session_adopt(&b, 12, bytes, size / 2));
    free(bytes);
    pli_session_close(&a);
    pli_session_close(&b);
}

/* ---- A and B, restart --------------------------------------------------------------------------- */

static void test_a_and_b(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    pli_session_difference list[4];
    run(&s, 2);
    pli_session_swap_values(&s, 1);
    assert_int_equal(pli_session_differences(&s, list, 4), 0);
    pli_session_set(&s, "settings.gravity.x", 1.0);
    pli_session_set(&s, "cloth.friction", 0.7);
    pli_session_read_values(&s);
    assert_int_equal(pli_session_differences(&s, list, 4), 2);
    pli_session_swap_values(&s, 0);
    assert_true(pli_world_settings(s.world).gravity.x == 0.0f);
    pli_session_swap_values(&s, 1);
    assert_true(pli_world_settings(s.world).gravity.x == 1.0f);
    run(&s, 5);
    pli_session_copy_values(&s);
    assert_int_equal(pli_session_differences(&s, list, 4), 0);
    pli_session_undo(&s); // The last swap.
    assert_int_equal(s.tools.side, 0);
    assert_true(pli_world_settings(s.world).gravity.x == 0.0f);
    pli_session_close(&s);
}

static void test_restart_keeps_values_and_paint(void **state)
{
    (void)state;
    pli_session s = open_cloth(), direct = open_cloth();
    run(&s, 4);
    do_set(&s), do_paint_density(&s), do_pin(&s);
    run(&s, 4);
    pli_session_restart(&s);
    assert_int_equal(s.frame, 0);
    assert_int_equal(s.edit_count, 0);
    assert_false(pli_session_is_pinned(&s, cloth(&s), 60));
    run(&s, 10);
    // The same values at the start give the same run.
    const pli_session_layer *layer = pli_session_paint_find(s.paint, pli_session_quantity_find("density"), 0);
    assert_non_null(layer);
    do_set(&direct);
    assert_true(pli_session_paint_set(&direct, s.paint));
    run(&direct, 10);
    assert_int_equal(hash(&s), hash(&direct));
    pli_session_close(&s), pli_session_close(&direct);
}

/* ---- tools -------------------------------------------------------------------------------------- */

static pli_session_pointer at(float x, float z, double seconds)
{
    const pli_vec3 eye = {0, 4, 0}, to = {x, 1, z};
    const float length = sqrtf((to.x - eye.x) * (to.x - eye.x) + 9 + (to.z - eye.z) * (to.z - eye.z));
    return (pli_session_pointer){
        eye, {(to.x - eye.x) / length, -3 / length, (to.z - eye.z) / length}, {0, -1, 0}, seconds};
}

static void gesture(pli_session *s, pli_session_tool tool, float x, float z, float to_x, float to_z)
{
    pli_session_pointer p = at(x, z, 0.0);
    pli_session_press(s, 0, tool, &p, false);
    for (int i = 1; i <= 5; i++) {
        const float t = (float)i / 5;
        p = at(x + t * (to_x - x), z + t * (to_z - z), 0.1 * i);
        pli_session_drag_pointer(s, 0, &p);
        if (tool == PLI_SESSION_TOOL_GRAB || tool == PLI_SESSION_TOOL_MOVE)
            run(s, 1);
    }
    pli_session_release(s, 0, &p);
}

static void test_gestures(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    const int32_t count = pli_deformable_positions(s.world, cloth(&s)).count;
    gesture(&s, PLI_SESSION_TOOL_GRAB, 0.2f, 0.2f, 0.4f, 0.2f);
    assert_false(s.tools.hands[0].holds);
    run(&s, 10);
    assert_int_equal(s.tools.hands[0].grab.attachment.id, 0);
    // A click pins, a second one frees.
    gesture(&s, PLI_SESSION_TOOL_PIN, -0.2f, -0.2f, -0.2f, -0.2f);
    assert_string_equal(s.edits[0].label, "pin");
    gesture(&s, PLI_SESSION_TOOL_PIN, -0.2f, -0.2f, -0.2f, -0.2f);
    assert_string_equal(s.edits[1].label, "unpin");
    gesture(&s, PLI_SESSION_TOOL_BRUSH, -0.3f, -0.3f, 0.3f, -0.3f);
    assert_int_equal(s.edit_count, 3);
    gesture(&s, PLI_SESSION_TOOL_BALL, 0.0f, 0.3f, 0.0f, 0.3f);
    assert_int_equal(pli_session_balls_count(&s.tools.balls), 1);
    // A stroke that begins beside the cloth cuts it from its border.
    gesture(&s, PLI_SESSION_TOOL_CUT, -0.9f, 0.21f, 0.1f, 0.21f);
    assert_string_equal(s.edits[4].label, "cut");
    assert_true(pli_deformable_positions(s.world, cloth(&s)).count > count);
    const uint64_t before = hash(&s);
    for (int32_t frame = s.frame; s.edit_count > 0;)
        pli_session_undo(&s), assert_true(s.frame <= frame);
    while (s.undone_count > 0)
        pli_session_redo(&s);
    assert_int_equal(hash(&s), before);
    pli_session_close(&s);
}

// Without a drag, the brush changes what is within its radius and connected, and nothing else.
static void test_the_brush(void **state)
{
    (void)state;
    pli_session s = open_cloth();
    const int32_t count = pli_deformable_positions(s.world, cloth(&s)).count, vertex = 60;
    const pli_view positions = pli_deformable_positions(s.world, cloth(&s));
    const float *p = pli_view_at(positions, vertex);
    s.brush = (pli_session_brush){.quantity = pli_session_quantity_find("drag"), .radius = 0.3f, .strength = 1.0f};
    s.brush.values[pli_session_quantity_find("drag")] = 0.25;
    pli_session_stroke_begin(&s, 0, cloth(&s), false);
    pli_session_stroke(&s, 0, cloth(&s), vertex, (pli_vec3){p[0], p[1], p[2]});
    pli_session_stroke_end(&s, 0);
    float *values = calloc((size_t)count, sizeof *values);
    pli_session_painted(&s, cloth(&s), pli_session_quantity_find("drag"), values, count);
    assert_true(values[vertex] == 0.25f);
    for (int32_t i = 0; i < count; i++) {
        const float *q = pli_view_at(positions, i);
        const float distance = hypotf(q[0] - p[0], q[2] - p[2]);
        assert_true((values[i] < 1.0f) == (distance < 0.3f));
        assert_true(values[i] >= 0.25f && values[i] <= 1.0f);
    }
    assert_true(pli_session_is_painted(&s, cloth(&s), "drag"));
    pli_session_undo(&s);
    pli_session_painted(&s, cloth(&s), pli_session_quantity_find("drag"), values, count);
    for (int32_t i = 0; i < count; i++)
        assert_true(values[i] == 1.0f);
    free(values);
    pli_session_close(&s);
}

static void test_the_pump(void **state)
{
    (void)state;
    pli_session s = open_with(balloon_text, 0, 0);
    pli_session_control control;
    assert_true(pli_session_control_find(&s, "balloon/volume.pressure", &control));
    const double start = pli_session_control_value(s.world, &control);
    run(&s, 2);
    const uint64_t before = hash(&s);
    const pli_session_pointer p = at(0, 0, 0);
    assert_true(pli_session_press(&s, 0, PLI_SESSION_TOOL_PUMP, &p, false));
    run(&s, 60);
    pli_session_release(&s, 0, &p);
    const double pumped = pli_session_control_value(s.world, &control);
    assert_true(fabs(pumped - start - 0.5) < 1e-3);
    run(&s, 5);
    assert_true(pli_session_control_value(s.world, &control) == pumped);
    const uint64_t after = hash(&s);
    pli_session_undo(&s);
    assert_int_equal(hash(&s), before);
    assert_true(pli_session_control_value(s.world, &control) == start);
    pli_session_redo(&s);
    assert_int_equal(hash(&s), after);
    pli_session_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_edit_is_undone),
        cmocka_unit_test(test_seeking_repeats_everything),
        cmocka_unit_test(test_a_small_budget_changes_nothing),
        cmocka_unit_test(test_a_log_is_read_back),
        cmocka_unit_test(test_a_wrong_log_is_rejected),
        cmocka_unit_test(test_a_recorded_session_is_pinned),
        cmocka_unit_test(test_a_new_event_discards_the_future),
        cmocka_unit_test(test_a_rejected_event_changes_nothing),
        cmocka_unit_test(test_going_back_releases),
        cmocka_unit_test(test_changes_of_one_value_are_one_edit),
        cmocka_unit_test(test_several_values_are_one_edit),
        cmocka_unit_test(test_a_stored_state_is_adopted_and_the_start_stays),
        cmocka_unit_test(test_a_and_b),
        cmocka_unit_test(test_restart_keeps_values_and_paint),
        cmocka_unit_test(test_gestures),
        cmocka_unit_test(test_the_brush),
        cmocka_unit_test(test_the_pump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
