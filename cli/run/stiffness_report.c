// Writes the effective fraction of the requested values as JSON and as text.
#include "run/stiffness_report.h"

#include "frame/terminal.h"

#include <math.h>
#include <string.h>

static bool represent(const pli_world *world, pli_deformable deformable, double dt, pli_effective_stiffness *r)
{
    return pli_deformable_get_effective_stiffness(world, deformable, dt, r, NULL) == PLI_STATUS_OK &&
           (r->rigidity_requested > 0.0 || r->tensile_requested > 0.0 || r->has_compliant_bending);
}

// Infinite values are "rigid" in JSON.
static json_t *number(double value) { return isinf(value) ? json_string("rigid") : pli_cli_json_number(value); }

json_t *pli_cli_effective_stiffness_json(const pli_world *world, pli_deformable deformable, double dt)
{
    pli_effective_stiffness r;
    if (!represent(world, deformable, dt, &r))
        return json_null();
    json_t *json = json_pack("{s:b, s:b, s:i}", "plate", r.has_plate, "compliant_bending", r.has_compliant_bending,
                             "substeps_needed", (int)r.substeps_needed);
    json_object_set_new(json, "rigidity_requested", number(r.rigidity_requested));
    json_object_set_new(json, "rigidity_effective", number(r.rigidity_effective));
    json_object_set_new(json, "rigidity_limit", pli_cli_json_number(r.rigidity_limit));
    json_object_set_new(json, "tensile_requested", number(r.tensile_requested));
    json_object_set_new(json, "tensile_effective", number(r.tensile_effective));
    json_object_set_new(json, "tensile_limit", pli_cli_json_number(r.tensile_limit));
    if (r.yield > 0.0) {
        json_object_set_new(json, "yield", pli_cli_json_number(r.yield));
        json_object_set_new(json, "yield_limit", pli_cli_json_number(r.yield_limit));
    }
    if (r.warp_requested > 0.0) {
        json_object_set_new(json, "warp_requested", number(r.warp_requested));
        json_object_set_new(json, "weft_requested", number(r.weft_requested));
        json_object_set_new(json, "shear_requested", number(r.shear_requested));
    }
    return json;
}

static void add(char *text, size_t size, const char *what, double acting, double asked, const char *unit,
                const char *how)
{
    const size_t used = strlen(text);
    const char *between = used > 0 ? ", " : "";
    if (isinf(asked))
        snprintf(text + used, size - used, "%s%s %.3g %s where rigid was requested%s", between, what, acting, unit,
                 how);
    else
        snprintf(text + used, size - used, "%s%s %.3g of %.3g %s%s", between, what, acting, asked, unit, how);
}

bool pli_cli_effective_stiffness_text(const pli_world *world, pli_deformable deformable, double dt, char *text,
                                      size_t size)
{
    pli_effective_stiffness r;
    text[0] = '\0';
    if (!represent(world, deformable, dt, &r))
        return false;
    if (r.rigidity_requested > 0.0)
        add(text, size, "effective rigidity", r.rigidity_effective, r.rigidity_requested, "N m",
            r.has_plate ? " (plate)" : "");
    if (r.tensile_requested > 0.0)
        add(text, size, "effective stretch stiffness", r.tensile_effective, r.tensile_requested, "N/m",
            r.tensile_effective > r.tensile_limit || r.tensile_effective >= r.tensile_requested ? " (solved)"
                                                                                                : " (sweeps alone)");
    if (r.warp_requested > 0.0 && isfinite(r.warp_requested + r.weft_requested + r.shear_requested)) {
        const double share = r.tensile_effective / r.tensile_requested;
        snprintf(text + strlen(text), size - strlen(text), " (requested: warp %.3g, weft %.3g, shear %.3g",
                 r.warp_requested, r.weft_requested, r.shear_requested);
        // In sweeps each constraint saturates like their mean.
        if (r.tensile_effective <= r.tensile_limit)
            snprintf(text + strlen(text), size - strlen(text), ", of which %.3g %% is effective", 100.0 * share);
        snprintf(text + strlen(text), size - strlen(text), ")");
    }
    if (r.yield > 0.0)
        snprintf(text + strlen(text), size - strlen(text), "%skeeps bends beyond %.3g 1/m", text[0] ? ", " : "",
                 r.yield);
    if (r.has_compliant_bending)
        snprintf(text + strlen(text), size - strlen(text),
                 "%sbends by a compliance, whose rigidity depends on the mesh", text[0] ? ", " : "");
    return true;
}
