// All values are read from the world and its tables; only times are stored between frames.
#define _XOPEN_SOURCE 700
#include "run/summary.h"

#include "frame/terminal.h"
#include "frame/folders.h"
#include "frame/strings.h"
#include "run/probes.h"
#include "run/stiffness_report.h"
#include "run/stretch.h"

#include <pliant/check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t steps_done(const pli_cli_outcome *o) { return o->frame - o->first_frame; }

static double mean_ms(const pli_cli_outcome *o, double seconds)
{
    return steps_done(o) > 0 ? 1000.0 * seconds / (double)steps_done(o) : 0.0;
}

static bool get_set(const pli_world *world, int32_t i, pli_constraints_info *info, pli_residual *residual)
{
    pli_constraints set = pli_world_constraints_at(world, i);
    return pli_constraints_get_info(world, set, info, NULL) == PLI_STATUS_OK &&
           pli_constraints_get_residual(world, set, residual, NULL) == PLI_STATUS_OK;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *sets_json(const pli_world *world)
{
    json_t *sets = json_array();
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        pli_constraints_info info;
        pli_residual residual;
        if (!get_set(world, i, &info, &residual))
            continue;
        json_t *set = json_pack("{s:s, s:s, s:i, s:i, s:i, s:s}", "name", info.name, "type", info.type->name, "count",
                                (int)info.constraint_count, "degenerate", (int)info.degenerate_count, "colours",
                                (int)info.colour_count, "unit", info.type->unit);
        json_object_set_new(set, "deformable", pli_cli_json_text(pli_deformable_name(world, info.deformable)));
        json_object_set_new(set, "generator", pli_cli_json_text(info.generator));
        json_object_set_new(set, "energy",
                            pli_cli_json_number(pli_constraints_energy(world, pli_world_constraints_at(world, i))));
        json_object_set_new(set, "residual_rms", pli_cli_json_number(residual.rms));
        json_object_set_new(set, "residual_max", pli_cli_json_number(residual.max));
        json_array_append_new(sets, set);
    }
    return sets;
}

static json_t *constraints_json(const pli_world *world)
{
    json_t *types = json_object();
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        pli_constraints_info info;
        if (pli_constraints_get_info(world, pli_world_constraints_at(world, i), &info, NULL) != PLI_STATUS_OK)
            continue;
        json_int_t before = json_integer_value(json_object_get(types, info.type->name));
        json_object_set_new(types, info.type->name, json_integer(before + info.constraint_count));
    }
    return types;
}

static double rms_speed(const pli_world *world, pli_deformable deformable)
{
    pli_view velocities = pli_deformable_velocities(world, deformable);
    double sum = 0.0;
    for (int32_t v = 0; v < velocities.count; v++)
        for (int k = 0; k < 3; k++)
            sum += (double)pli_view_at(velocities, v)[k] * (double)pli_view_at(velocities, v)[k];
    return velocities.count > 0 ? sqrt(sum / velocities.count) : 0.0;
}

static json_t *stretch_json(pli_world *world, pli_deformable deformable)
{
    pli_cli_stretch s;
    if (!pli_cli_stretch_measure(world, deformable, &s))
        return json_null();
    return json_pack("{s:f, s:f, s:f}", "p50", s.p50, "p99", s.p99, "max", s.most);
}

