// The share that acts of the numbers that a scene asks for is written as JSON and as text.
#include "run/represented.h"

#include "frame/terminal.h"

#include <math.h>
#include <string.h>

// Less of a number than this share is told, and stretch by the deformable's own weight above this.
#define ENOUGH 0.8
#define PLATE_ENOUGH 0.95
#define VISIBLE_STRETCH 0.02

static bool represent(const pli_world *world, pli_deformable deformable, double dt, pli_representation *r)
{
    return pli_deformable_represent(world, deformable, dt, r, NULL) == PLI_STATUS_OK &&
           (r->rigidity_asked > 0.0 || r->tensile_asked > 0.0 || r->has_compliant_bending);
}

// Infinite is "rigid" in JSON.
static json_t *number(double value) { return isinf(value) ? json_string("rigid") : pli_cli_json_number(value); }

json_t *pli_cli_represented_json(const pli_world *world, pli_deformable deformable, double dt)
{
    pli_representation r;
    if (!represent(world, deformable, dt, &r))
        return json_null();
    json_t *json = json_pack("{s:b, s:b, s:i}", "plate", r.has_plate, "compliant_bending", r.has_compliant_bending,
                             "substeps_needed", (int)r.substeps_needed);
    json_object_set_new(json, "rigidity_asked", number(r.rigidity_asked));
    json_object_set_new(json, "rigidity_acting", number(r.rigidity_acting));
    json_object_set_new(json, "rigidity_limit", pli_cli_json_number(r.rigidity_limit));
    json_object_set_new(json, "tensile_asked", number(r.tensile_asked));
    json_object_set_new(json, "tensile_acting", number(r.tensile_acting));
    json_object_set_new(json, "tensile_limit", pli_cli_json_number(r.tensile_limit));
    if (r.yield > 0.0) {
        json_object_set_new(json, "yield", pli_cli_json_number(r.yield));
        json_object_set_new(json, "yield_limit", pli_cli_json_number(r.yield_limit));
    }
    if (r.warp_asked > 0.0) {
        json_object_set_new(json, "warp_asked", number(r.warp_asked));
        json_object_set_new(json, "weft_asked", number(r.weft_asked));
        json_object_set_new(json, "shear_asked", number(r.shear_asked));
    }
    return json;
}

static void add(char *text, size_t size, const char *verb, double acting, double asked, const char *unit,
                const char *how)
{
    const size_t used = strlen(text);
    const char *between = used > 0 ? ", " : "";
    if (isinf(asked))
        snprintf(text + used, size - used, "%s%s with %.3g %s where rigid is asked for%s", between, verb, acting, unit,
                 how);
    else
        snprintf(text + used, size - used, "%s%s with %.3g of %.3g %s%s", between, verb, acting, asked, unit, how);
}

bool pli_cli_represented_text(const pli_world *world, pli_deformable deformable, double dt, char *text, size_t size)
{
    pli_representation r;
    text[0] = '\0';
    if (!represent(world, deformable, dt, &r))
        return false;
    if (r.rigidity_asked > 0.0)
        add(text, size, "bends", r.rigidity_acting, r.rigidity_asked, "N m", r.has_plate ? " (plate)" : "");
    if (r.tensile_asked > 0.0)
        add(text, size, "stretches", r.tensile_acting, r.tensile_asked, "N/m", " by sweeps alone");
    if (r.warp_asked > 0.0 && isfinite(r.warp_asked + r.weft_asked + r.shear_asked)) {
        // Each saturates as their mean does.
        const double share = r.tensile_acting / r.tensile_asked;
        snprintf(text + strlen(text), size - strlen(text),
                 " (asked: warp %.3g, weft %.3g, shear %.3g, of which some %.2g %% act)", r.warp_asked, r.weft_asked,
                 r.shear_asked, 100.0 * share);
    }
    if (r.yield > 0.0)
        snprintf(text + strlen(text), size - strlen(text), "%skeeps what is bent beyond %.3g 1/m", text[0] ? ", " : "",
                 r.yield);
    if (r.has_compliant_bending)
        snprintf(text + strlen(text), size - strlen(text), "%sa compliance bends it, whose rigidity the mesh decides",
                 text[0] ? ", " : "");
    return true;
}

