// The effective stiffness is below the requested one, or a load hangs from a deformable that is not stiff enough for it.
#include "query/findings/findings.h"

#include "stretch/membrane.h"
#include "model/settings.h"
#include "pliant/material.h"

#include <math.h>
#include <stdio.h>

// An effective value below ENOUGH of the requested one is reported. Finer cells are proposed for a plate so that PLATE_ENOUGH is effective.
#define ENOUGH_STIFFNESS 0.8
#define PLATE_ENOUGH 0.95
// From this multiple on, a stretch is no longer given in percent.
#define MANY 10
// No finer mesh than this fraction of the spacing is proposed.
#define FINEST 0.01

static pli_deformable handle_of(const pli_world *world, int32_t i)
{
    return (pli_deformable){pli_deformable_at(world, i)->id, world->tag};
}

// False if no stiffness can take effect, since no particle is free to move.
static bool represent(const pli_finder *finder, int32_t i, pli_effective_stiffness *r)
{
    return pli_deformable_get_effective_stiffness(finder->world, handle_of(finder->world, i), finder->dt, r, NULL) ==
               PLI_STATUS_OK &&
           r->tensile_limit > 0.0;
}

// Text for a value that may be outside of any range: it avoids "inf %" and advice that cannot be applied.
typedef char stiffness_words[64];

static const char *stretched(stiffness_words text, const char *about, double strain)
{
    if (strain < MANY)
        snprintf(text, sizeof(stiffness_words), "%s %.2g %%", about, 100.0 * strain);
    else
        snprintf(text, sizeof(stiffness_words), "more than %d times its length", MANY);
    return text;
}

static const char *of_percent(stiffness_words text, double fraction)
{
    if (fraction > 1e-4)
        snprintf(text, sizeof(stiffness_words), "%.2g %%", 100.0 * fraction);
    else
        snprintf(text, sizeof(stiffness_words), "less than 0.01 %%");
    return text;
}

// Proposes a number of substeps if the settings allow it.
static const char *or_substeps(stiffness_words text, const pli_world *world, const char *verb, double needed)
{
    pli_settings settings = world->settings;
    text[0] = '\0';
    settings.substeps = needed >= 1.0 && needed <= 1e6 ? (int32_t)needed : 0;
    if (pli_settings_check(&settings, NULL) == PLI_STATUS_OK)
        snprintf(text, sizeof(stiffness_words), ", or %s%d substeps", verb, (int)settings.substeps);
    return text;
}

// Whether sweeps reach most of the requested tensile stiffness.
static bool holds_tension(const pli_effective_stiffness *r)
{
    return !(r->tensile_requested > 0.0) || r->tensile_effective >= ENOUGH_STIFFNESS * r->tensile_requested;
}

/* ---- stretch ------------------------------------------------------------------------------------ */

// The number of substeps that makes the stretch hardly visible, since the stretch is proportional to the square of the substep.
static double substeps_for(const pli_finder *finder, const pli_effective_stiffness *r, double strain)
{
    return ceil(finder->dt / r->step * sqrt(strain / PLI_VISIBLE_STRETCH));
}

void pli_findings_of_loads(pli_finder *finder)
{
    const pli_world *world = finder->world;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        pli_effective_stiffness r;
        if (pli_deformable_is_solved(world, deformable) || !represent(finder, i, &r) || holds_tension(&r))
            continue;
        const pli_load load = pli_deformable_heaviest_load(world, deformable, r.step);
        if (!(load.strain > PLI_VISIBLE_STRETCH))
            continue;
        pli_finding found = pli_finding_about(world, i, PLI_FINDING_LOAD);
        pli_name_buffer text;
        stiffness_words by, more;
        found.vertex = load.vertex, found.count = load.count, found.value = load.strain, found.wanted = load.mass;
        if (load.rigid)
            found.rigid_body = (pli_rigid_body){load.rigid->id, world->tag};
        pli_finding_add(
            finder, &found,
            "%s: %s of %.3g kg hangs from %d of its vertices and stretches the edges there by %s, since sweeps "
            "are no stiffer; set its `stretch` to `solved`%s",
            pli_finding_name(world, i, text), load.rigid ? "a body" : "a particle", load.mass, (int)load.count,
            stretched(by, "some", load.strain),
            or_substeps(more, world, "take ", substeps_for(finder, &r, load.strain)));
    }
}

