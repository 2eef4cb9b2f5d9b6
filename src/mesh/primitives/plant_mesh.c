// A plant: a tapering stem of quads, closed at both ends, with leaves. Each leaf replaces one quad of the stem, so the
// plant is one closed surface.
#include "base/hash.h"
#include "base/vector.h"
#include "mesh/primitives/mesh_list.h"

// Sections of four vertices along a leaf, between the stem and the tip:
//
//         T             A leaf's section: sharp left and right edges, a thin rib in the middle.
//     L  ---  R         The quad a b c d of the stem turns by an eighth into L T R B, so that a leaf
//         B             is a tube of quads that ends in four triangles at the tip.
#define LEAF_SECTIONS 9
static const double petiole_end = 0.2; // Fraction of the leaf length.

typedef struct stem_plan {
    const pli_plant_def *def;
    int32_t row_count; // Rows of quads; there is one more ring of vertices.
    double branch_row, plain_row;
    pli_dvec3 lean; // Horizontal displacement of the top from the foot [m].
} stem_plan;

static double draw(const pli_plant_def *def, uint64_t what, uint64_t which)
{
    uint64_t hash = pli_hash_mix(pli_hash_mix(pli_hash_mix(PLI_HASH_START, def->seed), what), which);
    return (double)(pli_hash_mix(hash, 1) >> 11) * 0x1p-53;
}

static bool is_branch_row(const pli_plant_def *def, int32_t row) { return row % (def->segments + 1) == def->segments; }

static stem_plan plan_stem(const pli_plant_def *def)
{
    const double height = (double)def->height, heading = 6.28318530717958647692 * draw(def, 0, 0);
    const int32_t plain_rows = def->segments * (def->branches + 1);
    stem_plan stem = {.def = def, .row_count = plain_rows + def->branches};
    stem.branch_row = fmin(2 * (double)def->radius * sin(3.14159265358979323846 / def->sides),
                           0.5 * height / stem.row_count);
    stem.plain_row = (height - def->branches * stem.branch_row) / plain_rows;
    stem.lean = (pli_dvec3){0.08 * height * cos(heading), 0, 0.08 * height * sin(heading)};
    return stem;
}

static void add_stem_ring(pli_mesh_list *list, const stem_plan *stem, double y)
{
    const pli_plant_def *def = stem->def;
    const double t = y / (double)def->height, radius = (double)def->radius * (1 - 0.7 * t);
    const pli_dvec3 centre = pli_dscale(stem->lean, t * t);
    for (int32_t k = 0; k < def->sides; k++) {
        const double angle = 6.28318530717958647692 * k / def->sides;
        pli_mesh_list_vertex(list, centre.x + radius * cos(angle), y, centre.z + radius * sin(angle));
    }
}

// Successive leaves are turned around the stem by about the golden angle.
static int32_t side_of_branch(const pli_plant_def *def, int32_t branch)
{
    const double turns = 0.38196601125 * branch + draw(def, 1, 0) + 0.08 * (draw(def, 2, (uint64_t)branch) - 0.5);
    return (int32_t)floor((turns - floor(turns)) * def->sides) % def->sides;
}

static void quad_of(const pli_plant_def *def, int32_t row, int32_t side, int32_t quad[4])
{
    const int32_t ring = row * def->sides, next = (side + 1) % def->sides;
    quad[0] = ring + side;
    quad[1] = ring + def->sides + side;
    quad[2] = ring + def->sides + next;
    quad[3] = ring + next;
}

static void add_stem(pli_mesh_list *list, const stem_plan *stem)
{
    const pli_plant_def *def = stem->def;
    double y = 0;
    add_stem_ring(list, stem, y);
    for (int32_t row = 0; row < stem->row_count; row++) {
        y += is_branch_row(def, row) ? stem->branch_row : stem->plain_row;
        add_stem_ring(list, stem, fmin(y, (double)def->height));
    }
    for (int32_t row = 0, branch = 0; row < stem->row_count; row++) {
        const int32_t open_side = is_branch_row(def, row) ? side_of_branch(def, branch++) : -1;
        for (int32_t side = 0; side < def->sides; side++) {
            int32_t quad[4];
            quad_of(def, row, side, quad);
            if (side != open_side)
                pli_mesh_list_quad(list, quad[0], quad[1], quad[2], quad[3]);
        }
    }
    const int32_t foot = pli_mesh_list_vertex(list, 0, 0, 0), top = stem->row_count * def->sides;
    const int32_t tip = pli_mesh_list_vertex(list, stem->lean.x, (double)def->height + 0.6 * (double)def->radius,
                                             stem->lean.z);
    for (int32_t side = 0; side < def->sides; side++) {
        const int32_t next = (side + 1) % def->sides;
        pli_mesh_list_triangle(list, foot, side, next);
        pli_mesh_list_triangle(list, tip, top + next, top + side);
    }
}

typedef struct leaf_plan {
    pli_dvec3 root, outward, across; // across = outward x up
    double length, half_width, half_petiole, rise;
} leaf_plan;

