#include "run/probes.h"

#include "frame/command_table.h"
#include "frame/folders.h"
#include "frame/strings.h"
#include "frame/terminal.h"

#include <pliant/tearing.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- measures ------------------------------------------------------------------------------- */

// A deformable with the data that its measures read.
typedef struct subject {
    pli_world *world;
    pli_deformable deformable;
    const pli_mesh *mesh;
    pli_view positions;
    int32_t vertex;
} subject;

static void position_of(const subject *s, double *values)
{
    const float *at = pli_view_at(s->positions, s->vertex);
    for (int k = 0; k < 3; k++)
        values[k] = (double)at[k];
}

static void bounds_of(const subject *s, double *values)
{
    pli_vec3 low, high;
    if (pli_deformable_get_bounds(s->world, s->deformable, &low, &high, NULL) != PLI_STATUS_OK)
        return;
    const float found[] = {low.x, low.y, low.z, high.x, high.y, high.z};
    for (int k = 0; k < 6; k++)
        values[k] = (double)found[k];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// Relative to the first vertex, so that the distance from the world's origin causes no rounding.
void pli_cli_measure_surface(const pli_world *world, pli_deformable deformable, double *area, double *volume)
{
    const int32_t *triangles = pli_deformable_triangles(world, deformable);
    const int32_t count = pli_mesh_topology(pli_deformable_rest_mesh(world, deformable))->triangle_count;
    const pli_view positions = pli_deformable_positions(world, deformable);
    *area = *volume = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double p[3][3], u[3], v[3], normal[3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                p[c][k] = (double)pli_view_at(positions, triangles[3 * i + c])[k] -
                          (double)pli_view_at(positions, 0)[k];
        for (int k = 0; k < 3; k++)
            u[k] = p[1][k] - p[0][k], v[k] = p[2][k] - p[0][k];
        cross(u, v, normal);
        *area += sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) / 2.0;
        *volume += (p[0][0] * normal[0] + p[0][1] * normal[1] + p[0][2] * normal[2]) / 6.0;
    }
}

static void area_of(const subject *s, double *values)
{
    double volume;
    pli_cli_measure_surface(s->world, s->deformable, values, &volume);
}

// Only a closed surface has a volume.
static void volume_of(const subject *s, double *values)
{
    double area;
    if (pli_mesh_get_report(s->mesh)->boundary_edge_count == 0)
        pli_cli_measure_surface(s->world, s->deformable, &area, values);
}

static void curvature_of(const subject *s, double *values)
{
    const pli_topology *t = pli_mesh_topology(s->mesh);
    float *found = malloc(((size_t)s->positions.count + 1) * sizeof *found);
    double sum = 0.0;
    int32_t inside = 0;
    if (found && pli_deformable_measure(s->world, s->deformable, PLI_MEASURE_CURVATURE, found, s->positions.count,
                                        NULL) == PLI_STATUS_OK)
        for (int32_t v = 0; v < t->vertex_count; v++)
            if (!t->vertex_boundary[v])
                sum += (double)found[v], inside++;
    free(found);
    if (inside > 0)
        *values = sum / inside;
}

static double elastic_energy_of(const subject *s)
{
    double sum = 0.0, energy = 0.0;
    for (int32_t i = 0; i < pli_world_constraints_count(s->world); i++) {
        const pli_constraints set = pli_world_constraints_at(s->world, i);
        pli_constraints_info info;
        if (pli_constraints_get_info(s->world, set, &info, NULL) == PLI_STATUS_OK &&
            memcmp(&info.deformable, &s->deformable, sizeof s->deformable) == 0)
            sum += pli_constraints_energy(s->world, set);
    }
    return pli_deformable_get_plate_energy(s->world, s->deformable, &energy, NULL) == PLI_STATUS_OK ? sum + energy
                                                                                                    : sum;
}

static void energy_of(const subject *s, double *values)
{
    pli_deformable_statistics statistics;
    if (pli_deformable_get_statistics(s->world, s->deformable, &statistics, NULL) == PLI_STATUS_OK)
        values[0] = statistics.kinetic_energy;
    values[1] = elastic_energy_of(s);
}

