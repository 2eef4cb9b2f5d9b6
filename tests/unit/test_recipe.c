// Recipes of generators: the order of what pieces make, and elements that make more than the recipe has memory for.
#include "../inside.h"

#include "../properties/property.h"
#include "base/error.h"
#include "mesh/generators/recipe.h"

enum { ELEMENTS = 10000 };

// Element i makes as many constraints as `each` says.
static void make(const void *data, pli_stencil_piece *piece)
{
    const int32_t each = *(const int32_t *)data;
    for (int32_t i = piece->begin; i < piece->end; i++)
        for (int32_t k = 0; k < each; k++) {
            const int32_t pair[] = {i, ELEMENTS + k};
            pli_piece_add(piece, 2, pair, 0.5);
        }
}

static pli_stencils empty(void) { return (pli_stencils){.hooks = pli_hooks_default()}; }

static void elements_make_one_each(void **state)
{
    (void)state;
    const int32_t each = 1;
    const pli_recipe recipe = {.cardinality = 2, .areas = true, .count = ELEMENTS, .make = make, .data = &each};
    pli_stencils s = empty();
    must(pli_recipe_finish(&recipe, &s, &problem));
    holds(s.count == ELEMENTS, "%d stencils", (int)s.count);
    for (int32_t i = 0; i < s.count; i++)
        holds(s.particles[2 * i] == i, "stencil %d begins with %d", (int)i, (int)s.particles[2 * i]);
    pli_stencils_release(&s);
}

static void elements_that_make_two_are_refused(void **state)
{
    (void)state;
    for (int32_t each = 2; each < 5; each++)
        for (int32_t pairs = 0; pairs < 2; pairs++) {
            const pli_recipe recipe = {.cardinality = 2, .areas = true, .count = ELEMENTS, .make = make, .data = &each};
            pli_stencils s = empty();
            pli_status status = pairs ? pli_recipe_finish_pairs(&recipe, 2 * ELEMENTS, &s, &problem)
                                      : pli_recipe_finish(&recipe, &s, &problem);
            holds(status == PLI_STATUS_INVALID_ARGUMENT && strstr(problem.message, "one an element"), "%s: %.200s",
                  pli_status_name(status), problem.message);
            holds(s.count == 0 && !s.particles && !s.areas, "%d stencils are left", (int)s.count);
        }
}

static void offsets_say_how_many_there_are(void **state)
{
    (void)state;
    static int32_t offsets[ELEMENTS + 1];
    for (int32_t most = 2; most < 4; most++) {
        const int32_t each = 3;
        for (int32_t i = 0; i <= ELEMENTS; i++)
            offsets[i] = most * i;
        const pli_recipe recipe = {
            .cardinality = 2, .count = ELEMENTS, .offsets = offsets, .make = make, .data = &each};
        pli_stencils s = empty();
        pli_status status = pli_recipe_finish(&recipe, &s, &problem);
        holds(status == (most < each ? PLI_STATUS_INVALID_ARGUMENT : PLI_STATUS_OK), "%d of %d: %s", (int)most,
              (int)each, pli_status_name(status));
        holds(s.count == (most < each ? 0 : each * ELEMENTS), "%d stencils", (int)s.count);
        pli_stencils_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(elements_make_one_each),
        property(elements_that_make_two_are_refused),
        property(offsets_say_how_many_there_are),
    };
    return cmocka_run_group_tests_name("recipe", tests, NULL, NULL);
}
