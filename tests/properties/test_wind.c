// Sums over triangles, against sums in double over the faces as they are now: normals of vertices and the push of the
// wind, of all kinds of meshes, before and after cuts, in every width.
#include "tears.h"

static const vec air = {1.5, -0.7, 2.2};
static const double density = 1.2, duration = 0.01;

static pli_world *windy_world(pli_simd simd)
{
    pli_world_def def = plain_world_def(PLI_METHOD_XPBD);
    def.settings.substeps = 1;
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    def.settings.air_density = (float)density;
    def.settings.wind = to_vec3(air);
    def.simd = simd;
    return world_from(&def);
}

static pli_deformable loose_cloth(pli_world *world, int32_t kind)
{
    pli_mesh *mesh = mesh_of_kind(kind, 19);
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    pli_deformable cloth;
    must(pli_deformable_create(world, &def, &cloth, &problem));
    pli_mesh_destroy(mesh);
    return cloth;
}

// Every vertex somewhere else, at its own speed; the same in every width.
static void stir(pli_world *world, pli_deformable cloth)
{
    int32_t count = vertex_count_of(world, cloth);
    for (int32_t i = 0; i < count; i++) {
        vec p = add(position_of(world, cloth, i), random_vec(0.01)), v = random_vec(1.0);
        const float at[3] = {(float)p.x, (float)p.y, (float)p.z}, speed[3] = {(float)v.x, (float)v.y, (float)v.z};
        must(pli_deformable_set_positions(world, cloth, i, 1, at, &problem));
        must(pli_deformable_set_velocities(world, cloth, i, 1, speed, &problem));
    }
}

// Twice the area times the unit normal.
static vec doubled_area(const pli_world *world, pli_deformable cloth, const int32_t *corners)
{
    vec a = position_of(world, cloth, corners[0]);
    return cross(sub(position_of(world, cloth, corners[1]), a), sub(position_of(world, cloth, corners[2]), a));
}

// rho |u_n| u_n A / 3 on each corner, implicit in the speed that it changes.
static vec push_on(const pli_world *world, pli_deformable cloth, const int32_t *corners)
{
    vec doubled = doubled_area(world, cloth, corners), n = unit(doubled), velocity = {0, 0, 0};
    double area = 0.5 * length(doubled), weight = 0.0;
    for (int32_t k = 0; k < 3; k++) {
        velocity = add(velocity, scale(velocity_of(world, cloth, corners[k]), 1.0 / 3.0));
        weight += 1.0 / mass_of(world, cloth, corners[k]) / 3.0;
    }
    double speed = dot(sub(air, velocity), n), per_speed = density * fabs(speed) * area / 3.0;
    return scale(n, per_speed * speed * duration / (1.0 + per_speed * duration * weight));
}

static void check_normals(pli_world *world, pli_deformable cloth, const char *when)
{
    const pli_topology *t = pli_mesh_topology(current(world, cloth));
    vec *sums = calloc((size_t)t->vertex_count, sizeof *sums);
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        vec n = doubled_area(world, cloth, t->triangles + i - i % 3);
        sums[t->triangles[i]] = add(sums[t->triangles[i]], n);
    }
    pli_view normals = pli_deformable_normals(world, cloth);
    holds(normals.count == t->vertex_count, "%s: %d normals", when, (int)normals.count);
    for (int32_t i = 0; i < t->vertex_count; i++) {
        vec n = vec_of_floats(pli_view_at(normals, i));
        near(distance(n, unit(sums[i])), 0.0, 1e-4, "%s: normal %d", when, (int)i);
    }
    free(sums);
}

static void check_push(pli_world *world, pli_deformable cloth, const char *when)
{
    const pli_topology *t = pli_mesh_topology(current(world, cloth));
    vec *expected = calloc((size_t)t->vertex_count, sizeof *expected);
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        vec change = scale(push_on(world, cloth, t->triangles + i - i % 3),
                           1.0 / mass_of(world, cloth, t->triangles[i]));
        expected[t->triangles[i]] = add(expected[t->triangles[i]], change);
    }
    for (int32_t i = 0; i < t->vertex_count; i++)
        expected[i] = add(expected[i], velocity_of(world, cloth, i));
    int32_t count = t->vertex_count;
    step(world, duration);
    for (int32_t i = 0; i < count; i++)
        near(distance(velocity_of(world, cloth, i), expected[i]), 0.0, 1e-3, "%s: velocity %d", when, (int)i);
    free(expected);
}

static uint64_t check_kind(int32_t kind, pli_simd simd)
{
    random_state = 5;
    pli_world *world = windy_world(simd);
    pli_deformable cloth = loose_cloth(world, kind);
    stir(world, cloth);
    check_normals(world, cloth, "whole");
    check_push(world, cloth, "whole");
    for (int32_t i = 0; i < 2; i++) {
        pli_cut_def cut = pli_cut_def_default();
        cut.normal = (pli_vec3){1.0f - (float)i, 0.2f, 0.3f + (float)i};
        int32_t copies = 0;
        must(pli_deformable_cut(world, cloth, &cut, &copies, &problem));
        holds(copies > 0, "kind %d was cut", (int)kind);
        stir(world, cloth);
        check_normals(world, cloth, "cut");
        check_push(world, cloth, "cut");
    }
    uint64_t hash = pli_world_hash(world);
    pli_world_destroy(world);
    return hash;
}

static void faces_push_and_face_as_sums_say(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < KINDS; kind++) {
        uint64_t expected = check_kind(kind, PLI_SIMD_SCALAR);
        for (int32_t simd = PLI_SIMD_SSE2; simd < PLI_SIMD_COUNT; simd++)
            if (pli_simd_available((pli_simd)simd))
                holds(check_kind(kind, (pli_simd)simd) == expected, "kind %d, %s: other bits", (int)kind,
                      pli_simd_name((pli_simd)simd));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(faces_push_and_face_as_sums_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