static pli_dvec3 plant_point(const pli_mesh_list *list, int32_t vertex)
{
    const float *p = list->positions + 3 * (size_t)vertex;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static leaf_plan plan_leaf(const pli_mesh_list *list, const stem_plan *stem, int32_t branch, const int32_t quad[4])
{
    const pli_plant_def *def = stem->def;
    const pli_dvec3 a = plant_point(list, quad[0]), b = plant_point(list, quad[1]);
    const pli_dvec3 c = plant_point(list, quad[2]), d = plant_point(list, quad[3]);
    const pli_dvec3 along = pli_dsub(d, a);
    const double width = sqrt(along.x * along.x + along.z * along.z);
    const double size = (0.8 + 0.3 * draw(def, 3, (uint64_t)branch)) * (1 - 0.35 * a.y / (double)def->height);
    leaf_plan leaf = {
        .root = pli_dscale(pli_dadd(pli_dadd(a, b), pli_dadd(c, d)), 0.25),
        .across = {along.x / width, 0, along.z / width},
        .length = size * (double)def->leaf_length,
        .half_width = 0.5 * size * (double)def->leaf_width,
        .half_petiole = fmin(0.3 * width, 0.2 * (double)def->leaf_width),
        .rise = 0.5 + 0.4 * draw(def, 4, (uint64_t)branch),
    };
    leaf.outward = (pli_dvec3){leaf.across.z, 0, -leaf.across.x};
    return leaf;
}

// The rib leaves the stem upwards and bends over: height = length (rise s - 0.9 s^2).
static pli_dvec3 rib_point(const leaf_plan *leaf, double s)
{
    pli_dvec3 p = pli_dadd(leaf->root, pli_dscale(leaf->outward, leaf->length * s));
    p.y += leaf->length * (leaf->rise * s - 0.9 * s * s);
    return p;
}

static void add_section(pli_mesh_list *list, const leaf_plan *leaf, double s, int32_t section[4])
{
    pli_dvec3 tangent = leaf->outward;
    tangent.y = leaf->rise - 1.8 * s;
    const pli_dvec3 cross = pli_dcross(leaf->across, tangent);
    const pli_dvec3 normal = pli_dscale(cross, 1 / pli_dlength(cross));
    // The blade's outline 6.75 u (1 - u)^2 is widest, 1, at a third of its length.
    const double u = fmax(0, (s - petiole_end) / (1 - petiole_end));
    const double blade = leaf->half_petiole * (1 - u) + leaf->half_width * 6.75 * u * (1 - u) * (1 - u);
    const double thick = leaf->half_petiole * (1 - 0.8 * s), fold = 0.25 * (blade - leaf->half_petiole * (1 - u));
    const double offsets[4][2] = {{-blade, fold}, {0, thick}, {blade, fold}, {0, -thick}};
    const pli_dvec3 rib = rib_point(leaf, s);
    for (int i = 0; i < 4; i++) {
        const pli_dvec3 p = pli_dadd(
            rib, pli_dadd(pli_dscale(leaf->across, offsets[i][0]), pli_dscale(normal, offsets[i][1])));
        section[i] = pli_mesh_list_vertex(list, p.x, p.y, p.z);
    }
}

static void add_leaf(pli_mesh_list *list, const leaf_plan *leaf, const int32_t quad[4])
{
    int32_t before[4] = {quad[0], quad[1], quad[2], quad[3]}, section[4];
    for (int32_t i = 1; i <= LEAF_SECTIONS; i++) {
        add_section(list, leaf, (double)i / (LEAF_SECTIONS + 1), section);
        for (int k = 0; k < 4; k++)
            pli_mesh_list_quad(list, before[k], before[(k + 1) % 4], section[(k + 1) % 4], section[k]);
        for (int k = 0; k < 4; k++)
            before[k] = section[k];
    }
    const pli_dvec3 end = rib_point(leaf, 1);
    const int32_t tip = pli_mesh_list_vertex(list, end.x, end.y, end.z);
    for (int k = 0; k < 4; k++)
        pli_mesh_list_triangle(list, before[k], before[(k + 1) % 4], tip);
}

pli_plant_def pli_plant_def_default(void)
{
    return (pli_plant_def){.height = 1,
                           .radius = 0.03f,
                           .branches = 7,
                           .segments = 3,
                           .sides = 8,
                           .leaf_length = 0.45f,
                           .leaf_width = 0.16f,
                           .seed = 1,
                           .hooks = pli_hooks_default()};
}

static pli_status check_plant(const pli_plant_def *def, pli_error *error)
{
    const pli_status invalid = PLI_STATUS_INVALID_ARGUMENT;
    if (!pli_is_length(def->height) || !pli_is_length(def->radius) || !pli_is_length(def->leaf_length) ||
        !pli_is_length(def->leaf_width))
        return pli_fail(error, invalid,
                        "plant: height %g, radius %g, leaf_length %g and leaf_width %g [m] must be positive",
                        (double)def->height, (double)def->radius, (double)def->leaf_length, (double)def->leaf_width);
    if (def->branches < 0 || def->branches > 64)
        return pli_fail(error, invalid, "plant: %d branches; give 0 to 64", (int)def->branches);
    if (def->segments < 1 || def->segments > 64)
        return pli_fail(error, invalid, "plant: %d segments; give 1 to 64", (int)def->segments);
    if (def->sides < 4 || def->sides > 32)
        return pli_fail(error, invalid, "plant: %d sides; give 4 to 32", (int)def->sides);
    return PLI_STATUS_OK;
}

pli_status pli_mesh_create_plant(const pli_plant_def *def, pli_mesh **mesh, pli_error *error)
{
    PLI_ASSERT(NULL, def);
    pli_status status = check_plant(def, error);
    if (status)
        return status;
    const stem_plan stem = plan_stem(def);
    pli_mesh_list list = pli_mesh_list_start(&def->hooks);
    add_stem(&list, &stem);
    for (int32_t branch = 0; branch < def->branches && !list.out_of_memory; branch++) {
        int32_t quad[4];
        quad_of(def, branch * (def->segments + 1) + def->segments, side_of_branch(def, branch), quad);
        const leaf_plan leaf = plan_leaf(&list, &stem, branch, quad);
        add_leaf(&list, &leaf, quad);
    }
    return pli_mesh_list_finish(&list, mesh, error);
}
