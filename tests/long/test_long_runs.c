// Runs that last: small scenes over a day or an hour of simulated time, or a million steps. What may creep is measured at each tenth of the
// way: resident memory, energy, where things are, and time against the sum that pli_world_step promises. `lab/tools/long-runs` runs all of
// it, one program for each scene; as a test each scene has a small share of its steps.
//
//   long_test_long_runs            every scene for its short share, or for PLIANT_LONG of its steps (0..1)
//   PLIANT_LONG_SCENE=NAME         that scene alone
#define _POSIX_C_SOURCE 200809L
#include "../properties/property.h"

#include <pliant/scene.h>

#include <time.h>
#include <unistd.h>

enum { TENTHS = 10, HOUR = 60 * 60 * 60, DAY = 24 * HOUR, PERIOD = 72 };

// A cape behind legs that walk, coarser than that of the shipped scene, so that an hour of it takes minutes.
#define CAPE                                                                                                           \
    "deformables=[{\"name\": \"cape\", \"mesh\": {\"grid\": {\"columns\": 16, \"rows\": 16, \"width\": 0.5, "          \
    "\"depth\": 0.9}}, "                                                                                               \
    "\"pose\": {\"position\": [0, 0.98, -0.16], \"axis\": [1, 0, 0], \"angle\": 90}, \"density\": 0.18, "              \
    "\"thickness\": 0.004, "                                                                                           \
    "\"self_collision\": true, \"friction\": 0.3, \"constraints\": [{\"type\": \"distance\"}, {\"type\": "             \
    "\"isometric\", "                                                                                                  \
    "\"rigidity\": 2e-5}], \"attachments\": [{\"box\": {\"minimum\": [-0.26, 1.42, -0.2], \"maximum\": [0.26, 1.44, "  \
    "-0.1]}, "                                                                                                         \
    "\"motion\": {\"keyframes\": [{\"time\": 0, \"position\": [0, 0, 0]}, {\"time\": 0.3, \"position\": [0, -0.03, "   \
    "0]}, "                                                                                                            \
    "{\"time\": 0.6, \"position\": [0, 0, 0]}, {\"time\": 0.9, \"position\": [0, -0.03, 0]}, {\"time\": 1.2, "         \
    "\"position\": [0, 0, 0]}], \"loop\": true}}]}]"
#define CAPE_COUNT 4

typedef struct mark {
    int64_t steps;
    double time, energy, kinetic,
        angular;     // Energies [J] and the size of the angular momentum about the middle [kg m2/s].
    double resident; // Memory of the process [bytes].
    uint64_t held;   // Memory of the world [bytes].
    vec middle;      // Mean of all vertices [m].
    float *positions;
    int32_t vertex_count;
} mark;

typedef struct run {
    const struct long_scene *scene;
    pli_scene *loaded;
    pli_world *world;
    mark marks[TENTHS + 1]; // 0 is the start.
    double greatest_energy; // At any of the moments that were looked at.
    double kinetic_sum[TENTHS + 1];
    int64_t looked[TENTHS + 1];
    pli_transform poses[PERIOD]; // Poses of the last collider in the first period.
    double pose_error;           // Against them, later [m].
    int32_t intersections;
} run;

typedef struct long_scene {
    const char *name, *file;
    int32_t steps;
    double share; // Share of the steps that the short test takes.
    void (*judge)(const run *r);
    const char *const *overrides;
    int32_t override_count;
} long_scene;

/* ---- measures ------------------------------------------------------------------------------------ */

