// Scenes take what the descriptors say: ranges to their ends, choices by name, and what a scene gives arrives in the
// world. Scenes are loaded as texts with one key of one group.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include <pliant/pliant.h>

#include <math.h>

// A scene that gives one key of a group, whose place in it is `target`.
static const char *scene_with(const char *target, const char *key, const char *value)
{
    static const struct {
        const char *target, *format;
    } scenes[] = {
        {"", "{%s, \"deformables\": [{%s}]}"},
        {"settings", "{\"deformables\": [{%2$s}], \"settings\": {%1$s}}"},
        {"contact", "{\"deformables\": [{%2$s}], \"contact\": {%1$s}}"},
        {"deformables[]", "{\"deformables\": [{%2$s, %1$s}]}"},
        {"deformables[].tearing", "{\"deformables\": [{%2$s, \"tearing\": {%3$s%1$s}}]}"},
        {"deformables[].plate", "{\"deformables\": [{%2$s, \"plate\": {%1$s}}]}"},
        {"deformables[].material", "{\"deformables\": [{%2$s, \"material\": {%1$s}}]}"},
        {"deformables[].attachments[]", "{\"deformables\": [{%2$s, \"attachments\": [{\"all\": true, %1$s}]}]}"},
        {"colliders[]", "{\"deformables\": [{%2$s}], \"colliders\": [{%4$s%1$s}]}"},
    };
    static char text[1100];
    char pair[420], body[1000];
    snprintf(pair, sizeof pair, "\"%s\": %s", key, value);
    bool hull = strstr(value, "hull") || strstr(value, "mesh");
    const char *stretch = strcmp(key, "most") == 0 ? "\"stretch\": 2, " : "";
    const char *shape = strcmp(key, "shape") != 0 ? "\"shape\": \"sphere\", "
                        : hull                    ? "\"mesh\": {\"sphere\": {}}, "
                                                  : "";
    size_t i = 0;
    while (strcmp(scenes[i].target, target) != 0)
        if (++i == sizeof scenes / sizeof *scenes)
            fail_msg("no scene has the target %s", target);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    snprintf(body, sizeof body, scenes[i].format, pair, "\"mesh\": {\"grid\": {\"columns\": 3, \"rows\": 3}}", stretch,
             shape);
#pragma GCC diagnostic pop
    snprintf(text, sizeof text, "{\"pliant\": 1, %s", body + 1);
    return text;
}

static void expect(const pli_descriptor_group *group, const pli_property *p, const char *value, bool valid)
{
    loaded result = load_with(scene_with(group->target, p->name, value), false, NULL);
    if ((result.status == PLI_STATUS_OK) != valid)
        fail_msg("%s.%s = %s: %s", group->id, p->name, value, result.error.message);
    bool json = strcmp(value, "NaN") != 0;
    if (!valid && json && !strstr(result.error.message, p->name))
        fail_msg("%s.%s is not named: %s", group->id, p->name, result.error.message);
    pli_scene_destroy(result.scene);
}

static void expect_number(const pli_descriptor_group *group, const pli_property *p, double value, bool valid)
{
    char text[400];
    if (p->kind == PLI_PROPERTY_INTEGER)
        snprintf(text, sizeof text, "%.0f", value);
    else if (p->kind == PLI_PROPERTY_VECTOR)
        snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", p->maximum, value, p->maximum);
    else
        snprintf(text, sizeof text, "%.17g", value);
    expect(group, p, text, valid);
}

static void ranges_are_those_of_the_rows(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_descriptor_group_count(); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_at(i);
        for (int32_t k = 0; k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            if (p->kind != PLI_PROPERTY_NUMBER && p->kind != PLI_PROPERTY_INTEGER && p->kind != PLI_PROPERTY_VECTOR)
                continue;
            bool whole = p->kind == PLI_PROPERTY_INTEGER;
            expect_number(group, p, p->minimum, true);
            expect_number(group, p, whole ? p->minimum - 1.0 : nextafter(p->minimum, -INFINITY), false);
            if (isinf(p->maximum)) {
                expect_number(group, p, 1e300, true);
            } else {
                expect_number(group, p, p->maximum, true);
                expect_number(group, p, whole ? p->maximum + 1.0 : nextafter(p->maximum, INFINITY), false);
            }
            expect(group, p, "\"much\"", false);
            expect(group, p, "NaN", false); // JSON has no such number.
        }
    }
}

// The definition that a world was made with, as far as it tells.
static bool read_back(const pli_world *world, const pli_descriptor_group *group, const pli_property *p,
                      double values[3])
{
    pli_settings settings = pli_world_settings(world);
    pli_tearing tearing;
    pli_collider_def collider;
    if (strcmp(group->definition, "pli_settings") == 0) {
        pli_property_read(p, &settings, values);
    } else if (strcmp(group->id, "tearing") == 0) {
        assert_int_equal(pli_deformable_get_tearing(world, pli_world_deformable_at(world, 0), &tearing, NULL),
                         PLI_STATUS_OK);
        pli_property_read(p, &tearing, values);
    } else if (strcmp(group->id, "plate") == 0) {
        pli_deformable_def def;
        assert_int_equal(pli_deformable_get_def(world, pli_world_deformable_at(world, 0), &def, NULL), PLI_STATUS_OK);
        pli_property_read(p, &def.plate, values);
    } else if (strcmp(group->id, "collider") == 0) {
        assert_int_equal(pli_collider_get_def(world, pli_world_collider_at(world, 0), &collider, NULL), PLI_STATUS_OK);
        pli_property_read(p, &collider, values);
    } else {
        return false;
    }
    return true;
}

