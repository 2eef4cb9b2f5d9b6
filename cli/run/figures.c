// Rows are stored in memory and the entire file is written at checkpoints and at the end, so that it matches the checkpoint that a run
// resumes from.
#include "run/figures.h"

#include "frame/folders.h"
#include "frame/strings.h"
#include "run/probes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns -------------------------------------------------------------------------------- */

static bool is_listed(const pli_cli_figures *f, const char *type)
{
    for (int32_t i = 0; i < f->type_count; i++)
        if (strcmp(f->types[i], type) == 0)
            return true;
    return false;
}

static bool take_sets(pli_cli_figures *f, const pli_world *world)
{
    const int32_t count = pli_world_constraints_count(world);
    f->sets = calloc((size_t)count + 1, sizeof *f->sets);
    f->types = calloc((size_t)count + 1, sizeof *f->types);
    for (int32_t i = 0; f->sets && f->types && i < count; i++) {
        pli_constraints set = pli_world_constraints_at(world, i);
        pli_constraints_info info;
        if (pli_constraints_get_info(world, set, &info, NULL) != PLI_STATUS_OK)
            continue;
        f->sets[f->set_count++] = set;
        if (!is_listed(f, info.type->name))
            f->types[f->type_count++] = info.type->name;
    }
    return f->sets && f->types;
}

// The name of a set in a column: the names of its deformable and of the set, with its number if another set has both names.
static char *set_name(const pli_cli_figures *f, const pli_world *world, int32_t i)
{
    char *names[2] = {NULL, NULL};
    bool repeated = false;
    for (int32_t k = i; k >= 0; k--) {
        pli_constraints_info info;
        if (pli_constraints_get_info(world, f->sets[k], &info, NULL) != PLI_STATUS_OK)
            continue;
        const char *of = pli_deformable_name(world, info.deformable);
        char *name = pli_cli_format("%s_%s", of && of[0] ? of : "deformable", info.name ? info.name : info.type->name);
        pli_cli_name_clean(name);
        if (k == i)
            names[0] = name;
        else {
            repeated = repeated || strcmp(name, names[0]) == 0;
            free(name);
        }
    }
    names[1] = repeated ? pli_cli_format("%s_%d", names[0], (int)i) : NULL;
    if (!names[1])
        return names[0];
    free(names[0]);
    return names[1];
}

static void add_header(pli_cli_figures *f, const pli_world *world)
{
    pli_text *t = &f->text;
    pli_text_add(t, "frame,time,kinetic_energy,potential_energy,elastic_energy,energy_plate");
    for (int32_t i = 0; i < f->type_count; i++)
        pli_text_add(t, ",energy_%s", f->types[i]);
    pli_text_add(t, ",plastic_work,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,"
                    "angular_momentum_z,stretch_rms,stretch_max");
    for (int32_t i = 0; i < f->set_count; i++) {
        char *name = set_name(f, world, i);
        pli_text_add(t, ",residual_rms_%s,residual_max_%s", name, name);
        free(name);
    }
    pli_text_add(
        t, ",contacts,surface_contacts,candidates,intersections,shortened_paths,failed_pairs,tracking_error,stuck,"
           "substeps,contact_work,memory_bytes,ms");
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        pli_text_add(t, ",ms_%s", pli_choice_name("stage", i));
    pli_cli_probes_header(f->scene, t);
    pli_text_add(t, "\n");
}

pli_status pli_cli_figures_open(const char *path, const pli_scene *scene, const pli_world *world, pli_cli_figures *f,
                                pli_error *error)
{
    *f = (pli_cli_figures){.path = pli_cli_format("%s", path), .scene = scene};
    if (!take_sets(f, world))
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the figures of the run");
    add_header(f, world);
    return PLI_STATUS_OK;
}

/* ---- resuming ------------------------------------------------------------------------------- */

// The end of the row of `frame` in the content, or NULL.
static const char *end_of_row(const char *content, int32_t frame)
{
    const char *line = strchr(content, '\n');
    while (line && line[1]) {
        const char *end = strchr(line + 1, '\n');
        if (end && strtol(line + 1, NULL, 10) == frame)
            return end + 1;
        line = end;
    }
    return NULL;
}

pli_status pli_cli_figures_resume(pli_cli_figures *f, int32_t frame, pli_error *error)
{
    void *memory = NULL;
    size_t size = 0;
    if (!f->path)
        return PLI_STATUS_OK;
    pli_status status = pli_cli_file_read(f->path, &memory, &size, error);
    if (status != PLI_STATUS_OK)
        return status;
    char *content = pli_cli_format("%.*s", (int)(size < INT32_MAX ? size : INT32_MAX), (const char *)memory);
    const char *end = strncmp(content, f->text.characters, f->text.length) == 0 ? end_of_row(content, frame) : NULL;
    if (end) {
        f->text.length = 0;
        pli_text_add(&f->text, "%.*s", (int)(end - content), content);
    } else {
        status = pli_cli_fail(
            error, PLI_STATUS_CORRUPT,
            "'%s' has no row of frame %d with the columns of this scene; record to another file, or run "
            "without --resume",
            f->path, (int)frame);
    }
    free(content);
    free(memory);
    return status;
}

