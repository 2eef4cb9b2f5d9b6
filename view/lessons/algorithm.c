#include "lessons/algorithm.h"

#include <math.h>
#include <string.h>

enum { INITIALISE, LOOP, FORCES, DAMP, PREDICT, COLLISIONS, SOLVE, PROJECT, VELOCITIES, POSITIONS, UPDATE, END, LINES };

static const pli_view_algorithm_line lines[LINES] = {
    [INITIALISE] = {"(1)-(3)", "initialise x, v, w", "Positions and velocities of the start, inverse masses."},
    [LOOP] = {"(4)", "loop", "One step of time for each turn."},
    [FORCES] = {"(5)", "    v <- v + dt w f(x)", "Gravity accelerates every point that is free."},
    [DAMP] = {"(6)", "    dampVelocities(v)", "Nothing is damped here."},
    [PREDICT] = {"(7)", "    p <- x + dt v", "Points move as if nothing held them together."},
    [COLLISIONS] = {"(8)", "    generateCollisionConstraints", "There is nothing to collide with."},
    [SOLVE] = {"(9)", "    loop solverIterations times", "As many sweeps as the setting says."},
    [PROJECT] = {"(10)", "        projectConstraints", "Each edge in turn gets its length back."},
    [VELOCITIES] = {"(13)", "    v <- (p - x) / dt", "Here momentum is lost, not in (10)."},
    [POSITIONS] = {"(14)", "    x <- p", "The new positions."},
    [UPDATE] = {"(16)", "    velocityUpdate(v)", "Friction and restitution of contacts; none here."},
    [END] = {"(17)", "endloop", "The library makes the same step, and is compared."},
};

int32_t pli_view_algorithm_lines(void) { return LINES; }
const pli_view_algorithm_line *pli_view_algorithm_line_at(int32_t i) { return &lines[i]; }

bool pli_view_algorithm_begin(pli_view_algorithm *a, const pli_world *world, pli_deformable deformable,
                              const float *held)
{
    const pli_view positions = pli_deformable_positions(world, deformable);
    const pli_mesh *mesh = pli_deformable_rest_mesh(world, deformable);
    const pli_topology *t = mesh ? pli_mesh_topology(mesh) : NULL;
    int32_t stride = 0;
    const char *weights = (const char *)pli_deformable_inverse_masses(world, deformable, &stride);
    *a = (pli_view_algorithm){0};
    if (!t || positions.count > PLI_VIEW_ALGORITHM_POINTS || t->edge_count > PLI_VIEW_ALGORITHM_EDGES)
        return false;
    a->count = positions.count, a->edge_count = t->edge_count;
    for (int32_t i = 0; i < a->count; i++) {
        const float *x = pli_view_at(positions, i);
        float w;
        memcpy(&w, weights + (size_t)i * (size_t)stride, sizeof w);
        a->w[i] = held[i] != 0.0f ? 0.0 : (double)w;
        for (int k = 0; k < 3; k++)
            a->x[i][k] = a->p[i][k] = (double)x[k];
    }
    for (int32_t e = 0; e < a->edge_count; e++) {
        const float *from = &t->positions[3 * t->edges[2 * e]], *to = &t->positions[3 * t->edges[2 * e + 1]];
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += ((double)to[k] - (double)from[k]) * ((double)to[k] - (double)from[k]);
        a->edges[e][0] = t->edges[2 * e], a->edges[e][1] = t->edges[2 * e + 1];
        a->lengths[e] = sqrt(square);
    }
    return true;
}

static void project(pli_view_algorithm *a)
{
    for (int32_t e = 0; e < a->edge_count; e++) {
        double *p = a->p[a->edges[e][0]], *q = a->p[a->edges[e][1]], d[3], length = 0.0;
        const double wp = a->w[a->edges[e][0]], wq = a->w[a->edges[e][1]];
        for (int k = 0; k < 3; k++) {
            d[k] = q[k] - p[k];
            length += d[k] * d[k];
        }
        length = sqrt(length);
        if (!(length > 0.0 && wp + wq > 0.0))
            continue;
        for (int k = 0; k < 3; k++) {
            const double push = (length - a->lengths[e]) / (length * (wp + wq)) * d[k];
            p[k] += wp * push;
            q[k] -= wq * push;
        }
    }
}

// The effect of a line on all points.
static void act(pli_view_algorithm *a, const pli_settings *s, double dt)
{
    const double gravity[3] = {(double)s->gravity.x, (double)s->gravity.y, (double)s->gravity.z};
    for (int32_t i = 0; i < a->count; i++)
        for (int k = 0; k < 3; k++) {
            if (a->line == FORCES && a->w[i] > 0.0)
                a->v[i][k] += dt * gravity[k];
            else if (a->line == PREDICT)
                a->p[i][k] = a->x[i][k] + dt * a->v[i][k];
            else if (a->line == VELOCITIES)
                a->v[i][k] = (a->p[i][k] - a->x[i][k]) / dt;
            else if (a->line == POSITIONS)
                a->x[i][k] = a->p[i][k];
        }
    if (a->line == PROJECT)
        project(a);
}

bool pli_view_algorithm_next(pli_view_algorithm *a, const pli_world *world, double dt)
{
    const pli_settings settings = pli_world_settings(world);
    if (a->count == 0)
        return false;
    act(a, &settings, dt);
    a->iterations = a->line == PROJECT ? a->iterations + 1 : a->line == SOLVE ? 0 : a->iterations;
    if (a->line == END) {
        a->steps++;
        a->line = LOOP;
        return true;
    }
    a->line += a->line != PROJECT || a->iterations >= settings.iterations;
    return false;
}

double pli_view_algorithm_apart(const pli_view_algorithm *a, const pli_world *world, pli_deformable deformable)
{
    const pli_view positions = pli_deformable_positions(world, deformable);
    double most = 0.0;
    if (positions.count != a->count)
        return NAN;
    for (int32_t i = 0; i < a->count; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs((double)pli_view_at(positions, i)[k] - a->x[i][k]));
    return most;
}