// In the order of the measures of scene_table.c.
static const struct measure {
    const char *name, *values[PLI_CLI_PROBE_VALUES]; // One value has no name.
    int32_t count;
    void (*measure)(const subject *s, double *values);
} rows[] = {
    {"position", {"x", "y", "z"}, 3, position_of},
    {"bounds", {"min_x", "min_y", "min_z", "max_x", "max_y", "max_z"}, 6, bounds_of},
    {"area", {NULL}, 1, area_of},
    {"volume", {NULL}, 1, volume_of},
    {"curvature", {NULL}, 1, curvature_of},
    {"energy", {"kinetic", "elastic"}, 2, energy_of},
};

/* ---- probes --------------------------------------------------------------------------------- */

static const struct measure *row_of(const pli_scene_probe *probe)
{
    int32_t i = 0;
    while (i + 1 < PLI_CLI_COUNT(rows) && strcmp(rows[i].name, probe->measure) != 0)
        i++;
    return &rows[i];
}

// The world, deformable and vertex of a probe; without positions if the deformable no longer exists.
static subject subject_of(pli_world *world, const pli_scene_probe *probe)
{
    const int32_t count = pli_world_deformable_count(world);
    int32_t i = 0;
    for (; probe->deformable && i < count; i++) {
        const char *name = pli_deformable_name(world, pli_world_deformable_at(world, i));
        if (name && strcmp(name, probe->deformable) == 0)
            break;
    }
    subject s = {.world = world, .deformable = pli_world_deformable_at(world, i), .vertex = probe->vertex};
    if (i < count) {
        s.mesh = pli_deformable_rest_mesh(world, s.deformable);
        s.positions = pli_deformable_positions(world, s.deformable);
    }
    return s;
}

pli_status pli_cli_probes_check(const pli_scene *scene, pli_world *world, pli_error *error)
{
    for (int32_t i = 0; i < pli_scene_probe_count(scene); i++) {
        const pli_scene_probe probe = pli_scene_get_probe(scene, i);
        const int32_t count = subject_of(world, &probe).positions.count;
        if (probe.vertex >= count)
            return pli_cli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                                "probes[%d].vertex: vertex %d does not exist; the deformable has %d, from 0", (int)i,
                                (int)probe.vertex, (int)count);
    }
    return PLI_STATUS_OK;
}

void pli_cli_probes_header(const pli_scene *scene, pli_text *out)
{
    for (int32_t i = 0; i < pli_scene_probe_count(scene); i++) {
        const pli_scene_probe probe = pli_scene_get_probe(scene, i);
        const struct measure *row = row_of(&probe);
        char *name = pli_cli_format("%s", probe.name);
        pli_cli_name_clean(name);
        for (int32_t k = 0; k < row->count; k++)
            pli_text_add(out, row->count > 1 ? ",probe_%s_%s" : ",probe_%s", name, row->values[k]);
        free(name);
    }
}

int32_t pli_cli_probe_values(const pli_scene *scene, int32_t i, pli_world *world, double *values)
{
    const pli_scene_probe probe = pli_scene_get_probe(scene, i);
    const struct measure *row = row_of(&probe);
    const subject s = subject_of(world, &probe);
    for (int32_t k = 0; k < row->count; k++)
        values[k] = (double)NAN;
    if (s.positions.count > s.vertex)
        row->measure(&s, values);
    return row->count;
}

json_t *pli_cli_probes_json(const pli_scene *scene, pli_world *world)
{
    json_t *probes = json_object();
    for (int32_t i = 0; i < pli_scene_probe_count(scene); i++) {
        const pli_scene_probe probe = pli_scene_get_probe(scene, i);
        const struct measure *row = row_of(&probe);
        double values[PLI_CLI_PROBE_VALUES];
        pli_cli_probe_values(scene, i, world, values);
        json_t *found = row->count == 1 ? pli_cli_json_number(values[0]) : json_object();
        for (int32_t k = 0; row->count > 1 && k < row->count; k++)
            json_object_set_new(found, row->values[k], pli_cli_json_number(values[k]));
        json_object_set_new(probes, probe.name, found);
    }
    return probes;
}