static double resident_bytes(void)
{
    long long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%lld %lld", &pages, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Kinetic and potential. Elastic energy is left out: sweeps hold part of the stiffness that is asked for, and the energy of a set
// counts what they leave as if all of it acted.
static double energy_of(const pli_statistics *s) { return s->kinetic_energy + s->potential_energy; }

// Positions in double, since those of the interface are rounded far from the origin.
static vec position_at(const pli_world *world, pli_view view, int32_t i)
{
    double origin[3];
    pli_world_get_origin(world, origin);
    return add(vec_of(origin), vec_of_floats(pli_view_at(view, i)));
}

static void measure(run *r, mark *m)
{
    const pli_deformable body = pli_world_deformable_at(r->world, 0);
    const pli_view view = pli_deformable_local_positions(r->world, body);
    pli_statistics s;
    pli_world_get_statistics(r->world, &s);
    m->steps = s.step, m->time = s.time, m->kinetic = s.kinetic_energy, m->energy = energy_of(&s);
    m->held = s.memory;
    m->vertex_count = view.count;
    m->positions = calloc((size_t)view.count * 3, sizeof *m->positions);
    m->middle = (vec){0, 0, 0};
    for (int32_t i = 0; i < view.count; i++) {
        const vec p = position_at(r->world, view, i);
        m->middle = add(m->middle, scale(p, 1.0 / view.count));
        m->positions[3 * i] = (float)p.x, m->positions[3 * i + 1] = (float)p.y, m->positions[3 * i + 2] = (float)p.z;
    }
    // About the middle: about the origin that of a thing that flies grows with its rounded distance.
    const vec orbit = cross(m->middle, vec_of(s.momentum));
    m->angular = length(sub(vec_of(s.angular_momentum), orbit));
    m->resident = resident_bytes();
}

// The largest distance of a vertex from where it was.
static double moved(const mark *a, const mark *b)
{
    double most = 0.0;
    for (int32_t i = 0; i < a->vertex_count && i < b->vertex_count; i++)
        most = fmax(most, distance(vec_of_floats(a->positions + 3 * i), vec_of_floats(b->positions + 3 * i)));
    return most;
}

static void show(const run *r, int32_t tenth)
{
    const mark *m = &r->marks[tenth];
    const double promised = (double)m->steps * (double)(1.0f / 60.0f), clock = (double)m->steps / 60.0;
    print_message("%-14s %8lld steps %9.1f s  time off by %.1e s of its sum, %.1e s of a clock  energy %.6g J  kinetic "
                  "%.3g J  middle %.6g "
                  "%.6g %.6g m  resident %.0f kB, world %llu bytes  processor %.0f s\n",
                  r->scene->name, (long long)m->steps, m->time, m->time - promised, m->time - clock, m->energy,
                  m->kinetic, m->middle.x, m->middle.y, m->middle.z, m->resident / 1024.0, (unsigned long long)m->held,
                  processor_seconds());
    fflush(NULL);
}

/* ---- verdicts ------------------------------------------------------------------------------------ */

// The same step again and again: time is the sum of its float, memory stays, nothing crosses.
static void judge_all(const run *r)
{
    const mark *first = &r->marks[1], *last = &r->marks[TENTHS];
    const double promised = (double)last->steps * (double)(1.0f / 60.0f);
    // Exact: a float has 24 bits of the 53 of a double, so that 2^29 of them are summed without rounding.
    near(last->time, promised, 0.0, "%s: time", r->scene->name);
#ifndef __SANITIZE_ADDRESS__ // Memory that was freed stays resident there.
    holds(last->resident - first->resident < 512.0 * 1024.0, "%s: resident memory grew from %.0f to %.0f kB",
          r->scene->name, first->resident / 1024.0, last->resident / 1024.0);
#endif
    holds(last->held <= first->held + first->held / 10, "%s: the world grew from %llu to %llu bytes", r->scene->name,
          (unsigned long long)first->held, (unsigned long long)last->held);
    holds(r->intersections == 0, "%s: %d intersections", r->scene->name, (int)r->intersections);
}

// A thing at rest stays where it is.
static void judge_rest(const run *r)
{
    const mark *early = &r->marks[TENTHS / 2], *last = &r->marks[TENTHS];
    const double drift = moved(early, last), lowered = early->middle.y - last->middle.y;
    print_message("%-14s from half of the run to its end: moved by %.2e m at most, sunk by %.2e m, energy %+.2e J\n",
                  r->scene->name, drift, lowered, last->energy - early->energy);
    // Cloth swings out for minutes.
    holds(drift < (early->time > 300.0 ? 1e-3 : 2e-2), "%s: drifts by %g m", r->scene->name, drift);
    holds(last->kinetic < 1e-5, "%s: moves with %g J", r->scene->name, last->kinetic);
    near(last->energy, early->energy, 1e-4 * fabs(early->energy), "%s: energy", r->scene->name);
}

// Without damping: what swings may lose energy to the steps, and never gains any.
static void judge_swing(const run *r)
{
    print_message("%-14s energy %.6g J at the start, %.6g J at most, %.6g J at the end\n", r->scene->name,
                  r->marks[0].energy, r->greatest_energy, r->marks[TENTHS].energy);
    holds(r->greatest_energy <= r->marks[0].energy + 1e-4 * fabs(r->marks[0].energy),
          "%s: energy grows from %g to %g J", r->scene->name, r->marks[0].energy, r->greatest_energy);
}

// Where nothing pulls the middle goes straight on, by v t.
static void judge_flight(const run *r)
{
    const mark *first = &r->marks[0], *last = &r->marks[TENTHS];
    const vec expected = add(first->middle, scale((vec){0.5, 0.25, -0.75}, last->time));
    const double way = distance(expected, first->middle), error = distance(expected, last->middle);
    print_message("%-14s way of %.6g m, off by %.2e m; kinetic energy %.9g J at the start, %.9g at the end\n",
                  r->scene->name, way, error, first->kinetic, last->kinetic);
    // A velocity is a difference of positions over a substep, and these are rounded to 2^-23 m between one and two metres from the
    // origin that follows: it is wrong by half of that over 1/240 s in each direction, and stays so.
    const double bound = sqrt(3.0) * ldexp(1.0, -24) * 240.0 * last->time;
    holds(error < bound, "%s: off by %g m of %g m, more than the %g of rounding", r->scene->name, error, way, bound);
    near(last->kinetic, first->kinetic, 1e-4 * first->kinetic, "%s: kinetic energy", r->scene->name);
}

// A thing that is driven in periods: its driver is where it was a period, or thousands of them, before, and the thing moves as much.
static void judge_walk(const run *r)
{
    const double early = r->kinetic_sum[2] / (double)r->looked[2],
                 late = r->kinetic_sum[TENTHS] / (double)r->looked[TENTHS];
    print_message("%-14s poses off by %.2e m after %.0f periods; mean kinetic energy %.4g J in the second tenth, %.4g "
                  "J in the last\n",
                  r->scene->name, r->pose_error, (double)r->marks[TENTHS].steps / PERIOD, early, late);
    holds(r->pose_error < 1e-5, "%s: poses drift by %g m", r->scene->name, r->pose_error);
    holds(late < 2.0 * early && early < 2.0 * late, "%s: mean kinetic energy from %g to %g J", r->scene->name, early,
          late);
}

/* ---- runs ---------------------------------------------------------------------------------------- */

static const char *const cape_overrides[CAPE_COUNT] = {CAPE, "settings.substeps=8", "settings.wind=[0.4, 0, 1]",
                                                       "expect={}"};

static const long_scene scenes[] = {
    {"flying-sheet", "tests/long/flying-sheet.json", 1000000, .002, judge_flight, NULL, 0},
    {"swinging-sheet", "tests/long/swinging-sheet.json", 1000000, .002, judge_swing, NULL, 0},
    {"hanging-cloth", "tests/long/hanging-cloth.json", DAY, .0006, judge_rest, NULL, 0},
    {"inflated-body", "tests/long/inflated-body.json", DAY, .0006, judge_rest, NULL, 0},
    {"walking-cape", "scenes/walker.json", HOUR, .004, judge_walk, cape_overrides, CAPE_COUNT},
    // As it is shipped; two hours of a processor for an hour, so that the test does without.
    {"walker", "scenes/walker.json", HOUR, 0.0, judge_walk, NULL, 0},
};

static void look(run *r, int32_t tenth, int32_t frame)
{
    pli_statistics s;
    pli_world_get_statistics(r->world, &s);
    r->kinetic_sum[tenth] += s.kinetic_energy;
    r->looked[tenth]++;
    r->greatest_energy = fmax(r->greatest_energy, energy_of(&s));
    r->intersections = s.intersection_count > r->intersections ? s.intersection_count : r->intersections;
    const int32_t colliders = pli_world_collider_count(r->world);
    if (colliders > 1) { // A foot or a hand of the figure.
        pli_transform pose, *known = &r->poses[(frame + 1) % PERIOD];
        must(pli_collider_pose(r->world, pli_world_collider_at(r->world, colliders - 1), &pose, &problem));
        if (frame < PERIOD)
            *known = pose;
        else
            r->pose_error = fmax(
                r->pose_error,
                distance((vec){(double)pose.position.x, (double)pose.position.y, (double)pose.position.z},
                         (vec){(double)known->position.x, (double)known->position.y, (double)known->position.z}));
    }
}

static void step_all(run *r, int32_t steps)
{
    measure(r, &r->marks[0]);
    r->greatest_energy = -INFINITY;
    int32_t frame = 0;
    for (int32_t tenth = 1; tenth <= TENTHS; tenth++) {
        const int32_t end = (int32_t)((int64_t)steps * tenth / TENTHS);
        for (; frame < end; frame++) {
            if (pli_scene_step(r->loaded, r->world, frame, &problem) != PLI_STATUS_OK) {
                failed("%s: step %d: %s\n", r->scene->name, (int)frame, problem.message);
                return;
            }
            // The first period is looked at whole. 7, 97 and 72 have no divisor in common, so that all of its moments come again.
            if (frame < PERIOD || frame % (steps < 20000 ? 7 : 97) == 0)
                look(r, tenth, frame);
        }
        measure(r, &r->marks[tenth]);
        if (tenth == 1 || tenth == TENTHS || steps > 100000)
            show(r, tenth);
    }
    judge_all(r);
    r->scene->judge(r);
}

static void run_scene(const long_scene *scene, double share)
{
    static run r;
    char path[4096];
    const char *source = getenv("PLIANT_SOURCE_DIR");
    const int32_t steps = (int32_t)(share * scene->steps);
    if (steps < TENTHS)
        return;
    snprintf(path, sizeof path, "%s/%s", source ? source : ".", scene->file);
    memset(&r, 0, sizeof r);
    r.scene = scene;
    pli_scene_load_def load = pli_scene_load_def_default();
    load.path = path, load.overrides = scene->overrides, load.override_count = scene->override_count;
    must(pli_scene_load(&load, &r.loaded, &problem));
    pli_scene_world_def def = pli_scene_world_def_default();
    must(pli_scene_create_world(r.loaded, &def, &r.world, &problem));
    step_all(&r, steps);
    pli_world_destroy(r.world);
    pli_scene_destroy(r.loaded);
    for (int32_t i = 0; i <= TENTHS; i++)
        free(r.marks[i].positions);
}

static void nothing_creeps(void **state)
{
    (void)state;
    const char *asked = getenv("PLIANT_LONG"), *name = getenv("PLIANT_LONG_SCENE");
    int32_t found = 0;
    for (int32_t i = 0; i < COUNT_OF(scenes); i++) {
        if (name && strcmp(name, scenes[i].name) != 0)
            continue;
        found++;
        run_scene(&scenes[i], asked ? strtod(asked, NULL) : scenes[i].share);
    }
    holds(found > 0, "no scene is called '%s'", name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(nothing_creeps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
