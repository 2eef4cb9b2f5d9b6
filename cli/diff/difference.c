// Compares vertices bit by bit, and prints the report.
#include "diff/difference.h"

#include "frame/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- comparing ------------------------------------------------------------------------------ */

static bool differ(const float *a, const float *b, int32_t vertex)
{
    return a && b && memcmp(a + 3 * (size_t)vertex, b + 3 * (size_t)vertex, 3 * sizeof *a) != 0;
}

static bool vertex_differs(const pli_cli_vertices *a, const pli_cli_vertices *b, int32_t vertex)
{
    return differ(a->positions, b->positions, vertex) || differ(a->velocities, b->velocities, vertex) ||
           memcmp(a->origin, b->origin, sizeof a->origin) != 0;
}

static double length_between(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static pli_cli_vertex_difference difference_of(const pli_cli_vertices *a, const pli_cli_vertices *b, int32_t vertex)
{
    pli_cli_vertex_difference d = {.vertex = vertex};
    const pli_cli_vertices *sides[2] = {a, b};
    snprintf(d.object, sizeof d.object, "%s", a->name ? a->name : "");
    for (int32_t side = 0; side < 2; side++)
        for (int32_t k = 0; k < 3; k++) {
            const size_t at = 3 * (size_t)vertex + (size_t)k;
            d.position[side][k] = (double)sides[side]->positions[at] + sides[side]->origin[k];
            d.velocity[side][k] = sides[side]->velocities ? (double)sides[side]->velocities[at] : 0.0;
        }
    d.distance = length_between(d.position[0], d.position[1]);
    d.speed = length_between(d.velocity[0], d.velocity[1]);
    return d;
}

// Orders by the distance, and by the velocity difference for equal distances.
static bool is_farther(const pli_cli_vertex_difference *a, const pli_cli_vertex_difference *b)
{
    return a->distance > b->distance || (!(a->distance < b->distance) && a->speed > b->speed);
}

static void look_at(pli_cli_difference *d, const pli_cli_vertices *a, const pli_cli_vertices *b)
{
    d->vertices += a->count;
    d->has_velocities = d->has_velocities || (a->velocities && b->velocities);
    for (int32_t v = 0; v < a->count; v++) {
        if (!vertex_differs(a, b, v))
            continue;
        const pli_cli_vertex_difference here = difference_of(a, b, v);
        if (d->differing++ == 0)
            d->first = d->most = here;
        else if (is_farther(&here, &d->most))
            d->most = here;
    }
}

bool pli_cli_difference_look(pli_cli_difference *difference, const pli_cli_vertices *a, const pli_cli_vertices *b,
                             int32_t object_count)
{
    difference->differing = difference->vertices = 0;
    for (int32_t i = 0; i < object_count; i++) {
        if (a[i].count != b[i].count) {
            snprintf(difference->reason, sizeof difference->reason, "'%s' has %d vertices in A and %d in B",
                     a[i].name ? a[i].name : "", (int)a[i].count, (int)b[i].count);
            return false;
        }
        look_at(difference, &a[i], &b[i]);
    }
    return true;
}

/* ---- report --------------------------------------------------------------------------------- */

static void print_vertex(const pli_cli_difference *difference, const char *what, const pli_cli_vertex_difference *d)
{
    printf("  %s: particle %d of '%s', %g m apart\n", what, (int)d->vertex, d->object, d->distance);
    for (int32_t side = 0; side < 2; side++) {
        const double *x = d->position[side], *v = d->velocity[side];
        printf("    %c at (%.9g, %.9g, %.9g)", "AB"[side], x[0], x[1], x[2]);
        if (difference->has_velocities)
            printf(", velocity (%.9g, %.9g, %.9g)", v[0], v[1], v[2]);
        printf("\n");
    }
}

static void print_place(const pli_cli_difference *d)
{
    if (d->at == 0)
        printf("They differ at the start");
    else
        printf("They first differ in %s %d of %d", d->unit, (int)d->at, (int)d->count);
    if (d->substep > 0)
        printf(", substep %d, stage '%s'", (int)d->substep, d->stage);
    if (d->type[0])
        printf(": constraint type '%s' (set '%s')", d->type, d->set);
    else if (d->part[0] && strcmp(d->part, d->stage) != 0)
        printf(": %s", d->part);
    printf("\n");
}

void pli_cli_difference_print(const pli_cli_difference *difference, const char *a, const char *b)
{
    printf("A: %s\nB: %s\n", a, b);
    if (!difference->found) {
        printf("Bit-identical: %d %ss", (int)difference->count, difference->unit);
        if (difference->hash)
            printf(", hash %016llx", (unsigned long long)difference->hash);
        printf("\n");
        return;
    }
    print_place(difference);
    if (difference->reason[0])
        printf("  %s\n", difference->reason);
    if (difference->differing == 0)
        return;
    printf("  %lld of %lld particles differ\n", (long long)difference->differing, (long long)difference->vertices);
    print_vertex(difference, "first", &difference->first);
    if (difference->differing > 1)
        print_vertex(difference, "farthest", &difference->most);
}

static json_t *vector_json(const double *v)
{
    json_t *array = json_array();
    for (int32_t k = 0; k < 3; k++)
        json_array_append_new(array, pli_cli_json_number(v[k]));
    return array;
}

static json_t *pair_json(const double values[2][3])
{
    return json_pack("{s:o, s:o}", "a", vector_json(values[0]), "b", vector_json(values[1]));
}

static json_t *vertex_json(const pli_cli_difference *difference, const pli_cli_vertex_difference *d)
{
    json_t *object = json_pack("{s:o, s:i, s:o, s:o}", "object", pli_cli_json_text(d->object), "particle",
                               (int)d->vertex, "distance", pli_cli_json_number(d->distance), "position",
                               pair_json(d->position));
    if (difference->has_velocities)
        json_object_set_new(object, "velocity", pair_json(d->velocity));
    return object;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text[0] ? pli_cli_json_text(text) : json_null());
}

json_t *pli_cli_difference_json(const pli_cli_difference *difference, const char *a, const char *b)
{
    char hash[20] = "";
    json_t *object = json_pack("{s:o, s:o, s:b, s:s, s:i}", "a", pli_cli_json_text(a), "b", pli_cli_json_text(b),
                               "equal", !difference->found, "unit", difference->unit, "count", (int)difference->count);
    if (difference->hash)
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)difference->hash);
    set_text(object, "hash", hash);
    if (!difference->found)
        return object;
    json_object_set_new(object, difference->unit, json_integer(difference->at));
    json_object_set_new(object, "substep", difference->substep > 0 ? json_integer(difference->substep) : json_null());
    set_text(object, "stage", difference->stage);
    set_text(object, "part", difference->part);
    set_text(object, "type", difference->type);
    set_text(object, "set", difference->set);
    set_text(object, "reason", difference->reason);
    json_object_set_new(object, "differing", json_integer(difference->differing));
    json_object_set_new(object, "particles", json_integer(difference->vertices));
    if (difference->differing > 0) {
        json_object_set_new(object, "first", vertex_json(difference, &difference->first));
        json_object_set_new(object, "farthest", vertex_json(difference, &difference->most));
    }
    return object;
}
