// A wide kernel that projects constraints one after the other stands for the scalar one, in builds that leave those out: it
// gives the same particles and multipliers, for every type, back end, method and direction.
#include "../../inside.h"
#include "scenery.h"

#include "constraints/one_by_one.h"
#include "model/handles.h"
#include "model/model.h"
#include "sweep/sweep.h"

// The state that a projection of a set changes.
typedef struct outcome {
    pli_particle *particles;
    float *lambda[3], *state;
} outcome;

static void *copy_of(const void *from, size_t size)
{
    void *to = from ? malloc(size ? size : 1) : NULL;
    return to ? memcpy(to, from, size) : NULL;
}

static outcome outcome_of(const pli_projection *p, size_t particles, size_t slots)
{
    outcome o = {.particles = copy_of(p->particles, sizeof *p->particles * particles),
                 .state = copy_of(p->state, sizeof *p->state * slots)};
    for (int32_t d = 0; d < 3; d++)
        o.lambda[d] = copy_of(p->lambda[d], sizeof **p->lambda * slots);
    return o;
}

static void put_back(const outcome *o, const pli_projection *p, size_t particles, size_t slots)
{
    memcpy(p->particles, o->particles, sizeof *p->particles * particles);
    if (o->state)
        memcpy(p->state, o->state, sizeof *p->state * slots);
    for (int32_t d = 0; d < 3; d++)
        if (o->lambda[d])
            memcpy(p->lambda[d], o->lambda[d], sizeof **p->lambda * slots);
}

static bool same(const outcome *a, const outcome *b, size_t particles, size_t slots)
{
    bool equal = memcmp(a->particles, b->particles, sizeof *a->particles * particles) == 0 &&
                 (!a->state || memcmp(a->state, b->state, sizeof *a->state * slots) == 0);
    for (int32_t d = 0; d < 3; d++)
        equal = equal && (!a->lambda[d] || memcmp(a->lambda[d], b->lambda[d], sizeof **a->lambda * slots) == 0);
    return equal;
}

static void release(outcome *o)
{
    free(o->particles), free(o->state);
    for (int32_t d = 0; d < 3; d++)
        free(o->lambda[d]);
}

// The rows of both tables that have the type; false where it has no kernel of its own.
static bool kernels_of(const pli_constraint_type *type, pli_simd simd, pli_project *scalar, pli_project *several)
{
    int32_t row = 0;
    while (pli_constraint_type_at(row) != type)
        row++;
    *scalar = inside_kernels(PLI_SIMD_SCALAR)->types().rows[row]->project;
    *several = inside_kernels(simd)->types().rows[row]->project;
    return *scalar && *several;
}

static void compare(pli_world *world, const pli_constraints_data *set, pli_simd simd, bool backward)
{
    pli_project scalar, several;
    if (!kernels_of(set->type, simd, &scalar, &several))
        return;
    size_t particles = (size_t)set->deformable->count, slots = (size_t)set->slot_count;
    pli_projection p = pli_constraints_projection(world, set, 1.0f / 600.0f, (pli_sweep){false, backward});
    outcome before = outcome_of(&p, particles, slots);
    p.block = 0;
    scalar(&p, 0, set->count);
    outcome expected = outcome_of(&p, particles, slots);
    put_back(&before, &p, particles, slots);
    pli_project_one_by_one(&p, 0, set->count, several, inside_kernels(simd)->width);
    outcome found = outcome_of(&p, particles, slots);
    holds(same(&expected, &found, particles, slots), "%s, %s%s", set->type->name,
          pli_choice_name("simd", (int32_t)simd), backward ? ", backward" : "");
    holds(set->count == 0 || !same(&before, &found, particles, slots), "%s, %s: nothing has moved", set->type->name,
          pli_choice_name("simd", (int32_t)simd));
    put_back(&before, &p, particles, slots);
    release(&before), release(&expected), release(&found);
}

static void wide_kernels_stand_for_scalar_ones(void **state)
{
    (void)state;
    for (int32_t method = 0; method < 2; method++) {
        pli_world_def def = furnished_def(method ? PLI_METHOD_PBD : PLI_METHOD_XPBD, PLI_ORDER_SEQUENTIAL);
        pli_world *world = furnished_world(&def, SMALL);
        step(world, 1.0 / 60.0);
        for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
            for (int32_t i = 0; pli_simd_available((pli_simd)simd) && pli_world_constraints_at(world, i).id; i++)
                for (int32_t backward = 0; backward < 2; backward++)
                    compare(world, pli_constraints_get(world, pli_world_constraints_at(world, i), NULL), (pli_simd)simd,
                            backward != 0);
        pli_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(wide_kernels_stand_for_scalar_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