// Strain at the top of the deformable if it hung from its longest side under its own weight.
static double weight_strain(const pli_finder *finder, int32_t i, const pli_effective_stiffness *r)
{
    pli_vec3 low, high;
    if (pli_deformable_get_bounds(finder->world, handle_of(finder->world, i), &low, &high, NULL) != PLI_STATUS_OK)
        return 0.0;
    const double span = fmax(fmax((double)(high.x - low.x), (double)(high.y - low.y)), (double)(high.z - low.z));
    return (double)pli_deformable_at(finder->world, i)->def.density *
           (double)pli_length(finder->world->settings.gravity) * span / r->tensile_effective;
}

void pli_findings_of_weight(pli_finder *finder)
{
    for (int32_t i = 0; i < finder->world->deformables.count; i++) {
        pli_effective_stiffness r;
        if (pli_deformable_is_solved(finder->world, pli_deformable_at(finder->world, i)) || !represent(finder, i, &r) ||
            holds_tension(&r))
            continue;
        pli_finding found = pli_finding_about(finder->world, i, PLI_FINDING_WEIGHT);
        pli_name_buffer text;
        stiffness_words by, more;
        found.value = weight_strain(finder, i, &r), found.wanted = PLI_VISIBLE_STRETCH;
        if (found.value >= PLI_VISIBLE_STRETCH)
            pli_finding_add(
                finder, &found,
                "%s: it stretches like a sheet of %.3g N/m, by %s under its own weight, since sweeps over edges of "
                "%.3g m are no stiffer; set its `stretch` to `solved`%s",
                pli_finding_name(finder->world, i, text), r.tensile_effective, stretched(by, "up to", found.value),
                r.length, or_substeps(more, finder->world, "", substeps_for(finder, &r, found.value)));
    }
}

/* ---- bending ------------------------------------------------------------------------------------ */

void pli_findings_of_bending(pli_finder *finder)
{
    for (int32_t i = 0; i < finder->world->deformables.count; i++) {
        pli_effective_stiffness r;
        if (!represent(finder, i, &r) || !isfinite(r.rigidity_requested) ||
            r.rigidity_effective >= ENOUGH_STIFFNESS * r.rigidity_requested)
            continue;
        pli_finding found = pli_finding_about(finder->world, i, PLI_FINDING_BENDING);
        found.value = r.rigidity_effective, found.wanted = r.rigidity_requested;
        pli_name_buffer text;
        const char *name = pli_finding_name(finder->world, i, text);
        stiffness_words acts, more;
        of_percent(acts, r.rigidity_effective / r.rigidity_requested);
        const double lost = r.rigidity_requested / r.rigidity_effective - 1.0;
        const double cells = r.length * sqrt((1.0 / PLATE_ENOUGH - 1.0) / lost);
        if (r.has_plate && cells < FINEST * r.length)
            pli_finding_add(
                finder, &found,
                "%s: the effective rigidity is %s of the requested %.3g N m, since it bends under its weight within "
                "much less than a cell of %.3g m; leave the plate out",
                name, acts, r.rigidity_requested, r.length);
        else if (r.has_plate)
            pli_finding_add(
                finder, &found,
                "%s: the effective rigidity is %s of the requested %.3g N m, since cells of %.3g m are long compared "
                "with the length over which it bends under its weight; use cells of %.2g m",
                name, acts, r.rigidity_requested, r.length, cells);
        else
            pli_finding_add(finder, &found,
                            "%s: the effective rigidity is %s of the requested %.3g N m, since sweeps over edges of "
                            "%.3g m reach at "
                            "most %.3g N m; use `plate`%s",
                            name, acts, r.rigidity_requested, r.length, r.rigidity_limit,
                            or_substeps(more, finder->world, "", (double)r.substeps_needed));
    }
}

void pli_findings_of_creases(pli_finder *finder)
{
    for (int32_t i = 0; i < finder->world->deformables.count; i++) {
        pli_effective_stiffness r;
        if (!represent(finder, i, &r) || !(r.yield > r.yield_limit && r.yield_limit > 0.0))
            continue;
        pli_finding found = pli_finding_about(finder->world, i, PLI_FINDING_CREASES);
        pli_name_buffer text;
        found.value = r.yield_limit, found.wanted = r.yield;
        pli_finding_add(finder, &found,
                        "%s: it keeps no bend below %.3g 1/m, and on edges of %.3g m a right angle has a curvature of "
                        "%.3g 1/m: creases "
                        "hardly form; use edges below %.2g m, or a lower `yield`",
                        pli_finding_name(finder->world, i, text), r.yield, r.length, r.yield_limit,
                        sqrt(2.0) / r.yield);
    }
}
