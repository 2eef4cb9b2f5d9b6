// Lists of candidate pairs: every vertex that is near a triangle is listed with it, against all of them, and no cluster
// pair is listed for nothing. Contacts, those that hold for several substeps too: the distance of each is that of its
// vertex and triangle, and every vertex that is near the inside of a triangle has one, against all of them.
#include "../properties/scenery.h"

#include "collision/narrowphase/closest_points.h"
#include "model/model.h"

enum { ALONG = 20, VERTICES = ALONG * ALONG, TRIANGLES_MAX = 2 * VERTICES, FRAMES = 45 };
static const float thickness = 0.012f;

typedef struct listed {
    bool pairs[VERTICES][TRIANGLES_MAX];
    int32_t near; // Pairs that had to be there.
} listed;

static pli_world *crumpling_world(float damping)
{
    pli_world_def def = pli_world_def_default();
    def.settings.damping = damping;
    pli_world *world;
    must(pli_world_create(&def, &world, &problem));
    pli_mesh *mesh = mesh_grid(ALONG, ALONG, 0.4, PLI_GRID_ALTERNATING);
    pli_deformable_def cloth = pli_deformable_def_default();
    pli_deformable body;
    cloth.mesh = mesh;
    cloth.self_collision = true;
    cloth.thickness = thickness;
    cloth.pose.rotation = (pli_quat){0.7071068f, 0.0f, 0.0f, 0.7071068f};
    cloth.pose.position.y = 0.25f;
    must(pli_deformable_create(world, &cloth, &body, &problem));
    pli_collider_def ground = pli_collider_def_default();
    pli_collider collider;
    ground.shape = PLI_SHAPE_PLANE;
    must(pli_collider_create(world, &ground, &collider, &problem));
    pli_mesh_destroy(mesh);
    return world;
}

// Notes the listed pairs. Their ranges are apart, have all pairs, and none is empty.
static void note_listed(const pli_candidate_list *list, listed *to)
{
    int32_t count = 0;
    memset(to->pairs, 0, sizeof to->pairs);
    for (int32_t m = 0; m < list->cluster_pairs.count; m++) {
        const pli_cluster_pair *of = &list->cluster_pairs.items[m];
        holds(of->count > 0, "cluster pair %d has %d pairs", (int)m, (int)of->count);
        count += of->count;
        for (int32_t i = of->begin; i < of->begin + of->count; i++) {
            const pli_listed_pair *pair = &list->pairs.items[i];
            if (pli_listed_are_edges(pair))
                continue;
            bool *noted = &to->pairs[pair->primitive[0]][pair->primitive[1]];
            holds(!*noted, "vertex %d is listed twice with triangle %d", (int)pair->primitive[0],
                  (int)pair->primitive[1]);
            *noted = true;
        }
    }
    near((double)count, (double)list->count, 0.0, "pairs of cluster pairs");
}

static double distance_of(const float *const at[4])
{
    pli_dvec3 points[4];
    for (int32_t k = 0; k < 4; k++)
        points[k] = (pli_dvec3){(double)at[k][0], (double)at[k][1], (double)at[k][2]};
    return sqrt(pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, points).square);
}

static void compare_with_all(const pli_world *world, listed *to)
{
    const pli_contact_mesh *s = world->collision.surfaces[0];
    for (int32_t v = 0; v < s->vertex_count; v++)
        for (int32_t t = 0; t < s->triangle_count; t++) {
            const int32_t places[4] = {v, s->triangles[3 * t], s->triangles[3 * t + 1], s->triangles[3 * t + 2]};
            const float *now[4], *rest[4];
            for (int32_t k = 0; k < 4; k++) {
                now[k] = &world->store.particles[s->first + places[k]].x;
                rest[k] = s->rest + 3 * places[k];
            }
            if (!(distance_of(now) < (double)thickness) || !(distance_of(rest) > 3.0 * (double)thickness))
                continue;
            to->near++;
            holds(to->pairs[v][t], "vertex %d is near triangle %d, and not listed with it", (int)v, (int)t);
        }
}

static void what_is_near_is_listed(void **state)
{
    (void)state;
    static listed all;
    pli_world *world = crumpling_world(pli_world_def_default().settings.damping);
    for (int32_t frame = 0; frame < FRAMES; frame++) {
        step(world, 1.0 / 60.0);
        if (frame % 5 != 4)
            continue;
        note_listed(&world->collision.cache.lists[PLI_LIST_DEFORMABLES], &all);
        compare_with_all(world, &all);
    }
    holds(all.near > 100, "%d pairs were near", (int)all.near);
    pli_world_destroy(world);
}

/* ---- contacts that hold -------------------------------------------------------------------------- */

enum { CRASH_FRAMES = 10 };

typedef struct checked {
    bool contacts[VERTICES][TRIANGLES_MAX];
    int32_t held, near; // Contacts that were made in an earlier substep, and those that had to be there.
} checked;