static json_t *object_json(const pli_cli_outcome *o, int32_t i)
{
    const pli_cli_recording *r = o->recording;
    bool deformable = i < r->deformable_count;
    // A torn deformable has more vertices than its mesh, and the same number of faces.
    pli_deformable handle = pli_world_deformable_at(o->world, deformable ? i : -1);
    const pli_topology *topology = pli_mesh_topology(deformable ? pli_deformable_rest_mesh(o->world, handle)
                                                                : r->objects[i].mesh);
    int32_t vertices = deformable ? pli_deformable_positions(o->world, handle).count : topology->vertex_count;
    char *beside = r->object_count > 1 ? pli_cli_format("%s_%s.obj", r->def.name, r->objects[i].name)
                                       : pli_cli_format("%s.obj", r->def.name);
    char *path = pli_cli_format("%s/%s", o->folder, beside);
    FILE *there = fopen(path, "rb");
    json_t *object = json_pack("{s:s, s:s, s:i, s:i}", "name", r->objects[i].name, "role",
                               deformable ? "deformable" : "collider", "vertices", (int)vertices, "faces",
                               (int)topology->face_count);
    json_object_set_new(object, "mesh", there ? json_string(beside) : json_null());
    if (deformable) {
        json_object_set_new(object, "rms_speed", pli_cli_json_number(rms_speed(o->world, handle)));
        json_object_set_new(object, "stretch", stretch_json(r->def.world, handle));
        json_object_set_new(
            object, "effective_stiffness",
            pli_cli_effective_stiffness_json(o->world, handle, 1.0 / pli_scene_frames_per_second(o->scene)));
    }
    if (there)
        fclose(there);
    free(path);
    free(beside);
    return object;
}

static json_t *objects_json(const pli_cli_outcome *o)
{
    json_t *objects = json_array();
    for (int32_t i = 0; i < o->recording->object_count; i++)
        json_array_append_new(objects, object_json(o, i));
    return objects;
}

static double mean_contacts(const pli_cli_outcome *o)
{
    return steps_done(o) > 0 ? (double)o->contact.contacts / (double)steps_done(o) : 0.0;
}

static json_t *contact_json(const pli_cli_outcome *o)
{
    pli_statistics s;
    pli_world_get_statistics(o->world, &s);
    return json_pack("{s:s, s:o, s:i, s:I, s:I, s:i, s:o, s:o}", "ccd",
                     pli_choice_name("ccd", (int32_t)pli_world_settings(o->world).ccd), "surface_contacts_mean",
                     pli_cli_json_number(mean_contacts(o)), "surface_contacts_max", (int)o->contact.contacts_max,
                     "held_back", (json_int_t)o->contact.held_back, "breaches", (json_int_t)o->contact.breaches,
                     "tangled", (int)s.intersection_count, "stuck", pli_cli_json_number(s.stuck), "stuck_peak",
                     pli_cli_json_number(o->contact.stuck));
}

static json_t *times_json(const pli_cli_outcome *o)
{
    json_t *stages = json_object();
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        json_object_set_new(stages, pli_choice_name("stage", i), pli_cli_json_number(mean_ms(o, o->stage_seconds[i])));
    return json_pack("{s:o, s:o}", "frame", pli_cli_json_number(mean_ms(o, o->step_seconds)), "stages", stages);
}

static void add_scene(const pli_cli_outcome *o, json_t *summary)
{
    char *absolute = realpath(o->source->path, NULL);
    json_t *settings = json_array();
    for (int32_t i = 0; i < o->source->setting_count; i++)
        json_array_append_new(settings, json_string(o->source->settings[i]));
    json_object_set_new(summary, "scene", json_string(absolute ? absolute : o->source->path));
    json_object_set_new(summary, "title", pli_cli_json_text(pli_scene_title(o->scene)));
    json_object_set_new(summary, "settings", settings);
    // This list is for readers; no command loads a plugin because a file names it.
    json_t *plugins = json_array();
    for (int32_t i = 0; i < o->source->plugins.count; i++)
        json_array_append_new(plugins, pli_cli_json_text(o->source->plugins.paths[i]));
    json_object_set_new(summary, "plugins", plugins);
    json_object_set_new(summary, "allow_outside", json_boolean(o->source->allow_outside));
    free(absolute);
}

static void add_state(const pli_cli_outcome *o, json_t *summary)
{
    char hash[17];
    pli_statistics s;
    pli_world_get_statistics(o->world, &s);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)pli_world_hash(o->world));
    json_object_set_new(summary, "hash", json_string(hash));
    json_object_set_new(summary, "vertices", json_integer(s.particle_count));
    json_object_set_new(summary, "held", json_integer(s.fixed_count));
    json_object_set_new(summary, "contacts", json_integer(s.contact_count));
    json_object_set_new(summary, "memory_bytes", json_integer((json_int_t)s.memory));
    json_object_set_new(summary, "stretch_rms", pli_cli_json_number(s.stretch_rms));
    json_object_set_new(summary, "stretch_max", pli_cli_json_number(s.stretch_max));
    json_object_set_new(summary, "stretch_peak", pli_cli_json_number(o->stretch_peak));
    json_object_set_new(summary, "kinetic_energy", pli_cli_json_number(s.kinetic_energy));
    json_object_set_new(summary, "potential_energy", pli_cli_json_number(s.potential_energy));
    json_object_set_new(summary, "time", pli_cli_json_number(pli_world_time(o->world)));
}

