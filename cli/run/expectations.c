// Intersections are taken from the exact check of every frame (run/verification.h). Expectations about the end are compared in the
// scene's own last frame only, since a shorter run has not come to rest.
#include "run/expectations.h"

#include "frame/folders.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "run/probes.h"
#include "run/stretch.h"

#include <pliant/rigid.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pli_status out_of_memory(pli_error *error)
{
    return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for what the scene expects");
}

/* ---- measures --------------------------------------------------------------------------------- */

static double volume_of(const pli_cli_recording *r, int32_t object)
{
    double area, volume;
    pli_cli_measure_surface(r->def.world, pli_world_deformable_at(r->def.world, object), &area, &volume);
    return volume;
}

// Index of the deformable of that name, or -1.
static int32_t deformable_named(const pli_cli_recording *r, const char *name)
{
    for (int32_t i = 0; i < r->deformable_count; i++) {
        const char *own = pli_deformable_name(r->def.world, pli_world_deformable_at(r->def.world, i));
        if (own && strcmp(own, name) == 0)
            return i;
    }
    return -1;
}

/* ---- frames ----------------------------------------------------------------------------------- */

static void note(pli_cli_worst *worst, double value, double limit, int32_t frame)
{
    if (value <= worst->value)
        return;
    if (worst->value <= limit)
        worst->frame = frame;
    worst->value = value;
}

pli_status pli_cli_expectations_open(const pli_scene *scene, const pli_cli_recording *recording,
                                     pli_cli_expectations *e, pli_error *error)
{
    *e = (pli_cli_expectations){.scene = scene, .expect = pli_scene_get_expect(scene), .results = json_array()};
    e->volumes = calloc((size_t)e->expect.end_count + 1, sizeof *e->volumes);
    if (!e->volumes || !e->results)
        return out_of_memory(error);
    for (int32_t i = 0; i < e->expect.end_count; i++) {
        pli_scene_end end = pli_scene_get_end(scene, i);
        int32_t object = deformable_named(recording, end.name);
        if (isfinite(end.volume_maximum) && object >= 0)
            e->volumes[i] = volume_of(recording, object);
    }
    return PLI_STATUS_OK;
}

bool pli_cli_expectations_count(const pli_cli_expectations *e) { return e->scene && e->expect.intersection_count >= 0; }

void pli_cli_expectations_add(pli_cli_expectations *e, const pli_cli_recording *recording, int32_t frame,
                              int64_t crossings)
{
    pli_statistics statistics;
    if (!e->scene)
        return;
    pli_world_get_statistics(recording->def.world, &statistics);
    note(&e->stretch, statistics.stretch_max, e->expect.stretch, frame);
    note(&e->stuck, statistics.stuck, e->expect.stuck, frame);
    // Compares the found pairs with the count of the step: it must neither miss a pair nor report one that does not exist.
    if (pli_cli_expectations_count(e))
        note(&e->intersections, fmax((double)crossings, (double)statistics.intersection_count),
             e->expect.intersection_count, frame);
}

/* ---- the end ---------------------------------------------------------------------------------- */

static void add_result(pli_cli_expectations *e, const char *what, const char *object, double minimum, double maximum,
                       pli_cli_worst found)
{
    json_t *result = json_pack("{s:s, s:i, s:b}", "what", what, "frame", (int)found.frame, "holds",
                               found.value >= minimum && found.value <= maximum);
    json_object_set_new(result, "object", pli_cli_json_text(object));
    json_object_set_new(result, "minimum", pli_cli_json_number(minimum));
    json_object_set_new(result, "maximum", pli_cli_json_number(maximum));
    json_object_set_new(result, "value", pli_cli_json_number(found.value));
    json_array_append_new(e->results, result);
}

static void add_coordinates(pli_cli_expectations *e, const pli_scene_end *end, const float *least, const float *most,
                            int32_t frame)
{
    static const char *const names[] = {"x", "y", "z"};
    const float *low = &end->minimum.x, *high = &end->maximum.x;
    for (int32_t k = 0; k < 3; k++) {
        char what[40];
        snprintf(what, sizeof what, "least %s [m]", names[k]);
        if (isfinite(low[k]))
            add_result(e, what, end->name, (double)low[k], INFINITY, (pli_cli_worst){(double)least[k], frame});
        snprintf(what, sizeof what, "largest %s [m]", names[k]);
        if (isfinite(high[k]))
            add_result(e, what, end->name, -INFINITY, (double)high[k], (pli_cli_worst){(double)most[k], frame});
    }
}

