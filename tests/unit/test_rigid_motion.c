// The motion of a whole: sums in the partial sums that wide/whole.h promises, and motions added as plain C does it, to the
// same bits in every width.
#include "../inside.h"
#include "../properties/property.h"
#include "rigid/rigid.h"

enum { COUNT = 1003, BEHIND = 16, GRAIN = 1024, ROWS = 2 };

typedef struct setting {
    pli_particle particles[COUNT + BEHIND], velocities[COUNT + BEHIND];
    double sums[ROWS][PLI_MOTION_SUM_COUNT];
    pli_rigid_motion_sums motion;
} setting;

static pli_particle any_particle(double size, float w)
{
    vec p = random_vec(size);
    return (pli_particle){(float)p.x + 3.0f, (float)p.y, (float)p.z, w};
}

static void prepare(setting *s)
{
    for (int32_t i = 0; i < COUNT + BEHIND; i++) {
        float same = i % 16 == 3 ? 0.0f : 0.7f, other = i % 13 == 0 ? 0.0f : (float)uniform(0.2, 5.0);
        float w = i < COUNT / 2 ? same : other;
        s->particles[i] = any_particle(2.0, w);
        s->velocities[i] = any_particle(5.0, w);
    }
    s->motion = (pli_rigid_motion_sums){.particles = s->particles,
                                        .velocities = s->velocities,
                                        .sums = s->sums[0],
                                        .grain = GRAIN,
                                        .centre = {0.1, -0.2, 0.3},
                                        .velocity = {0.5, 1.5, -2.0},
                                        .spin = {0.7, -0.3, 1.1},
                                        .share = 0.37f};
}

static pli_dvec3 in_double(const pli_particle *p) { return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z}; }

// The terms that each particle adds to the sums.
static void terms(const setting *s, int32_t i, double out[PLI_MOTION_SUM_COUNT])
{
    const pli_particle *p = &s->particles[i];
    double mass = p->w > 0.0f ? 1.0 / (double)p->w : 0.0;
    pli_dvec3 v = in_double(&s->velocities[i]), r = pli_dsub(in_double(p), s->motion.centre), l = pli_dcross(r, v);
    const double all[PLI_MOTION_SUM_COUNT] = {mass,
                                              mass * r.x,
                                              mass * r.y,
                                              mass * r.z,
                                              mass * v.x,
                                              mass * v.y,
                                              mass * v.z,
                                              mass * l.x,
                                              mass * l.y,
                                              mass * l.z,
                                              mass * r.x * r.x,
                                              mass * r.y * r.y,
                                              mass * r.z * r.z,
                                              mass * r.y * r.z,
                                              mass * r.z * r.x,
                                              mass * r.x * r.y};
    memcpy(out, all, sizeof all);
}

static void sum_plainly(const setting *s, double sums[PLI_MOTION_SUM_COUNT])
{
    double lanes[PLI_MOTION_SUM_LANES][PLI_MOTION_SUM_COUNT] = {{0}}, more[PLI_MOTION_SUM_COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        terms(s, i, more);
        for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++)
            lanes[i % PLI_MOTION_SUM_LANES][k] += more[k];
    }
    for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++) {
        sums[k] = 0.0;
        for (int32_t i = 0; i < PLI_MOTION_SUM_LANES; i++)
            sums[k] += lanes[i][k];
    }
}

static float changed(const setting *s, int32_t i, int32_t axis, bool adds)
{
    const pli_particle *p = &s->particles[i], *v = &s->velocities[i];
    float now = axis == 0 ? v->x : axis == 1 ? v->y : v->z;
    pli_dvec3 at = pli_dadd(s->motion.velocity, pli_dcross(s->motion.spin, pli_dsub(in_double(p), s->motion.centre)));
    double whole = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
    if (p->w == 0.0f)
        return now;
    return adds ? (float)((double)now + whole) : now + s->motion.share * (float)(whole - (double)now);
}

static void check_motion(const setting *start, pli_rigid_motion_pass pass, bool adds, const char *name)
{
    static setting found;
    memcpy(&found, start, sizeof found);
    found.motion.particles = found.particles, found.motion.velocities = found.velocities;
    pass(&found.motion, 0, COUNT);
    for (int32_t i = 0; i < COUNT; i++) {
        const pli_particle *v = &found.velocities[i];
        holds(v->x == changed(start, i, 0, adds) && v->y == changed(start, i, 1, adds) &&
                  v->z == changed(start, i, 2, adds) && v->w == start->velocities[i].w,
              "%s: velocity %d", name, (int)i);
    }
    holds(memcmp(found.velocities + COUNT, start->velocities + COUNT, BEHIND * sizeof(pli_particle)) == 0,
          "%s: what lies behind", name);
}

static void every_back_end_is_plain_arithmetic(void **state)
{
    (void)state;
    static setting s;
    prepare(&s);
    double expected[PLI_MOTION_SUM_COUNT];
    sum_plainly(&s, expected);
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd))
            continue;
        const char *name = pli_choice_name("simd", simd);
        const pli_rigid_motion_kernels *kernels = inside_rigid_motion_kernels((pli_simd)simd);
        s.sums[1][0] = -77.0;
        kernels->sum_up(&s.motion, 0, COUNT);
        for (int32_t k = 0; k < PLI_MOTION_SUM_COUNT; k++)
            holds(s.sums[0][k] == expected[k], "%s: sum %d is %.17g, expected %.17g", name, (int)k, s.sums[0][k],
                  expected[k]);
        holds(s.sums[1][0] == -77.0, "%s: the next row", name);
        check_motion(&s, kernels->approach, false, name);
        check_motion(&s, kernels->add, true, name);
    }
}

// A body that is stopped twice, at shares of its way, has lost m v and I w but for what it keeps; one that rests has lost all, which is
// no stop.
static void a_stop_tells_the_momentum_that_it_takes(void **state)
{
    (void)state;
    pli_rigid_body_data body = {
        .def = {.inverse_mass = 0.5f, .inverse_inertia = {4, 4, 4, 0, 0, 0}, .mass_scale = 1.0f}};
    body.now.pose.turn[3] = 1.0;
    body.now.velocity = (pli_dvec3){1.0, -3.0, 0.5}, body.now.spin = (pli_dvec3){0.2, 0.4, -0.8};
    pli_rigid_predict(&body, 0.01, 0.0, 1.0);
    pli_rigid_stop_at(&body, 0.5);
    near(body.stopped.y, -3.0, 1e-12, "half of 2 kg at 3 m/s");
    near(body.now.pose.centre.y, -0.015, 1e-12, "half of its way");
    pli_rigid_stop_at(&body, 0.25);
    const double lost = 1.0 - 0.5 * 0.25;
    near(body.stopped.x, lost * 2.0, 1e-12, "momentum along x");
    near(body.stopped.y, lost * -6.0, 1e-12, "along y");
    near(body.stopped_turn.x, lost * 0.2 / 4.0, 1e-12, "angular momentum about x");
    near(body.stopped_turn.z, lost * -0.8 / 4.0, 1e-12, "about z");
    near(body.now.impulse.y, -body.stopped.y, 1e-12, "it is told with the change");
    pli_rigid_rest(&body);
    near(body.now.impulse.y, 6.0, 1e-12, "all of it");
    near(body.stopped.y, lost * -6.0, 1e-12, "of which sleep is no stop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(every_back_end_is_plain_arithmetic),
        property(a_stop_tells_the_momentum_that_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