/* ---- rows ----------------------------------------------------------------------------------- */

// Fields are empty for numbers that are not finite, which spreadsheets cannot represent.
static void add_number(pli_text *t, double value)
{
    if (isfinite(value))
        pli_text_add(t, ",%.9g", value);
    else
        pli_text_add(t, ",");
}

static void add_vector(pli_text *t, const double value[3])
{
    for (int k = 0; k < 3; k++)
        add_number(t, value[k]);
}

static double energy_of_type(const pli_cli_figures *f, const pli_world *world, const char *type)
{
    double sum = 0.0;
    for (int32_t i = 0; i < f->set_count; i++) {
        pli_constraints_info info;
        if (pli_constraints_get_info(world, f->sets[i], &info, NULL) == PLI_STATUS_OK &&
            strcmp(info.type->name, type) == 0)
            sum += pli_constraints_energy(world, f->sets[i]);
    }
    return sum;
}

static void add_energies(pli_cli_figures *f, pli_world *world, const pli_statistics *s, double *by_type)
{
    double plates = 0.0, all = 0.0;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        double energy = 0.0;
        if (pli_deformable_get_plate_energy(world, pli_world_deformable_at(world, i), &energy, NULL) == PLI_STATUS_OK)
            plates += energy;
    }
    for (int32_t i = 0; i < f->type_count; i++)
        all += by_type[i] = energy_of_type(f, world, f->types[i]);
    add_number(&f->text, s->kinetic_energy);
    add_number(&f->text, s->potential_energy);
    add_number(&f->text, all + plates);
    add_number(&f->text, plates);
    for (int32_t i = 0; i < f->type_count; i++)
        add_number(&f->text, by_type[i]);
    add_number(&f->text, s->plastic_work);
}

static void add_residuals(pli_cli_figures *f, const pli_world *world)
{
    for (int32_t i = 0; i < f->set_count; i++) {
        pli_residual residual;
        bool there = pli_constraints_get_residual(world, f->sets[i], &residual, NULL) == PLI_STATUS_OK;
        add_number(&f->text, there ? residual.rms : (double)NAN);
        add_number(&f->text, there ? residual.max : (double)NAN);
    }
}

static void add_probes(pli_cli_figures *f, pli_world *world)
{
    for (int32_t i = 0; i < pli_scene_probe_count(f->scene); i++) {
        double values[PLI_CLI_PROBE_VALUES];
        const int32_t count = pli_cli_probe_values(f->scene, i, world, values);
        for (int32_t k = 0; k < count; k++)
            add_number(&f->text, values[k]);
    }
}

pli_status pli_cli_figures_add(pli_cli_figures *f, pli_world *world, int32_t frame, int64_t intersections,
                               pli_error *error)
{
    if (!f->path)
        return PLI_STATUS_OK;
    double *by_type = calloc((size_t)f->type_count + 1, sizeof *by_type);
    if (!by_type)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the figures of the run");
    pli_statistics s;
    pli_world_get_statistics(world, &s);
    pli_text_add(&f->text, "%d", (int)frame);
    add_number(&f->text, s.time);
    add_energies(f, world, &s, by_type);
    free(by_type);
    add_vector(&f->text, s.momentum);
    add_vector(&f->text, s.angular_momentum);
    add_number(&f->text, s.stretch_rms);
    add_number(&f->text, s.stretch_max);
    add_residuals(f, world);
    pli_text_add(&f->text, ",%d,%d,%d,%lld,%d,%d", (int)s.contact_count, (int)s.surface_contact_count,
                 (int)s.candidate_count, (long long)(intersections < 0 ? s.intersection_count : intersections),
                 (int)s.limited_count, (int)s.failed_pair_count);
    add_number(&f->text, s.tracking_error);
    add_number(&f->text, s.stuck);
    pli_text_add(&f->text, ",%d", (int)s.substep_count);
    add_number(&f->text, s.work);
    pli_text_add(&f->text, ",%llu", (unsigned long long)s.memory);
    add_number(&f->text, 1000.0 * s.step_seconds);
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        add_number(&f->text, 1000.0 * s.stage_seconds[i]);
    add_probes(f, world);
    pli_text_add(&f->text, "\n");
    return PLI_STATUS_OK;
}

pli_status pli_cli_figures_write(const pli_cli_figures *f, pli_error *error)
{
    if (!f->path)
        return PLI_STATUS_OK;
    return pli_cli_file_write(f->path, (const void *const[]){f->text.characters}, (const size_t[]){f->text.length}, 1,
                              error);
}

void pli_cli_figures_release(pli_cli_figures *f)
{
    free(f->path);
    free(f->sets);
    free(f->types);
    pli_text_free(&f->text);
    *f = (pli_cli_figures){0};
}