static pli_closest closest_before(const pli_world *world, int32_t vertex, int32_t triangle)
{
    const pli_contact_mesh *s = world->collision.surfaces[0];
    pli_dvec3 at[4] = {pli_widened_position(&world->store.previous[s->first + vertex])};
    for (int32_t k = 0; k < 3; k++)
        at[1 + k] = pli_widened_position(&world->store.previous[s->first + s->triangles[3 * triangle + k]]);
    return pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, at);
}

static int32_t triangle_with(const pli_contact_mesh *s, const int32_t corners[3])
{
    for (int32_t t = 0; t < s->triangle_count; t++) {
        const int32_t *at = s->triangles + 3 * t;
        if (at[0] + s->first == corners[0] && at[1] + s->first == corners[1] && at[2] + s->first == corners[2])
            return t;
    }
    return -1;
}

// The leeway that is left says whether a cluster pair has moved since its contacts were made.
static bool was_made_before(const pli_world *world, const pli_surface_contact *t)
{
    const pli_candidate_list *list = &world->collision.cache.lists[PLI_LIST_DEFORMABLES];
    float most = 0.0f;
    for (int32_t i = 0; i < list->cluster_pairs.count; i++)
        most = fmaxf(most, list->cluster_pairs.items[i].leeway / list->cluster_pairs.items[i].least_rest);
    const pli_cluster_pair *of = &list->cluster_pairs.items[t->owner - 1];
    return of->leeway / of->least_rest < 0.999f * most;
}

static void check_contacts(const pli_world *world, checked *to)
{
    const pli_contacts *contacts = &world->collision.contacts;
    const pli_contact_mesh *s = world->collision.surfaces[0];
    memset(to->contacts, 0, sizeof to->contacts);
    for (int32_t i = 0; i < contacts->surface_contacts.count + contacts->implied; i++) {
        const pli_surface_contact *t = &contacts->surface_contacts.items[i];
        if (t->split != 1 || t->owner <= 0)
            continue;
        int32_t vertex = t->at[0] - s->first, triangle = triangle_with(s, t->at + 1);
        pli_closest c = closest_before(world, vertex, triangle);
        holds(!to->contacts[vertex][triangle], "two contacts of vertex %d and triangle %d", (int)vertex, (int)triangle);
        to->contacts[vertex][triangle] = true;
        to->held += was_made_before(world, t);
        if (t->depth < t->recovery)
            near((double)t->rest_distance - (double)t->depth, sqrt(c.square), 1e-3 * (double)thickness,
                 "distance of vertex %d and triangle %d", (int)vertex, (int)triangle);
    }
}

// Is the vertex within the longest edge and the thickness of this corner of a triangle?
static bool may_be_near(const pli_world *world, int32_t vertex, int32_t corner)
{
    const pli_contact_mesh *s = world->collision.surfaces[0];
    pli_vec3 apart = pli_sub(pli_position_of(&world->store.previous[s->first + vertex]),
                             pli_position_of(&world->store.previous[s->first + corner]));
    return pli_length(apart) < 1.5f * s->longest_edge + thickness;
}

static void compare_contacts_with_all(const pli_world *world, checked *to)
{
    const pli_contact_mesh *s = world->collision.surfaces[0];
    for (int32_t v = 0; v < s->vertex_count; v++)
        for (int32_t t = 0; t < s->triangle_count; t++) {
            const int32_t places[4] = {v, s->triangles[3 * t], s->triangles[3 * t + 1], s->triangles[3 * t + 2]};
            const float *rest[4];
            for (int32_t k = 0; k < 4; k++)
                rest[k] = s->rest + 3 * places[k];
            if (!may_be_near(world, v, places[1]))
                continue;
            pli_closest c = closest_before(world, v, t);
            bool inside = c.weights[1] < -0.05 && c.weights[2] < -0.05 && c.weights[3] < -0.05;
            if (!inside || !(sqrt(c.square) < 0.97 * (double)thickness) ||
                !(distance_of(rest) > 3.0 * (double)thickness))
                continue;
            to->near++;
            holds(to->contacts[v][t], "vertex %d is %g m from triangle %d, and has no contact with it", (int)v,
                  sqrt(c.square), (int)t);
        }
}

static void contacts_that_hold_are_where_things_are(void **state)
{
    (void)state;
    static checked all;
    pli_world *world = crumpling_world(6.0f);
    for (int32_t frame = 0; frame < 3 * FRAMES; frame++) {
        step(world, 1.0 / 60.0);
        if (frame < CRASH_FRAMES || frame % 2)
            continue;
        check_contacts(world, &all);
        compare_contacts_with_all(world, &all);
    }
    holds(all.held > 100, "%d contacts were made before", (int)all.held);
    holds(all.near > 20, "%d vertices were near", (int)all.near);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_near_is_listed, checks_begin, checks_end),
        cmocka_unit_test_setup_teardown(contacts_that_hold_are_where_things_are, checks_begin, checks_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
