// The cloth of Figs. 6 and 9 of Mueller et al. 2006, and the quantities measured on it.
#include "scenes/paper_cloth.h"

#include "base/edge_intersections.h"
#include "base/lab_measures.h"

#include <math.h>

enum { COLUMNS = 22, ROWS = 62 };

lab_body_def lab_paper_cloth(lab *l, pli_self_contact way)
{
    lab_body_def def = {.mesh = lab_grid(l, COLUMNS, ROWS, 0.7f, 2.03f, PLI_GRID_ALTERNATING),
                        .settings = lab_settings(PLI_METHOD_XPBD, 20, 1)};
    def.settings.gravity = (pli_vec3){0.0f, -9.81f, 0.0f};
    def.settings.damping = 3.1f;
    def.settings.air_density = 0.3f;
    def.density = 0.15f;
    def.thickness = 0.012f;
    def.friction = 0.4f;
    def.self_collision = true;
    def.self_contact = way;
    def.sets[0] = (lab_set){.type = "distance", .values = {{"compliance", 1e-6}}};
    def.sets[1] = (lab_set){.type = "isometric", .values = {{"rigidity", 2e-5}}};
    return def;
}

lab_watch lab_watch_make(lab *l, int32_t frames)
{
    return (lab_watch){.capacity = frames, .seconds = lab_memory(l, (size_t)frames, sizeof(double))};
}

void lab_watch_add(lab *l, const lab_body *body, double seconds, bool look, lab_watch *w)
{
    if (!lab_ok(l) || w->frame_count == w->capacity)
        return;
    pli_statistics s = lab_statistics(l, body);
    w->seconds[w->frame_count++] = seconds;
    w->contacts = s.contact_count > w->contacts ? s.contact_count : w->contacts;
    w->stretch = fmax(w->stretch, s.stretch_max);
    if (look) {
        int32_t found = lab_crossings(l, body->world, body->deformable);
        w->crossings = found > w->crossings ? found : w->crossings;
        w->looks++;
    }
    double sum = 0.0;
    pli_view velocities = pli_deformable_velocities(body->world, body->deformable);
    for (int32_t i = 0; i < 3 * velocities.count; i++)
        sum += (double)pli_view_at(velocities, i / 3)[i % 3] * (double)pli_view_at(velocities, i / 3)[i % 3];
    w->speed = sqrt(sum / velocities.count);
}

double lab_watch_rate(lab *l, const lab_watch *w)
{
    int32_t mark = lab_mark(l);
    double *sorted = lab_memory(l, (size_t)w->frame_count + 1, sizeof *sorted);
    for (int32_t i = 0; i < w->frame_count; i++)
        sorted[i] = w->seconds[i];
    double median = lab_median(sorted, w->frame_count);
    lab_release_to(l, mark);
    return 1.0 / median;
}

void lab_watch_report(lab *l, const lab_body_def *cloth, const lab_watch w[LAB_CONTACT_WAYS])
{
    const pli_mesh_report *r = pli_mesh_get_report(cloth->mesh);
    pli_text *csv = lab_file_add(l, "frames.csv");
    pli_text_add(csv, "frame");
    lab_say(
        l,
        "%d vertices and %d triangles, %d substeps a frame, one thread, our defaults (XPBD, sweeps back and forth, "
        "momenta restored). Times are of the processor, medians of %d "
        "frames.\n\n| self-contact by | ms a frame | frames a second | most contacts | largest stretch of an edge | "
        "crossings of edges and triangles, in frames looked at | speed at the end, rms [m/s] |\n| --- | --- | --- | "
        "--- | --- | --- | --- |\n",
        (int)r->vertex_count, (int)r->triangle_count, (int)cloth->settings.substeps, (int)w[0].frame_count);
    for (int32_t k = 0; k < LAB_CONTACT_WAYS; k++) {
        const char *name = pli_choice_name("self_contact", k);
        pli_text_add(csv, ",ms_%s", name);
        lab_say(l, "| %s | %.2f | %.1f | %d | %.3f | %d in %d | %.2g |\n", name, 1e3 / lab_watch_rate(l, &w[k]),
                lab_watch_rate(l, &w[k]), (int)w[k].contacts, w[k].stretch, (int)w[k].crossings, (int)w[k].looks,
                w[k].speed);
    }
    pli_text_add(csv, "\n");
    lab_say(l, "\n");
    for (int32_t i = 0; i < w[0].frame_count && i < w[1].frame_count; i++)
        pli_text_add(csv, "%d,%.4f,%.4f\n", (int)i + 1, 1e3 * w[0].seconds[i], 1e3 * w[1].seconds[i]);
}

void lab_watch_claims(lab *l, const lab_watch w[LAB_CONTACT_WAYS], const lab_watch_claims_def *def)
{
    const lab_watch *surfaces = &w[PLI_SELF_CONTACT_SURFACES], *particles = &w[PLI_SELF_CONTACT_PARTICLES];
    double rate = lab_watch_rate(l, particles);
    lab_claim_add(l, (lab_claim){"By particles it runs at interactive speed.", def->rate_source, 30.0, rate,
                                 "fps of processor time, without rendering", LAB_AT_LEAST, 30.0, def->rate_reason});
    lab_claim_add(l, (lab_claim){def->holds, def->holds_source, 0.0, particles->crossings, "crossings, by particles",
                                 LAB_AT_MOST, 0.0, "Particles leave gaps where the cloth is stretched."});
    lab_claim_add(l, (lab_claim){"Nor does any by surfaces, where it is proved.", "not in the paper", 0.0,
                                 surfaces->crossings, "crossings, by surfaces", LAB_AT_MOST, 0.0,
                                 "The guarantee was given up somewhere: see the world's statistics."});
    lab_claim_add(l,
                  (lab_claim){lab_format(l, "The proof costs less than %s times the particles.", def->most_cost_word),
                              "not in the paper", NAN, rate / lab_watch_rate(l, surfaces), "times the time of a frame",
                              LAB_AT_MOST, def->most_cost,
                              "Twelve millimetres of thickness at edges of thirty-three make contacts many."});
}