static void judge_end(pli_cli_expectations *e, const pli_cli_recording *r, int32_t i, int32_t frame)
{
    pli_scene_end end = pli_scene_get_end(e->scene, i);
    int32_t object = deformable_named(r, end.name);
    float least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (object < 0) {
        pli_rigid_state state = {0};
        pli_rigid_body_get_state(r->def.world, pli_world_rigid_body_find(r->def.world, end.name), &state, NULL);
        add_coordinates(e, &end, &state.pose.position.x, &state.pose.position.x, frame);
        return;
    }
    for (int32_t v = 0; v < r->positions[object].count; v++)
        for (int32_t k = 0; k < 3; k++) {
            float at = pli_view_at(r->positions[object], v)[k];
            least[k] = fminf(least[k], at), most[k] = fmaxf(most[k], at);
        }
    add_coordinates(e, &end, least, most, frame);
    if (e->volumes[i] != 0.0) {
        double volume = volume_of(r, object) / e->volumes[i];
        add_result(e, "volume over that at the start", end.name, end.volume_minimum, end.volume_maximum,
                   (pli_cli_worst){volume, frame});
    }
}

static void judge_share(pli_cli_expectations *e, const char *what, const char *object, double limit, double value,
                        int32_t frame)
{
    if (isfinite(limit))
        add_result(e, what, object, -INFINITY, limit, (pli_cli_worst){value, frame});
}

static pli_status judge_stretch(pli_cli_expectations *e, const pli_cli_recording *r, int32_t frame, pli_error *error)
{
    bool asked = isfinite(e->expect.stretch_p99) || isfinite(e->expect.stretch_end);
    for (int32_t i = 0; i < r->deformable_count && asked; i++) {
        pli_cli_stretch stretch;
        if (!pli_cli_stretch_measure(r->def.world, pli_world_deformable_at(r->def.world, i), &stretch))
            return out_of_memory(error);
        const char *name = r->objects[i].name;
        judge_share(e, "stretch of 99 of 100 edges", name, e->expect.stretch_p99, stretch.p99, frame);
        judge_share(e, "stretch of any edge at the end", name, e->expect.stretch_end, stretch.most, frame);
    }
    return PLI_STATUS_OK;
}

pli_status pli_cli_expectations_judge(pli_cli_expectations *e, const pli_cli_recording *recording, int32_t frame,
                                      pli_error *error)
{
    pli_statistics statistics;
    if (!e->scene)
        return PLI_STATUS_OK;
    if (pli_cli_expectations_count(e))
        add_result(e, "intersections", NULL, -INFINITY, e->expect.intersection_count, e->intersections);
    if (isfinite(e->expect.stretch))
        add_result(e, "stretch", NULL, -INFINITY, e->expect.stretch, e->stretch);
    if (isfinite(e->expect.stuck))
        add_result(e, "fraction of stuck particles", NULL, -INFINITY, e->expect.stuck, e->stuck);
    if (frame != pli_scene_frame_count(e->scene))
        return PLI_STATUS_OK;
    pli_world_get_statistics(recording->def.world, &statistics);
    if (isfinite(e->expect.kinetic_energy))
        add_result(e, "kinetic energy [J]", NULL, -INFINITY, e->expect.kinetic_energy,
                   (pli_cli_worst){statistics.kinetic_energy, frame});
    for (int32_t i = 0; i < e->expect.end_count; i++)
        judge_end(e, recording, i, frame);
    return judge_stretch(e, recording, frame, error);
}

json_t *pli_cli_expectations_failed(const pli_cli_expectations *e)
{
    size_t i;
    json_t *result;
    json_array_foreach (e->results, i, result)
        if (json_is_false(json_object_get(result, "holds")))
            return result;
    return NULL;
}

/* ---- text ------------------------------------------------------------------------------------- */

char *pli_cli_expectation_text(const json_t *result)
{
    const char *object = json_string_value(json_object_get(result, "object"));
    json_t *high = json_object_get(result, "maximum"), *low = json_object_get(result, "minimum");
    char bounds[80] = "";
    if (json_is_number(low))
        snprintf(bounds, sizeof bounds, " at least %.4g", json_number_value(low));
    if (json_is_number(high))
        snprintf(bounds + strlen(bounds), sizeof bounds - strlen(bounds), "%s at most %.4g", bounds[0] ? " and" : "",
                 json_number_value(high));
    return pli_cli_format("%s%s%s%s: %.4g in frame %d", object ? object : "", object ? ": " : "",
                          json_string_value(json_object_get(result, "what")), bounds,
                          json_number_value(json_object_get(result, "value")),
                          (int)json_integer_value(json_object_get(result, "frame")));
}

void pli_cli_expectations_print(const pli_cli_expectations *e)
{
    size_t i;
    json_t *result;
    json_array_foreach (e->results, i, result) {
        char *text = pli_cli_expectation_text(result);
        printf("  %-15s %s%s\n", i ? "" : "expected", json_is_true(json_object_get(result, "holds")) ? "" : "NOT ",
               text);
        free(text);
    }
}

void pli_cli_expectations_release(pli_cli_expectations *e)
{
    json_decref(e->results);
    free(e->volumes);
    *e = (pli_cli_expectations){0};
}