static bool is_limited(pli_world *world, pli_deformable deformable)
{
    pli_stretch_limit_info limit;
    return pli_deformable_build_stretch_limit(world, deformable, &limit, NULL) == PLI_STATUS_OK &&
           limit.kind != PLI_STRETCH_NONE;
}

// Strain at the top of the deformable if it hung by its longest side, from its own weight.
static double weight_strain(pli_world *world, pli_deformable deformable, const pli_representation *r)
{
    pli_vec3 low, high;
    pli_deformable_def def;
    if (pli_deformable_bounds(world, deformable, &low, &high, NULL) != PLI_STATUS_OK ||
        pli_deformable_get_def(world, deformable, &def, NULL) != PLI_STATUS_OK || is_limited(world, deformable))
        return 0.0;
    const double span = fmax(fmax((double)(high.x - low.x), (double)(high.y - low.y)), (double)(high.z - low.z));
    const pli_vec3 g = pli_world_settings(world).gravity;
    const double gravity = sqrt((double)(g.x * g.x) + (double)(g.y * g.y) + (double)(g.z * g.z));
    return (double)def.density * gravity * span / r->tensile_acting;
}

bool pli_cli_represented_warning(pli_world *world, pli_deformable deformable, double dt, char *text, size_t size)
{
    pli_representation r;
    text[0] = '\0';
    if (!represent(world, deformable, dt, &r))
        return false;
    if (!r.has_plate && isfinite(r.rigidity_asked) && r.rigidity_acting < ENOUGH * r.rigidity_asked) {
        snprintf(text, size,
                 "of the rigidity of %.3g N m some %.2g %% act: sweeps over edges of %.3g m hold at most %.3g N m; use "
                 "`plate`, or %d substeps",
                 r.rigidity_asked, 100.0 * r.rigidity_acting / r.rigidity_asked, r.length, r.rigidity_limit,
                 (int)r.substeps_needed);
        return true;
    }
    if (r.yield > r.yield_limit && r.yield_limit > 0.0) {
        snprintf(text, size,
                 "it keeps no bend below %.3g 1/m, and faces of edges of %.3g m at a right angle have %.3g: creases "
                 "hardly form; "
                 "use a mesh of edges below %.2g m, or a lower `yield`",
                 r.yield, r.length, r.yield_limit, sqrt(2.0) / r.yield);
        return true;
    }
    if (r.has_plate && r.rigidity_acting < ENOUGH * r.rigidity_asked) {
        const double lost = r.rigidity_asked / r.rigidity_acting - 1.0;
        snprintf(text, size,
                 "of the rigidity of %.3g N m some %.2g %% act: cells of %.3g m are long beside the length at which it "
                 "bends "
                 "under its weight; use cells of %.2g m",
                 r.rigidity_asked, 100.0 * r.rigidity_acting / r.rigidity_asked, r.length,
                 r.length * sqrt((1.0 / PLATE_ENOUGH - 1.0) / lost));
        return true;
    }
    const double strain = r.tensile_asked > 0.0 && r.tensile_acting < ENOUGH * r.tensile_asked
                              ? weight_strain(world, deformable, &r)
                              : 0.0;
    if (strain < VISIBLE_STRETCH)
        return false;
    snprintf(
        text, size,
        "it stretches like a sheet of %.3g N/m, by up to %.2g %% under its own weight: sweeps over edges of %.3g m "
        "hold no more; use a `stretch_limit`, or %d substeps",
        r.tensile_acting, 100.0 * strain, r.length, (int)ceil(dt / r.step * sqrt(strain / VISIBLE_STRETCH)));
    return true;
}
