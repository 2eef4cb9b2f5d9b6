// Momenta of a sheet in free flight (Mueller et al. 2006, section 3.3).
#include "base/free_flight.h"

#include "base/lab_measures.h"

#include <math.h>

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

double lab_relative_change(const double now[3], const double then[3])
{
    const double difference[3] = {now[0] - then[0], now[1] - then[1], now[2] - then[2]};
    return length(difference) / length(then);
}

static void start(lab *l, const lab_body *body)
{
    const int32_t mark = lab_mark(l), count = body->count;
    float *positions = lab_memory(l, 3 * (size_t)count, sizeof *positions);
    float *velocities = lab_memory(l, 3 * (size_t)count, sizeof *velocities);
    float *masses = lab_memory(l, (size_t)count, sizeof *masses);
    uint64_t seed = 3;
    pli_error error;
    lab_positions(body, positions);
    for (int32_t i = 0; i < count; i++) {
        float x = positions[3 * i], z = positions[3 * i + 2];
        velocities[3 * i] = 0.3f - 4.0f * z;
        velocities[3 * i + 1] = 0.2f + 1.0f * x;
        velocities[3 * i + 2] = 0.1f + 4.0f * x;
        masses[i] = (float)(200.0 * pow(10.0, lab_random(&seed)));
    }
    for (int32_t i = 0; i < 3 * count; i++)
        positions[i] += (float)(0.03 * lab_random(&seed));
    lab_place(l, body, positions);
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_velocities(body->world, body->deformable, 0, count, velocities, &error), &error);
    if (lab_ok(l))
        lab_note(l, pli_deformable_set_inverse_masses(body->world, body->deformable, 0, count, masses, &error), &error);
    lab_release_to(l, mark);
}

void lab_fly(lab *l, const lab_body_def *def, int32_t steps, double *linear, double *angular)
{
    const int32_t mark = lab_mark(l);
    lab_body body = lab_body_make(l, def);
    start(l, &body);
    const pli_statistics first = lab_statistics(l, &body);
    for (int32_t step = 0; step <= steps && lab_ok(l); step++) {
        const pli_statistics now = lab_statistics(l, &body);
        linear[step] = lab_relative_change(now.momentum, first.momentum);
        angular[step] = lab_relative_change(now.angular_momentum, first.angular_momentum);
        lab_step(l, body.world, 1.0f / 60.0f);
    }
    lab_release_to(l, mark);
}