// Gives a value in a scene and returns whether the world could be asked for it.
static bool arrives(const pli_descriptor_group *group, const pli_property *p, const char *text,
                    const double expected[3])
{
    double values[3] = {0};
    pli_scene *scene = load(scene_with(group->target, p->name, text));
    pli_world *world = world_of(scene);
    bool told = read_back(world, group, p, values);
    for (int c = 0; told && c < (p->kind == PLI_PROPERTY_VECTOR ? 3 : 1); c++)
        if (values[c] != expected[c])
            fail_msg("%s.%s = %s: the world has %.9g, not %.9g", group->id, p->name, text, values[c], expected[c]);
    pli_world_destroy(world);
    pli_scene_destroy(scene);
    return told;
}

static void values_arrive_in_the_world(void **state)
{
    (void)state;
    int told = 0;
    for (int32_t i = 0; i < pli_descriptor_group_count(); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_at(i);
        for (int32_t k = 0; k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            char text[100];
            for (int32_t c = 0; p->choices && p->choices[c].name; c++) {
                snprintf(text, sizeof text, "\"%s\"", p->choices[c].name);
                told += arrives(group, p, text, (const double[3]){c});
            }
            if (p->kind == PLI_PROPERTY_CHOICE)
                expect(group, p, "\"none of them\"", false);
            // Sums of a few powers of two are the same in float.
            if (p->kind == PLI_PROPERTY_NUMBER) {
                const double value[3] = {p->maximum < 0.75 ? 0.0625 : p->maximum <= 1.0 ? 0.75 : 2.5};
                snprintf(text, sizeof text, "%g", value[0]);
                told += arrives(group, p, text, value);
            }
            if (p->kind == PLI_PROPERTY_INTEGER)
                told += arrives(group, p, "3", (const double[3]){3.0});
            if (p->kind == PLI_PROPERTY_BOOLEAN) {
                told += arrives(group, p, "true", (const double[3]){1.0});
                told += arrives(group, p, "false", (const double[3]){0.0});
            }
            if (p->kind == PLI_PROPERTY_VECTOR)
                told += arrives(group, p, "[1.5, 0.25, 8]", (const double[3]){1.5, 0.25, 8.0});
            if (p->kind == PLI_PROPERTY_LAYER)
                told += arrives(group, p, "31", (const double[3]){2147483648.0});
            if (p->kind == PLI_PROPERTY_LAYERS)
                told += arrives(group, p, "[0, 3, 31]", (const double[3]){2147483657.0});
        }
    }
    assert_true(told > 30);
}

static void layers_are_0_to_31(void **state)
{
    (void)state;
    static const char *const groups[] = {"deformable", "collider"};
    for (int i = 0; i < 2; i++) {
        const pli_descriptor_group *group = pli_descriptor_group_find(groups[i]);
        expect(group, pli_descriptor_find(group, "layer"), "-1", false);
        expect(group, pli_descriptor_find(group, "layer"), "32", false);
        expect(group, pli_descriptor_find(group, "collides_with"), "[0, 31]", true);
        expect(group, pli_descriptor_find(group, "collides_with"), "[0, 32]", false);
    }
}

// Live numbers and vectors of the settings may have keyframes, and nothing else of them.
static void what_animates_has_keyframes(void **state)
{
    (void)state;
    for (int32_t i = 0; i < pli_descriptor_group_count(); i++) {
        const pli_descriptor_group *group = pli_descriptor_group_at(i);
        for (int32_t k = 0; group->target[0] && !strchr(group->target, '[') && k < group->property_count; k++) {
            const pli_property *p = &group->properties[k];
            char text[500];
            bool vector = p->kind == PLI_PROPERTY_VECTOR,
                 number = vector || p->kind == PLI_PROPERTY_NUMBER || p->kind == PLI_PROPERTY_INTEGER;
            snprintf(text, sizeof text,
                     "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"sphere\": {}}}], \"keyframes\": [{\"path\": "
                     "\"%s.%s\", \"keys\": [[0, %s], [1, %s]]}]}",
                     group->target, p->name, vector ? "[1, 1, 1]" : "1", vector ? "[1, 0, 1]" : "1");
            loaded result = load_with(text, false, NULL);
            bool animates = group->animated && number && p->change == PLI_CHANGE_LIVE;
            if ((result.status == PLI_STATUS_OK) != animates)
                fail_msg("%s.%s: %s", group->target, p->name, result.error.message);
            pli_scene_destroy(result.scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_those_of_the_rows),
        cmocka_unit_test(values_arrive_in_the_world),
        cmocka_unit_test(layers_are_0_to_31),
        cmocka_unit_test(what_animates_has_keyframes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