json_t *pli_cli_summary_json(const pli_cli_outcome *o)
{
    json_t *summary = json_pack("{s:s, s:s}", "pliant", pli_version(), "status", o->status);
    json_object_set_new(summary, "message", pli_cli_json_text(o->message));
    add_scene(o, summary);
    json_object_set_new(summary, "frames", json_integer(o->frame_count));
    json_object_set_new(summary, "frame", json_integer(o->frame));
    json_object_set_new(summary, "first_frame", json_integer(o->first_frame));
    json_object_set_new(summary, "frames_per_second", pli_cli_json_number(pli_scene_frames_per_second(o->scene)));
    json_object_set_new(summary, "seconds", pli_cli_json_number(o->seconds));
    json_object_set_new(summary, "ms", times_json(o));
    add_state(o, summary);
    json_object_set_new(summary, "contact", contact_json(o));
    json_object_set_new(summary, "expected",
                        o->expectations->scene ? json_deep_copy(o->expectations->results) : json_null());
    json_object_set_new(summary, "probes", pli_cli_probes_json(o->scene, o->world));
    json_object_set_new(summary, "constraints", constraints_json(o->world));
    json_object_set_new(summary, "sets", sets_json(o->world));
    json_object_set_new(summary, "objects", objects_json(o));
    json_object_set_new(summary, "caches", pli_cli_recording_json(o->recording));
    json_object_set_new(summary, "pictures", pli_cli_json_text(o->frames));
    json_object_set_new(summary, "video", pli_cli_json_text(o->video));
    return summary;
}

