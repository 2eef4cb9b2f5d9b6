// The list of cases. Consecutive cases share meshes and limits, so sizes are outer loops, widths and threads inner
// ones.
#include "bench/cases.h"

#include "bench/measure_kinds.h"
#include "bench/scenarios/scenarios.h"
#include "bench/triad.h"
#include "bench/typical.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 5, LARGE = 320, GIANT = 1000, SWEEPS = 16 };
static const int32_t sizes[SIZES] = {10, 40, 100, LARGE, GIANT};

static const char *const units[] = {"ns/projection", "ns/vertex", "ms", "GB/s"};
static const char *const layouts[] = {"grid", "lists", "shuffled", "irregular", "closed"};

const char *bench_unit_name(bench_unit unit) { return units[unit]; }
const char *bench_layout_name(bench_layout layout) { return layouts[layout]; }

typedef struct case_list {
    bench_extent extent;
    bench_case *items;
    int32_t count, capacity;
    bool failed;
} case_list;

// The values that most cases have.
static bench_case usual(void)
{
    return (bench_case){
        .unit = BENCH_MILLISECONDS,
        .measure = bench_measure_frame,
        .warm = 20,
        .scene = {.types = {"distance"},
                  .sheets = 1,
                  .pattern = PLI_GRID_DIAGONAL,
                  .substeps = 1,
                  .iterations = 1,
                  .threads = 1},
    };
}

