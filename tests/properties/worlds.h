// Short functions to create worlds and to read them.
#ifndef PLIANT_TESTS_WORLDS_H
#define PLIANT_TESTS_WORLDS_H

#include "property.h"

// A world without gravity: one substep and one iteration unless told.
static UNUSED pli_world_def plain_world_def(pli_method method)
{
    pli_world_def def = pli_world_def_default();
    def.settings.method = method;
    def.settings.substeps = 1;
    def.settings.iterations = 1;
    def.settings.gravity = (pli_vec3){0.0f, 0.0f, 0.0f};
    def.order = PLI_ORDER_SEQUENTIAL;
    return def;
}

static UNUSED pli_world *world_from(const pli_world_def *def)
{
    pli_world *world = NULL;
    must(pli_world_create(def, &world, &problem));
    return world;
}

static UNUSED pli_world_def damped_world_def(int32_t substeps, double damping)
{
    pli_world_def def = pli_world_def_default();
    def.settings.substeps = substeps;
    def.settings.damping = (float)damping;
    return def;
}

static UNUSED pli_world *plain_world(pli_method method)
{
    pli_world_def def = plain_world_def(method);
    return world_from(&def);
}

// A world whose step is one projection of each constraint, in order of creation, and nothing else.
static UNUSED pli_world *single_sweep_world(pli_method method)
{
    pli_world_def def = plain_world_def(method);
    def.settings.sweeps = PLI_SWEEPS_FORWARD;
    def.settings.keep_momentum = false;
    return world_from(&def);
}

static UNUSED pli_deformable deform(pli_world *world, const pli_mesh *mesh, const float *positions)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.mesh = mesh;
    def.positions = positions;
    pli_deformable deformable;
    must(pli_deformable_create(world, &def, &deformable, &problem));
    return deformable;
}

// With multipliers to ask for, whatever the iterations.
static UNUSED pli_constraints constrain_keeping(pli_world *world, pli_deformable deformable, const char *type,
                                                const char *generator, bool keep_lambda)
{
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = deformable;
    def.type = type;
    def.generator = generator;
    def.keep_lambda = keep_lambda;
    pli_constraints set;
    must(pli_constraints_create(world, &def, &set, &problem));
    return set;
}

static UNUSED pli_constraints constrain(pli_world *world, pli_deformable deformable, const char *type,
                                        const char *generator)
{
    return constrain_keeping(world, deformable, type, generator, false);
}

static UNUSED pli_constraints constrain_list(pli_world *world, pli_deformable deformable, const char *type,
                                             const int32_t *particles, int32_t constraint_count)
{
    pli_constraints_def def = pli_constraints_def_default();
    def.deformable = deformable;
    def.type = type;
    def.particles = particles;
    def.constraint_count = constraint_count;
    pli_constraints set;
    must(pli_constraints_create(world, &def, &set, &problem));
    return set;
}

static UNUSED void tune(pli_world *world, pli_constraints set, const char *name, double value)
{
    must(pli_constraints_set_parameter(world, set, name, value, &problem));
}

static UNUSED void weigh(pli_world *world, pli_deformable deformable, const float *inverse_masses, int32_t count)
{
    must(pli_deformable_set_inverse_masses(world, deformable, 0, count, inverse_masses, &problem));
}

static UNUSED void step(pli_world *world, double dt) { must(pli_world_step(world, (float)dt, &problem)); }

static UNUSED vec position_of(const pli_world *world, pli_deformable deformable, int32_t i)
{
    return vec_of_floats(pli_view_at(pli_deformable_positions(world, deformable), i));
}

// A deformable in each of two worlds has the same bits.
static UNUSED void same_positions(const pli_world *a, pli_deformable of_a, const pli_world *b, pli_deformable of_b,
                                  const char *what)
{
    const pli_view x = pli_deformable_positions(a, of_a), y = pli_deformable_positions(b, of_b);
    for (int32_t i = 0; i < x.count; i++)
        if (memcmp(pli_view_at(x, i), pli_view_at(y, i), 12) != 0) {
            failed("%s: vertex %d differs\n", what, (int)i);
            return;
        }
}

static UNUSED vec velocity_of(const pli_world *world, pli_deformable deformable, int32_t i)
{
    return vec_of_floats(pli_view_at(pli_deformable_velocities(world, deformable), i));
}

static UNUSED double mass_of(const pli_world *world, pli_deformable deformable, int32_t i)
{
    int32_t stride;
    const float *w = pli_deformable_inverse_masses(world, deformable, &stride);
    float value = *(const float *)(const void *)((const char *)(const void *)w + (ptrdiff_t)i * stride);
    return value > 0.0f ? 1.0 / (double)value : 0.0;
}

static UNUSED int32_t vertex_count_of(const pli_world *world, pli_deformable deformable)
{
    return pli_deformable_positions(world, deformable).count;
}

static UNUSED double kinetic_energy(const pli_world *world, pli_deformable deformable)
{
    double sum = 0.0;
    for (int32_t i = 0; i < vertex_count_of(world, deformable); i++)
        sum += 0.5 * mass_of(world, deformable, i) *
               dot(velocity_of(world, deformable, i), velocity_of(world, deformable, i));
    return sum;
}

// Gives it the velocities of a body that flies and turns about the origin.
static UNUSED void fly_and_turn(pli_world *world, pli_deformable deformable, vec linear, vec rate)
{
    for (int32_t i = 0; i < vertex_count_of(world, deformable); i++) {
        const vec v = add(linear, cross(rate, position_of(world, deformable, i)));
        const float velocity[3] = {(float)v.x, (float)v.y, (float)v.z};
        must(pli_deformable_set_velocities(world, deformable, i, 1, velocity, &problem));
    }
}

static UNUSED void rest_velocities(pli_world *world, pli_deformable deformable)
{
    int32_t count = vertex_count_of(world, deformable);
    float *zero = calloc((size_t)count * 3, sizeof *zero);
    must(pli_deformable_set_velocities(world, deformable, 0, count, zero, &problem));
    free(zero);
}

static UNUSED pli_residual residual_of(const pli_world *world, pli_constraints set)
{
    pli_residual residual;
    must(pli_constraints_get_residual(world, set, &residual, &problem));
    return residual;
}

// Attaches `count` particles from `first` on, at most 64, where they are.
static UNUSED void attach_every(pli_world *world, pli_deformable cloth, int32_t first, int32_t count, int32_t stride)
{
    int32_t particles[64];
    for (int32_t i = 0; i < count; i++)
        particles[i] = first + i * stride;
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = cloth, def.particles = particles, def.particle_count = count;
    pli_attachment attachment;
    must(pli_attachment_create(world, &def, &attachment, &problem));
}

// Allocated with malloc, which the caller frees.
static UNUSED void *snapshot_of(const pli_world *world, size_t *size)
{
    *size = pli_world_snapshot_size(world);
    void *bytes = malloc(*size);
    must(pli_world_snapshot_write(world, bytes, *size, &problem));
    return bytes;
}

static UNUSED bool all_finite(const pli_world *world)
{
    for (int32_t b = 0; b < pli_world_deformable_count(world); b++) {
        pli_deformable deformable = pli_world_deformable_at(world, b);
        for (int32_t i = 0; i < vertex_count_of(world, deformable); i++) {
            vec p = position_of(world, deformable, i), v = velocity_of(world, deformable, i);
            if (!isfinite(p.x + p.y + p.z + v.x + v.y + v.z))
                return false;
        }
    }
    return true;
}

#endif
