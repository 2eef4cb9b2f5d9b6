// Kelager, Niebe, Erleben 2010, section 4.1: "depending on how the triangle bending constraints are assigned to the
// mesh topology, we can obtain a variety of different material properties".
//
// One mesh, one model, one stiffness; what differs is which triples of vertices in a row have a constraint: none, those
// along the sheet, those across it, both, or both on one half. A sheet held by one edge droops accordingly.
#include "base/lab_measures.h"
#include "base/lab_pictures.h"

#include <math.h>

enum { SIDE = 21, COUNT = SIDE * SIDE, FRAMES = 240, FRAMES_QUICK = 120, TRIPLES_MAX = 2 * COUNT };

typedef enum assignment { NOWHERE, ALONG, ACROSS, BOTH, HALF, ASSIGNMENTS } assignment;

static const char *const names[ASSIGNMENTS] = {"nowhere", "along the sheet", "across the sheet", "both ways",
                                               "both ways on one half"};

// Whether the triple about a vertex, in direction 0 along the sheet or 1 across it, is in the assignment.
static bool has_triple(assignment a, int32_t column, int32_t direction)
{
    if (a == HALF)
        return column < SIDE / 2;
    return a == BOTH || (a == ALONG && direction == 0) || (a == ACROSS && direction == 1);
}

// Lists triples (end, end, middle); the sheet is held by its first row, and rows follow one another along it.
static int32_t list_triples(assignment a, int32_t *triples)
{
    int32_t count = 0;
    for (int32_t row = 0; row < SIDE; row++)
        for (int32_t column = 0; column < SIDE; column++)
            for (int32_t direction = 0; direction < 2; direction++) {
                int32_t at = direction ? column : row, by = direction ? 1 : SIDE, middle = row * SIDE + column;
                if (at == 0 || at == SIDE - 1 || !has_triple(a, column, direction))
                    continue;
                triples[3 * count] = middle - by, triples[3 * count + 1] = middle + by;
                triples[3 * count++ + 2] = middle;
            }
    return count;
}

typedef struct droops {
    double left, right; // How far the outer quarters of the free edge hang [m].
    int32_t constraints;
} droops;

static droops hang(lab *l, assignment a, lab_gallery *gallery)
{
    int32_t mark = lab_mark(l), triples[3 * TRIPLES_MAX];
    lab_body_def def = {.mesh = lab_grid(l, SIDE, SIDE, 0.4f, 0.4f, PLI_GRID_QUADS),
                        .settings = lab_settings(PLI_METHOD_XPBD, 20, 4)};
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.sets[0] = (lab_set){.type = "distance"};
    lab_body body = lab_body_make(l, &def);
    droops d = {.constraints = list_triples(a, triples)};
    if (d.constraints > 0 && lab_ok(l)) {
        pli_constraints_def set = pli_constraints_def_default();
        set.deformable = body.deformable;
        set.type = "triangle";
        set.particles = triples;
        set.constraint_count = d.constraints;
        pli_constraints handle;
        pli_error error;
        lab_note(l, pli_constraints_create(body.world, &set, &handle, &error), &error);
    }
    for (int32_t i = 0; i < 2 * SIDE; i++)
        lab_hold(l, &body, i);
    float positions[3 * COUNT] = {0};
    for (int32_t frame = lab_long_or_quick(l, 0, FRAMES - FRAMES_QUICK); frame < FRAMES && lab_ok(l); frame++) {
        lab_step(l, body.world, 1.0f / 60.0f);
        lab_slow(l, &body, 0.9);
    }
    lab_positions(&body, positions);
    for (int32_t i = 0; i < SIDE / 4; i++) {
        int32_t row = SIDE * (SIDE - 1);
        d.left -= (double)positions[3 * (row + i) + 1] / (SIDE / 4);
        d.right -= (double)positions[3 * (row + SIDE - 1 - i) + 1] / (SIDE / 4);
    }
    if (gallery && lab_ok(l))
        lab_gallery_add_world(gallery, names[a], body.world);
    lab_release_to(l, mark);
    return d;
}

static void claims(lab *l, const droops d[ASSIGNMENTS])
{
    const char *said = "section 4.1: a variety of material properties by assignment";
    const char *why = "Shear of the quads lets the sheet hang whatever its bending.";
    lab_claim_add(l, (lab_claim){"Constraints along the sheet hold it up: droop without any over droop with them.",
                                 said, NAN, d[NOWHERE].left / d[ALONG].left, "times", LAB_AT_LEAST, 2.0, why});
    lab_claim_add(l, (lab_claim){"As many across it do not: their droop over that of those along it.", said, NAN,
                                 d[ACROSS].left / d[ALONG].left, "times", LAB_AT_LEAST, 2.0, why});
    lab_claim_add(l, (lab_claim){"Constraints on one half hold that half: droop of the other over its own.", said, NAN,
                                 d[HALF].right / d[HALF].left, "times", LAB_AT_LEAST, 1.5, why});
}

static void run(lab *l)
{
    droops found[ASSIGNMENTS];
    lab_gallery_def view = {.name = "sheet", .columns = 3, .fit = LAB_FIT_RUN, .wireframe = true};
    lab_gallery *gallery = lab_gallery_open(l, &view);
    pli_text *csv = lab_file_add(l, "droop.csv");
    pli_text_add(csv, "assignment,constraints,left,right\n");
    lab_say(
        l,
        "A sheet of %.1f m and %d x %d vertices, quads, is held by its first two rows. Rigid `triangle` "
        "constraints are assigned to triples of vertices in a row; droop is that of the left and of the right "
        "quarter of the free edge.\n\n| assigned | constraints | droop, left | right |\n| --- | --- | --- | --- |\n",
        0.4, SIDE, SIDE);
    for (int32_t a = 0; a < ASSIGNMENTS && lab_ok(l); a++) {
        found[a] = hang(l, (assignment)a, gallery);
        pli_text_add(csv, "%s,%d,%.6g,%.6g\n", names[a], (int)found[a].constraints, found[a].left, found[a].right);
        lab_say(l, "| %s | %d | %.1f mm | %.1f mm |\n", names[a], (int)found[a].constraints, 1e3 * found[a].left,
                1e3 * found[a].right);
        lab_progress(l, (a + 1.0) / ASSIGNMENTS);
    }
    lab_say(l, "\n");
    lab_gallery_close(gallery);
    if (lab_ok(l))
        claims(l, found);
}

const lab_experiment lab_row_kelager_materials = {
    .name = "kelager-materials",
    .title = "Several materials on one mesh, by assignment of constraints",
    .source = "Kelager, Niebe, Erleben 2010, section 4.1",
    .run = run,
};