static void add(case_list *list, bench_case item, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(case_list *list, bench_case item, const char *format, ...)
{
    if (list->count == list->capacity) {
        int32_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        bench_case *items = realloc(list->items, (size_t)capacity * sizeof *items);
        list->failed = list->failed || !items;
        if (!items)
            return;
        list->items = items;
        list->capacity = capacity;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item.name, sizeof item.name, format, arguments);
    va_end(arguments);
    list->items[list->count++] = item;
}

// Joins the names of the types: "distance+dihedral".
static void join_types(const bench_scene *scene, char *text, size_t size)
{
    size_t used = 0;
    for (int32_t i = 0; i < BENCH_TYPES_MAX && scene->types[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "+" : "", scene->types[i]);
}

// Frames before the measured ones, as in the runs of other engines.
static int32_t warm_frames(int32_t size) { return size >= GIANT ? 1 : size >= LARGE ? 3 : 20; }

static bench_case square(int32_t size, const char *second)
{
    bench_case item = usual();
    item.scene.columns = item.scene.rows = size;
    item.scene.types[1] = second;
    item.warm = warm_frames(size);
    return item;
}

static const char *threads_name(int32_t threads) { return threads == 1 ? "1-thread" : "2-threads"; }

/* ---- the machine ---------------------------------------------------------------------------- */

static void add_triads(case_list *list)
{
    static const struct {
        const char *name;
        int64_t kibibytes;
    } levels[] = {{"L1", 24}, {"L2", 768}, {"L3", 24 * 1024}, {"memory", 768 * 1024}};
    for (int32_t i = 0; i < 4; i++)
        for (int32_t threads = 1; threads <= 2; threads++) {
            bench_case item = usual();
            item.unit = BENCH_GIGABYTES;
            item.measure = bench_measure_triad;
            item.bytes = levels[i].kibibytes * 1024;
            item.scene.threads = threads;
            if (i < 3 || list->extent != BENCH_QUICK)
                add(list, item, "machine/triad/%s/%s", levels[i].name, threads_name(threads));
        }
}

/* ---- typical scenes ---------------------------------------------------------------------------- */

static void add_typical(case_list *list)
{
    for (int32_t i = 0; i < bench_scenario_count(); i++)
        for (int32_t threads = 1; threads <= 2; threads++) {
            const bench_scenario *scenario = bench_scenario_at(i);
            bench_case item = usual();
            item.measure = bench_measure_typical;
            item.scenario = scenario;
            item.summary = scenario->summary;
            item.scene.threads = threads;
            if (bench_scenario_is_there(scenario) && (list->extent != BENCH_QUICK || scenario->is_quick))
                add(list, item, "typical/%s/%s", scenario->name, threads_name(threads));
        }
}

/* ---- projections ---------------------------------------------------------------------------- */

static void add_projections_of(case_list *list, const char *type, int32_t size, bench_layout layout, bool all_widths)
{
    pli_simd widest = PLI_SIMD_SCALAR;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++)
        widest = pli_simd_available((pli_simd)simd) ? (pli_simd)simd : widest;
    for (int32_t simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
        if (!pli_simd_available((pli_simd)simd) || (simd != (int32_t)widest && !all_widths))
            continue;
        bench_case item = square(size, NULL);
        item.unit = BENCH_NANOSECONDS;
        item.measure = bench_measure_projection;
        item.scene.types[0] = type;
        item.scene.iterations = SWEEPS;
        item.scene.simd = (pli_simd)simd;
        item.scene.layout = layout;
        item.scene.uneven = true;
        item.warm = 1;
        add(list, item, "micro/%s/%d/%s/%s", type, (int)size, bench_layout_name(layout), pli_choice_name("simd", simd));
    }
}

// Whether the type acts on a flat open sheet by itself and has a wide kernel.
static bool acts_on_sheets(const pli_constraint_type *type)
{
    return type->generator && type->cardinality > 0 && !type->world_anchored;
}

static const char *const chief[] = {"distance", "triangle", "dihedral", "isometric"};

// The same on irregular meshes of 1 k, 10 k, 50 k, 100 k, 300 k and 1 M vertices, in the order of their meshes.
static void add_irregular(case_list *list)
{
    static const int32_t sides[] = {32, 100, 224, 316, 548, 1000};
    bool full = list->extent == BENCH_FULL, quick = list->extent == BENCH_QUICK;
    for (int32_t i = 0; i < (full ? 6 : quick ? 2 : 4); i++)
        for (int32_t layout = BENCH_IRREGULAR; layout <= (int32_t)BENCH_CLOSED; layout++)
            for (int32_t k = 0; k < 4; k++) {
                bool closed = layout == (int32_t)BENCH_CLOSED, chosen = sides[i] == 100 || (sides[i] == 316 && !quick);
                if (k == 0 && !closed ? !quick || chosen : full || (chosen && !quick))
                    add_projections_of(list, chief[k], sides[i], (bench_layout)layout, full || (k == 0 && !closed));
            }
}

static void add_projections(case_list *list)
{
    bool full = list->extent == BENCH_FULL, quick = list->extent == BENCH_QUICK;
    for (int32_t i = 0; i < SIZES; i++) {
        if (!full && sizes[i] != 10 && sizes[i] != 100 && (quick || sizes[i] == 40))
            continue;
        // The largest meshes take long: edges stand for the other types there.
        for (int32_t k = 0; k < (sizes[i] == GIANT && !full ? 1 : 4); k++) {
            bool all_widths = full || (quick ? sizes[i] == 100 && k == 0 : sizes[i] == 100);
            add_projections_of(list, chief[k], sizes[i], BENCH_GRID, all_widths);
            add_projections_of(list, chief[k], sizes[i], BENCH_LISTS, all_widths);
            if (full || (sizes[i] == 100 && !quick))
                add_projections_of(list, chief[k], sizes[i], BENCH_SHUFFLED, false);
        }
        for (int32_t k = 0; k < pli_constraint_type_count() && sizes[i] == 100 && !quick; k++) {
            const pli_constraint_type *type = pli_constraint_type_at(k);
            bool is_chief = false;
            for (int32_t c = 0; c < 4; c++)
                is_chief = is_chief || strcmp(chief[c], type->name) == 0;
            if (acts_on_sheets(type) && !is_chief)
                add_projections_of(list, type->name, sizes[i], BENCH_LISTS, full);
        }
    }
}

/* ---- frames --------------------------------------------------------------------------------- */

static void add_frames_of(case_list *list, int32_t size, const char *second, bool once)
{
    bench_case item = square(size, second);
    char types[BENCH_NAME_MAX];
    join_types(&item.scene, types, sizeof types);
    item.scene.substeps = once ? 16 : 1;
    item.scene.iterations = once ? 1 : 16;
    for (int32_t threads = 1; threads <= 2; threads++) {
        // Small sheets are not divided among threads; the largest take long and are left to `full`.
        bool usual_case = threads == 1 || (size >= 100 && size <= LARGE) || (size == GIANT && once && !second);
        item.scene.threads = threads;
        if (list->extent == BENCH_FULL || (usual_case && (list->extent == BENCH_USUAL || threads == 1)))
            add(list, item, "scene/%s/%d/%dx%d/%s", types, (int)size, (int)item.scene.substeps,
                (int)item.scene.iterations, threads_name(threads));
    }
}

// Whether a usual run has the scene: sixteen substeps with every second set, but sixteen iterations only with the sets
// that other engines are measured with.
static bool is_usual_frame(int32_t size, int32_t second, bool once)
{
    if (size == GIANT)
        return once && second <= 1;
    return size != 40 && (once ? second < 4 : second == 0 || second == 4);
}

static void add_frames(case_list *list)
{
    static const char *const seconds[] = {NULL, "dihedral", "isometric", "triangle", "opposite_distance"};
    for (int32_t i = 0; i < SIZES; i++)
        for (int32_t k = 0; k < 5; k++)
            for (int32_t once = 1; once >= 0; once--) {
                bool quick = sizes[i] <= 100 && k <= 1 && once, chosen = is_usual_frame(sizes[i], k, once);
                if (list->extent == BENCH_FULL || (list->extent == BENCH_USUAL ? chosen : quick))
                    add_frames_of(list, sizes[i], seconds[k], once);
            }
}

// Sheets that have hung for half a second: what is nearly flat or at rest has angles, lengths and corrections of all small sizes.
static void add_settled(case_list *list)
{
    static const char *const seconds[] = {"dihedral", "isometric", "triangle", "opposite_distance"};
    for (int32_t k = 0; k < 4 && list->extent != BENCH_QUICK; k++) {
        bench_case item = square(LARGE, seconds[k]);
        char types[BENCH_NAME_MAX];
        join_types(&item.scene, types, sizeof types);
        item.scene.substeps = 16;
        item.warm = 30;
        if (k == 0 || list->extent == BENCH_FULL)
            add(list, item, "scene/settled/%s/%d/16x1/1-thread", types, (int)LARGE);
    }
}

// The fabric of the paper: 10 x 10 vertices in squares, 16 iterations of classic PBD.
static void add_fabric(case_list *list)
{
    for (int32_t order = PLI_ORDER_COLOURED; order <= (int32_t)PLI_ORDER_SEQUENTIAL; order++) {
        bench_case item = square(10, "triangle");
        item.scene.pattern = PLI_GRID_QUADS;
        item.scene.method = PLI_METHOD_PBD;
        item.scene.order = (pli_order)order;
        item.scene.iterations = 16;
        item.warm = 200;
        add(list, item, "scene/fabric-of-2010/%s", order == PLI_ORDER_COLOURED ? "coloured" : "sequential");
    }
}

// 128 x 128 vertices in 20 substeps: alone, and with self-collision.
static void add_cloth(case_list *list)
{
    static const char *const contacts[] = {"", "-self-collision", "-self-collision-by-particles"};
    bool quick = list->extent == BENCH_QUICK;
    for (int32_t contact = 0; contact < 3; contact++)
        for (int32_t threads = 1; threads <= 2; threads++) {
            bench_case item = square(128, "triangle");
            item.scene.substeps = 20;
            item.scene.self_collision = contact > 0;
            item.scene.self_contact = contact == 2 ? PLI_SELF_CONTACT_PARTICLES : PLI_SELF_CONTACT_SURFACES;
            item.scene.threads = threads;
            item.warm = quick ? 5 : 20;
            if (!quick || threads == 2)
                add(list, item, "scene/cloth-16k%s/20x1/%s", contacts[contact], threads_name(threads));
        }
}

// The contact search alone, for a cloth that wrinkles and swings and folds nowhere.
static void add_contacts(case_list *list)
{
    static const char *const kinds[PLI_SELF_CONTACT_COUNT] = {"surfaces", "particles"};
    for (int32_t kind = 0; kind < PLI_SELF_CONTACT_COUNT && list->extent != BENCH_QUICK; kind++)
        for (int32_t threads = 1; threads <= 2; threads++) {
            bench_case item = square(128, "triangle");
            item.unit = BENCH_NANOSECONDS_A_VERTEX;
            item.measure = bench_measure_contacts;
            item.scene.substeps = 20;
            item.scene.self_collision = true;
            item.scene.self_contact = (pli_self_contact)kind;
            item.scene.threads = threads;
            item.warm = 20;
            add(list, item, "contacts/cloth-16k/%s/20x1/%s", kinds[kind], threads_name(threads));
        }
}

// 129 x 129 free vertices with edges only.
static void add_free_cloth(case_list *list)
{
    for (int32_t layout = BENCH_GRID; layout <= (int32_t)BENCH_LISTS && list->extent != BENCH_QUICK; layout++)
        for (int32_t threads = 1; threads <= 2; threads++) {
            bench_case item = square(129, NULL);
            item.scene.layout = (bench_layout)layout;
            item.scene.substeps = 20;
            item.scene.loose = true;
            item.scene.threads = threads;
            add(list, item, "scene/free-16k/20x1/%s/%s", bench_layout_name((bench_layout)layout),
                threads_name(threads));
        }
}

// Irregular sheets that hang by two corners.
static void add_irregular_hung(case_list *list)
{
    static const int32_t sides[] = {100, 316};
    for (int32_t i = 0; i < 2 && list->extent != BENCH_QUICK; i++)
        for (int32_t bends = 0; bends < 2; bends++) {
            bench_case item = square(sides[i], bends ? "dihedral" : NULL);
            char types[BENCH_NAME_MAX];
            join_types(&item.scene, types, sizeof types);
            item.scene.layout = BENCH_IRREGULAR;
            item.scene.substeps = 16;
            add(list, item, "scene/irregular-%dk/%s/16x1/1-thread", (int)(sides[i] * sides[i] / 1000 + 1) / 10 * 10,
                types);
        }
}

// The time that a given strain costs: a sheet that hangs by two corners, with ever more substeps, swept and solved.
static void add_strain(case_list *list)
{
    static const int32_t swept = 5, substeps[] = {4, 8, 16, 32, 64, 5, 10, 20};
    for (int32_t irregular = 0; irregular < 2 && list->extent != BENCH_QUICK; irregular++)
        for (int32_t i = 0; i < (int32_t)(sizeof substeps / sizeof *substeps); i++) {
            bench_case item = square(100, NULL);
            item.measure = bench_measure_strain;
            item.warm = BENCH_STRAIN_FRAMES;
            item.scene.layout = irregular ? BENCH_IRREGULAR : BENCH_GRID;
            item.scene.solved = i >= swept;
            item.scene.substeps = substeps[i];
            add(list, item, "strain/%s-10k/%dx1/%s", bench_layout_name(item.scene.layout), (int)item.scene.substeps,
                item.scene.solved ? "solved" : "swept");
        }
}

// The sheet of add_cloth in wind, and free and damped.
static void add_company(case_list *list)
{
    static const char *const names[BENCH_COMPANY_COUNT] = {
        [BENCH_IN_WIND] = "cloth-16k-in-wind", [BENCH_DAMPED] = "free-16k-damped"};
    for (int32_t company = BENCH_IN_WIND; company < BENCH_COMPANY_COUNT && list->extent != BENCH_QUICK; company++)
        for (int32_t threads = 1; threads <= 2; threads++) {
            bench_case item = square(128, "triangle");
            item.scene.company = (bench_company)company;
            item.scene.substeps = 20;
            item.scene.threads = threads;
            item.scene.loose = company == (int32_t)BENCH_DAMPED;
            add(list, item, "scene/%s/20x1/%s", names[company], threads_name(threads));
        }
}

static void add_large(case_list *list)
{
    for (int32_t threads = 1; threads <= 2 && list->extent != BENCH_QUICK; threads++) {
        bench_case item = square(GIANT, "triangle");
        item.scene.substeps = 20;
        item.scene.threads = threads;
        if (threads == 2 || list->extent == BENCH_FULL)
            add(list, item, "scene/cloth-1M/20x1/%s", threads_name(threads));
    }
    for (int32_t threads = 1; threads <= 2 && list->extent != BENCH_QUICK; threads++) {
        bench_case item = square(60, "isometric");
        item.scene.rows = 82;
        item.scene.sheets = 50;
        item.scene.iterations = 10;
        item.scene.threads = threads;
        item.warm = 1;
        item.is_single = true;
        if (threads == 2 || list->extent == BENCH_FULL)
            add(list, item, "scene/layers-246k/1x10/%s", threads_name(threads));
    }
}

/* ---- making worlds -------------------------------------------------------------------------- */

// Every type whose constraints can be generated from an open sheet.
static void add_every_type(case_list *list, bench_case item, int32_t size)
{
    int32_t count = 0;
    for (int32_t i = 0; i < pli_constraint_type_count() && count < BENCH_TYPES_MAX; i++) {
        const pli_constraint_type *type = pli_constraint_type_at(i);
        if (type->generator && strcmp(type->generator, "closed_volume") != 0)
            item.scene.types[count++] = type->name;
    }
    item.measure = bench_measure_cooking;
    item.is_single = true;
    for (item.scene.threads = list->extent == BENCH_FULL ? 1 : 2; item.scene.threads <= 2; item.scene.threads++)
        add(list, item, "cook/every-type/%d/%s", (int)size, threads_name(item.scene.threads));
}

static void add_cooking(case_list *list)
{
    static const char *const rows[][BENCH_TYPES_MAX] = {{"distance"},
                                                        {"distance", "triangle"},
                                                        {"distance", "dihedral"},
                                                        {"distance", "isometric"},
                                                        {"distance", "triangle", "dihedral", "isometric"}};
    int32_t size = list->extent == BENCH_QUICK ? 100 : GIANT;
    bench_case item = square(size, NULL);
    char types[BENCH_NAME_MAX];
    item.measure = bench_measure_mesh;
    add(list, item, "cook/mesh/%d", (int)size);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        memcpy(item.scene.types, rows[k], sizeof rows[k]);
        join_types(&item.scene, types, sizeof types);
        item.measure = bench_measure_cooking;
        if (k == 1 || list->extent == BENCH_FULL)
            add(list, item, "cook/%s/%d", types, (int)size);
        item.measure = bench_measure_reading;
        if (k == 1)
            add(list, item, "cook/%s/%d/read", types, (int)size);
    }
    add_every_type(list, item, size);
}

bench_case *bench_cases(bench_extent extent, int32_t *count)
{
    case_list list = {.extent = extent};
    add_typical(&list);
    add_triads(&list);
    add_irregular(&list);
    add_projections(&list);
    add_fabric(&list);
    add_frames(&list);
    add_settled(&list);
    add_cloth(&list);
    add_contacts(&list);
    add_free_cloth(&list);
    add_irregular_hung(&list);
    add_strain(&list);
    add_company(&list);
    add_large(&list);
    add_cooking(&list);
    *count = list.count;
    if (!list.failed)
        return list.items;
    free(list.items);
    return NULL;
}
