// The list of findings, and the line that the first step logs. See query/findings/findings.h.
#include "query/findings/findings.h"

#include "query/findings/of_stiffness.h"
#include "query/findings/of_surroundings.h"
#include "query/findings/of_touching.h"

#include "base/error.h"
#include "base/memory.h"
#include "pliant/collider.h"
#include "pliant/shape.h"
#include "stretch/membrane.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void (*const finding_rows[])(pli_finder *finder) = {
    pli_findings_of_touching, pli_findings_of_inside,  pli_findings_of_loads,
    pli_findings_of_weight,   pli_findings_of_thin,    pli_findings_of_thickness,
    pli_findings_of_bending,  pli_findings_of_creases, pli_findings_of_tracking,
};

/* ---- for rows ----------------------------------------------------------------------------------- */

void pli_finding_add(pli_finder *finder, const pli_finding *finding, const char *format, ...)
{
    pli_finding found = *finding;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found.text, sizeof found.text, format, arguments);
    va_end(arguments);
    if (finder->count++ == 0)
        finder->first = found;
    pli_findings *list = &finder->world->findings;
    if (!finder->keeps || finder->out_of_memory)
        return;
    finder->out_of_memory = !pli_array_reserve(&finder->world->memory, list, (int64_t)list->count + 1);
    if (!finder->out_of_memory)
        list->items[list->count++] = found;
}

pli_finding pli_finding_about(const pli_world *world, int32_t i, pli_finding_kind kind)
{
    return (pli_finding){.kind = kind, .deformable = {pli_deformable_at(world, i)->id, world->tag}, .vertex = -1};
}

const char *pli_finding_name(const pli_world *world, int32_t i, pli_name_buffer text)
{
    const char *name = pli_deformable_at(world, i)->name;
    if (name && name[0])
        snprintf(text, sizeof(pli_name_buffer), "%.70s", name);
    else
        snprintf(text, sizeof(pli_name_buffer), "deformable %d", (int)i);
    return text;
}

const char *pli_finding_collider_name(const pli_world *world, int32_t i, pli_name_buffer text)
{
    snprintf(text, sizeof(pli_name_buffer), "collider %d, a %s", (int)i,
             pli_choice_name("shape", (int32_t)pli_collider_at(world, i)->def.shape));
    return text;
}

/* ---- public ------------------------------------------------------------------------------------- */

static void look_at_world(pli_finder *finder)
{
    for (size_t i = 0; i < sizeof finding_rows / sizeof *finding_rows; i++)
        finding_rows[i](finder);
}

pli_status pli_world_check(pli_world *world, double dt, int32_t *count, pli_error *error)
{
    PLI_ASSERT(NULL, world != NULL && count != NULL);
    world->findings.count = *count = 0;
    if (!(dt > 0.0 && isfinite(dt)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the step is %g s; it must be above 0", dt);
    pli_finder finder = {.world = world, .dt = dt, .keeps = true};
    if (!pli_world_update_membranes(world))
        return pli_fail_memory(error);
    look_at_world(&finder);
    if (finder.out_of_memory) {
        world->findings.count = 0;
        return pli_fail_memory(error);
    }
    *count = world->findings.count;
    return pli_succeed(error);
}

const pli_finding *pli_world_finding_at(const pli_world *world, int32_t i)
{
    return i >= 0 && i < world->findings.count ? &world->findings.items[i] : NULL;
}

void pli_world_set_advice(pli_world *world, bool advice) { world->advised = !advice; }

void pli_world_advise(pli_world *world, double dt)
{
    if (world->advised || world->step_count > 0)
        return;
    world->advised = true;
    pli_finder finder = {.world = world, .dt = dt, .quick = true};
    look_at_world(&finder);
    if (finder.count == 0)
        return;
    char line[600], more[80] = "";
    if (finder.count > 1)
        snprintf(more, sizeof more, " (pli_world_check lists this and %d more)", (int)finder.count - 1);
    snprintf(line, sizeof line, "%s%s", finder.first.text, more);
    world->memory.hooks.log(world->memory.hooks.user, PLI_LOG_WARNING, line);
}
