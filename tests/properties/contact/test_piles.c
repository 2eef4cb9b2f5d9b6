// Piles of loose cards come to rest near their thickness, on an analytic floor as on a mesh, with edges of their length, and contact
// holds nothing back: what rests is carried by contacts, and no pair needs a plane.
#include "sheets.h"

enum { CARDS = 15, SIDE = 6, FALL = 60, REST = 60, FPS = 60 };

typedef struct pile {
    pli_world *world;
    pli_deformable cards[CARDS];
} pile;

static pile open_pile(double thickness, bool on_mesh)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    pile p = {.world = world_from(&def)};
    if (on_mesh)
        mesh_collider(p.world, mesh_grid(2, 2, 2.0, PLI_GRID_ALTERNATING),
                      pose_turned(0.0, (vec){0, 1, 0}, (vec){0, 0, 0}), 0.5);
    else
        ground(p.world);
    for (int32_t k = 0; k < CARDS; k++) {
        pli_mesh *mesh;
        must(pli_mesh_create_grid(SIDE, SIDE, 0.25f, 0.15f, PLI_GRID_ALTERNATING, &mesh, &problem));
        pli_deformable_def card = pli_deformable_def_default();
        card.mesh = mesh, card.thickness = (float)thickness;
        card.pose = pose_turned(7 * k % 11 - 5, (vec){0, 1, 0}, (vec){0, 0.009 + 0.01 * k, 0});
        must(pli_deformable_create(p.world, &card, &p.cards[k], &problem));
        constrain(p.world, p.cards[k], "distance", NULL);
        pli_mesh_destroy(mesh);
    }
    return p;
}

static double height_of(const pile *p, int32_t card)
{
    double sum = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        sum += position_of(p->world, p->cards[card], i).y;
    return sum / (SIDE * SIDE);
}

// Greatest strain of an edge of the grid.
static double strain_of(const pile *p)
{
    static const double widths[2] = {0.25 / (SIDE - 1), 0.15 / (SIDE - 1)};
    double most = 0.0;
    for (int32_t k = 0; k < CARDS; k++)
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            for (int32_t along = 0; along < 2; along++) {
                int32_t next = along ? i + SIDE : i + 1;
                if (along ? next >= SIDE * SIDE : next % SIDE == 0)
                    continue;
                vec d = sub(position_of(p->world, p->cards[k], next), position_of(p->world, p->cards[k], i));
                most = fmax(most, fabs(length(d) / widths[along] - 1.0));
            }
    return most;
}

static void check_pile(double thickness, bool on_mesh)
{
    const char *floor = on_mesh ? "a mesh" : "a plane";
    pile p = open_pile(thickness, on_mesh);
    for (int32_t frame = 0; frame < FALL; frame++)
        step(p.world, 1.0 / FPS);
    int64_t limited = 0;
    double least = INFINITY, strain = 0.0;
    for (int32_t frame = 0; frame < REST; frame++) {
        step(p.world, 1.0 / FPS);
        pli_statistics now = statistics_of(p.world);
        limited += now.limited_count;
        holds(now.intersection_count == 0 && now.failed_pair_count == 0, "frame %d", (int)frame);
        for (int32_t k = 1; k < CARDS; k++)
            least = fmin(least, height_of(&p, k) - height_of(&p, k - 1));
        strain = fmax(strain, strain_of(&p));
    }
    holds(limited == 0, "on %s, thickness %g m: %d particles were held back", floor, thickness, (int)limited);
    holds(least > 0.8 * thickness, "on %s, thickness %g m: cards come as near as %g m", floor, thickness, least);
    holds(strain < 0.05, "on %s, thickness %g m: strain of %g", floor, thickness, strain);
    pli_world_destroy(p.world);
}

static void a_pile_of_cards_rests_at_its_thickness(void **state)
{
    (void)state;
    static const double thicknesses[] = {0.005, 0.002, 0.001};
    for (int32_t on_mesh = 0; on_mesh < 2; on_mesh++)
        for (int32_t i = 0; i < COUNT_OF(thicknesses); i++)
            check_pile(thicknesses[i], on_mesh == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {property(a_pile_of_cards_rests_at_its_thickness)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