pli_status pli_cli_summary_write(const pli_cli_outcome *outcome, pli_error *error)
{
    char *text = pli_cli_json_format(pli_cli_summary_json(outcome), JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    char *path = pli_cli_format("%s/summary.json", outcome->folder);
    pli_status status = text ? pli_cli_file_write(path, (const void *const[]){text, "\n"},
                                                  (const size_t[]){strlen(text), 1}, 2, error)
                             : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the summary");
    free(path);
    free(text);
    return status;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void print_constraints(const pli_world *world)
{
    json_t *types = constraints_json(world), *count;
    const char *name;
    int32_t printed = 0;
    printf("  constraints     ");
    json_object_foreach (types, name, count)
        printf("%s%s %lld", printed++ ? ", " : "", name, (long long)json_integer_value(count));
    puts(printed ? "" : "none");
    json_decref(types);
}

static void print_times(const pli_cli_outcome *o)
{
    printf("  ms per frame    %.3f", mean_ms(o, o->step_seconds));
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        printf("%s%s %.3f", i ? ", " : ": ", pli_choice_name("stage", i), mean_ms(o, o->stage_seconds[i]));
    putchar('\n');
}

// Each deformable gets a line about its edges that are longer than at rest.
static void print_stretch(const pli_cli_outcome *o)
{
    pli_cli_stretch s;
    for (int32_t i = 0; i < o->recording->deformable_count; i++)
        if (pli_cli_stretch_measure(o->recording->def.world, pli_world_deformable_at(o->world, i), &s))
            printf("  %-15s %s: stretch p50 %.3g %%, p99 %.3g %%, max %.3g %%\n", i ? "" : "edges",
                   o->recording->objects[i].name, 100.0 * s.p50, 100.0 * s.p99, 100.0 * s.most);
}

// Lines report the effective fraction of rigidity and tensile stiffness, and the findings of the world's check with their remedies.
static void print_effective_stiffness(const pli_cli_outcome *o)
{
    char text[400];
    int32_t count = 0;
    const double dt = 1.0 / pli_scene_frames_per_second(o->scene);
    for (int32_t i = 0; i < o->recording->deformable_count; i++)
        if (pli_cli_effective_stiffness_text(o->world, pli_world_deformable_at(o->world, i), dt, text, sizeof text))
            printf("  %-15s %s: %s\n", "effective", o->recording->objects[i].name, text);
    pli_world_check(o->recording->def.world, dt, &count, NULL);
    for (int32_t i = 0; i < count; i++)
        printf("  %-15s %s\n", "warning", pli_world_finding_at(o->world, i)->text);
}

static void print_contact(const pli_cli_outcome *o)
{
    pli_statistics s;
    pli_world_get_statistics(o->world, &s);
    if (o->contact.contacts == 0 && s.intersection_count == 0)
        return;
    printf("  surfaces        %.0f contacts (at most %d), ccd %s: %lld paths shortened, %lld pairs failed, %d "
           "intersections\n",
           mean_contacts(o), (int)o->contact.contacts_max,
           pli_choice_name("ccd", (int32_t)pli_world_settings(o->world).ccd), (long long)o->contact.held_back,
           (long long)o->contact.breaches, (int)s.intersection_count);
    if (o->contact.stuck > 0.0)
        printf(
            "  stuck           %.3g %% of the particles at the end, %.3g %% at most: held back for more than 0.5 s\n",
            100.0 * s.stuck, 100.0 * o->contact.stuck);
}

static void print_residuals(const pli_world *world)
{
    for (int32_t i = 0; i < pli_world_constraints_count(world); i++) {
        pli_constraints_info info;
        pli_residual residual;
        if (!get_set(world, i, &info, &residual))
            continue;
        const char *deformable = pli_deformable_name(world, info.deformable);
        printf("  %-15s %s/%s: rms %.3g, max %.3g%s%s\n", i ? "" : "residual", deformable ? deformable : "", info.name,
               residual.rms, residual.max, info.type->unit[0] ? " " : "", info.type->unit);
    }
}

static void print_files(const pli_cli_outcome *o)
{
    json_t *caches = pli_cli_recording_json(o->recording), *cache, *file;
    size_t i, k;
    json_array_foreach (caches, i, cache)
        json_array_foreach (json_object_get(cache, "files"), k, file)
            printf("  %-15s %s/%s\n", json_string_value(json_object_get(cache, "format")), o->folder,
                   json_string_value(file));
    json_decref(caches);
    if (o->frames)
        printf("  %-15s %s/%s\n", "pictures", o->folder, o->frames);
    if (o->video)
        printf("  %-15s %s/%s\n", "video", o->folder, o->video);
    printf("  %-15s %s/summary.json\n", "summary", o->folder);
    char *frames = pli_cli_format("%s/frames", o->folder);
    if (!o->frames && pli_cli_is_folder(frames))
        printf("  %-15s %s and the video next to it are of an earlier run; --render draws this one\n", "note", frames);
    free(frames);
}

void pli_cli_summary_print(const pli_cli_outcome *o)
{
    pli_statistics s;
    pli_world_get_statistics(o->world, &s);
    const char *title = pli_scene_title(o->scene);
    printf("%s: %s, frame %d of %d", title && title[0] ? title : o->source->path, o->status, (int)o->frame,
           (int)o->frame_count);
    if (o->first_frame > 0)
        printf(", resumed at %d", (int)o->first_frame);
    printf(", in %.2f s\n", o->seconds);
    printf("  vertices        %d (%d fixed)\n", (int)s.particle_count, (int)s.fixed_count);
    print_constraints(o->world);
    print_times(o);
    printf("  stretch         rms %.3g %%, max %.3g %% (peak over the run %.3g %%)\n", 100.0 * s.stretch_rms,
           100.0 * s.stretch_max, 100.0 * o->stretch_peak);
    print_stretch(o);
    print_effective_stiffness(o);
    print_contact(o);
    print_residuals(o->world);
    printf("  kinetic energy  %.4g J, potential %.4g J\n", s.kinetic_energy, s.potential_energy);
    pli_cli_expectations_print(o->expectations);
    printf("  state hash      %016llx\n", (unsigned long long)pli_world_hash(o->world));
    print_files(o);
}
