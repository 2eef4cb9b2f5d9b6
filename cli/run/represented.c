// Writes the effective fraction of the requested values as JSON and as text.
#include "run/represented.h"

#include "frame/terminal.h"

#include <math.h>
#include <string.h>

static bool represent(const pli_world *world, pli_deformable deformable, double dt, pli_representation *r)
{
    return pli_deformable_represent(world, deformable, dt, r, NULL) == PLI_STATUS_OK &&
           (r->rigidity_asked > 0.0 || r->tensile_asked > 0.0 || r->has_compliant_bending);
}

// Infinite values are "rigid" in JSON.
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

bool pli_cli_represented_text(const pli_world *world, pli_deformable deformable, double dt, char *text, size_t size)
{
    pli_representation r;
    text[0] = '\0';
    if (!represent(world, deformable, dt, &r))
        return false;
    if (r.rigidity_asked > 0.0)
        add(text, size, "effective rigidity", r.rigidity_acting, r.rigidity_asked, "N m",
            r.has_plate ? " (plate)" : "");
    if (r.tensile_asked > 0.0)
        add(text, size, "effective stretch stiffness", r.tensile_acting, r.tensile_asked, "N/m",
            r.tensile_acting > r.tensile_limit || r.tensile_acting >= r.tensile_asked ? " (solved)"
                                                                                      : " (sweeps alone)");
    if (r.warp_asked > 0.0 && isfinite(r.warp_asked + r.weft_asked + r.shear_asked)) {
        const double share = r.tensile_acting / r.tensile_asked;
        snprintf(text + strlen(text), size - strlen(text), " (requested: warp %.3g, weft %.3g, shear %.3g",
                 r.warp_asked, r.weft_asked, r.shear_asked);
        // In sweeps each constraint saturates like their mean.
        if (r.tensile_acting <= r.tensile_limit)
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
