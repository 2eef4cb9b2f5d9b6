// Generators: the counts of Kelager's Table 1 and of our own measurements, and every stencil against
// brute force in double: Fig. 6 as printed (texts A and B), the corrected rule, edges, hinges, rings.
#include "samples.h"
#include "worlds.h"

/* ---- brute force ----------------------------------------------------------------------------- */

typedef struct triple {
    int32_t low, high, tip;
} triple;

typedef struct triples {
    triple *items;
    int32_t count, degenerate;
} triples;

static int compare_triples(const void *a, const void *b)
{
    const triple *x = a, *y = b;
    if (x->tip != y->tip)
        return x->tip < y->tip ? -1 : 1;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->high > y->high) - (x->high < y->high);
}

static void triples_sort(triples *t)
{
    qsort(t->items, (size_t)t->count, sizeof *t->items, compare_triples);
    int32_t kept = 0;
    for (int32_t i = 0; i < t->count; i++)
        if (!i || compare_triples(&t->items[i], &t->items[i - 1]))
            t->items[kept++] = t->items[i];
    t->count = kept;
}

static void triples_add(triples *t, int32_t a, int32_t b, int32_t tip)
{
    if (a == b) {
        t->degenerate++;
        return;
    }
    t->items[t->count++] = (triple){a < b ? a : b, a < b ? b : a, tip};
}

// Neighbours along the polygons' edges, ascending.
typedef struct graph {
    int32_t *offsets, *neighbours;
    const pli_topology *topology;
} graph;

static int compare_ints(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static graph graph_make(const pli_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    graph g = {.topology = t};
    int32_t *found = malloc(sizeof *found * 2 * (size_t)t->corner_count);
    g.offsets = calloc((size_t)t->vertex_count + 1, sizeof *g.offsets);
    g.neighbours = malloc(sizeof *g.neighbours * (2 * (size_t)t->corner_count + 1));
    int32_t total = 0;
    // Corners by vertex, so that the search is not quadratic.
    int32_t *first = calloc((size_t)t->vertex_count + 1, sizeof *first);
    for (int32_t c = 0; c < t->corner_count; c++)
        first[t->face_vertices[c] + 1]++;
    for (int32_t v = 0; v < t->vertex_count; v++)
        first[v + 1] += first[v];
    int32_t *fill = malloc(sizeof *fill * ((size_t)t->vertex_count + 1));
    memcpy(fill, first, sizeof *fill * ((size_t)t->vertex_count + 1));
    for (int32_t f = 0; f < t->face_count; f++) {
        int32_t from = t->face_offsets[f], degree = t->face_offsets[f + 1] - from;
        for (int32_t c = 0; c < degree; c++) {
            int32_t at = fill[t->face_vertices[from + c]]++;
            found[2 * at] = t->face_vertices[from + (c + 1) % degree];
            found[2 * at + 1] = t->face_vertices[from + (c + degree - 1) % degree];
        }
    }
    for (int32_t v = 0; v < t->vertex_count; v++) {
        int32_t *mine = found + 2 * first[v], count = 2 * (first[v + 1] - first[v]);
        qsort(mine, (size_t)count, sizeof *mine, compare_ints);
        for (int32_t i = 0; i < count; i++)
            if (!i || mine[i] != mine[i - 1])
                g.neighbours[total++] = mine[i];
        g.offsets[v + 1] = total;
    }
    free(found);
    free(first);
    free(fill);
    return g;
}

static void graph_free(graph *g)
{
    free(g->offsets);
    free(g->neighbours);
}

static vec at(const graph *g, int32_t v) { return vec_of_floats(g->topology->positions + 3 * v); }

// The neighbour of v that lies straightest across from vi, or vi itself: lines 05 to 13 of Fig. 6.
static int32_t straightest(const graph *g, int32_t v, int32_t vi, double epsilon)
{
    double best = -epsilon;
    int32_t found = vi;
    vec a = unit(sub(at(g, vi), at(g, v)));
    for (int32_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
        double cosine = dot(a, unit(sub(at(g, g->neighbours[i]), at(g, v))));
        if (cosine < best)
            best = cosine, found = g->neighbours[i];
    }
    return found;
}

// The linear form needs a third neighbour: corners with two have none.
typedef enum rule { TEXT_A, TEXT_B, CORRECTED, WITH_THIRD } rule;

static triples brute_triples(const pli_mesh *mesh, rule which, double epsilon)
{
    graph g = graph_make(mesh);
    int32_t n = g.topology->vertex_count;
    triples out = {.items = malloc(sizeof(triple) * ((size_t)g.offsets[n] + 1))};
    int32_t *cons = malloc(sizeof *cons * ((size_t)n + 1));
    memset(cons, -1, sizeof *cons * ((size_t)n + 1));
    for (int32_t v = 0; v < n; v++) {
        for (int32_t i = g.offsets[v]; i < g.offsets[v + 1]; i++) {
            int32_t vi = g.neighbours[i], best = straightest(&g, v, vi, epsilon);
            if (which == TEXT_A && vi < best)
                triples_add(&out, vi, best, v);
            if (which == CORRECTED && best != vi)
                triples_add(&out, vi, best, v);
            if (which == WITH_THIRD && best != vi && g.offsets[v + 1] - g.offsets[v] > 2)
                triples_add(&out, vi, best, v);
            if (which == TEXT_B && cons[best] != vi) {
                cons[vi] = best;
                triples_add(&out, vi, best, v);
            }
        }
    }
    free(cons);
    graph_free(&g);
    triples_sort(&out);
    return out;
}

static triples made_triples(const pli_mesh *mesh, const char *generator)
{
    pli_stencils stencils = {0};
    must(pli_stencils_generate(mesh, generator, &stencils, &problem));
    triples out = {.items = malloc(sizeof(triple) * ((size_t)stencils.count + 1)),
                   .degenerate = stencils.degenerate_count};
    for (int32_t i = 0; i < stencils.count; i++) {
        const int32_t *p = stencils.particles + stencils.cardinality * i;
        int32_t before = out.degenerate;
        triples_add(&out, p[0], p[1], p[2]);
        holds(out.degenerate == before, "%s makes the degenerate triple %d", generator, i);
    }
    int32_t count = out.count;
    triples_sort(&out);
    holds(out.count == count, "%s: %d of %d triples are distinct", generator, out.count, count);
    pli_stencils_release(&stencils);
    return out;
}

static void compare_rule(const pli_mesh *mesh, const char *generator, rule which, const char *what)
{
    triples made = made_triples(mesh, generator), brute = brute_triples(mesh, which, which >= CORRECTED ? 0.05 : 0.0);
    near(made.count, brute.count, 0.0, "%s on %s: triples", generator, what);
    if (which != WITH_THIRD)
        near(made.degenerate, brute.degenerate, 0.0, "%s on %s: degenerate triples", generator, what);
    for (int32_t i = 0; i < made.count && i < brute.count; i++) {
        if (compare_triples(&made.items[i], &brute.items[i])) {
            failed("%s on %s: triple %d is (%d, %d, %d), by brute force (%d, %d, %d)\n", generator, what, i,
                   made.items[i].low, made.items[i].high, made.items[i].tip, brute.items[i].low, brute.items[i].high,
                   brute.items[i].tip);
            break;
        }
    }
    free(made.items);
    free(brute.items);
}

/* ---- meshes ---------------------------------------------------------------------------------- */

// A jittered grid whose squares are cut at random: as irregular as a Delaunay mesh.
static pli_mesh *mesh_irregular(int32_t side, double jitter)
{
    float *positions = malloc(sizeof *positions * 3 * (size_t)(side * side));
    int32_t *corners = malloc(sizeof *corners * 6 * (size_t)(side * side)), count = 0;
    for (int32_t i = 0; i < side * side; i++) {
        positions[3 * i] = (float)(i % side + uniform(-jitter, jitter));
        positions[3 * i + 1] = (float)uniform(-jitter, jitter);
        positions[3 * i + 2] = (float)(i / side + uniform(-jitter, jitter));
    }
    for (int32_t i = 0; i + side + 1 < side * side; i++) {
        if (i % side == side - 1)
            continue;
        const int32_t q[4] = {i, i + side, i + side + 1, i + 1};
        int32_t cut = below(2);
        const int32_t two[6] = {q[cut], q[cut + 1], q[cut + 2], q[cut], q[cut + 2], q[(cut + 3) % 4]};
        memcpy(corners + 3 * count, two, sizeof two);
        count += 2;
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = side * side;
    def.face_vertices = corners;
    def.face_count = count;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    free(positions);
    free(corners);
    return mesh;
}

// The same surface with its vertices in another order: vertex v becomes names[v].
static pli_mesh *mesh_renumbered(const pli_mesh *mesh, int32_t *names)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    float *positions = malloc(sizeof *positions * 3 * (size_t)t->vertex_count);
    int32_t *corners = malloc(sizeof *corners * (size_t)t->corner_count);
    int32_t *sizes = malloc(sizeof *sizes * (size_t)t->face_count);
    for (int32_t i = 0; i < t->vertex_count; i++)
        names[i] = i;
    for (int32_t i = t->vertex_count - 1; i > 0; i--) {
        int32_t j = below(i + 1), swap = names[i];
        names[i] = names[j], names[j] = swap;
    }
    for (int32_t i = 0; i < t->vertex_count; i++)
        memcpy(positions + 3 * names[i], t->positions + 3 * i, sizeof(float[3]));
    for (int32_t c = 0; c < t->corner_count; c++)
        corners[c] = names[t->face_vertices[c]];
    for (int32_t f = 0; f < t->face_count; f++)
        sizes[f] = t->face_offsets[f + 1] - t->face_offsets[f];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = t->vertex_count;
    def.face_sizes = sizes;
    def.face_vertices = corners;
    def.face_count = t->face_count;
    pli_mesh *other = NULL;
    must(pli_mesh_create(&def, &other, &problem));
    free(positions);
    free(corners);
    free(sizes);
    return other;
}

static pli_mesh *mesh_turned(const pli_mesh *mesh)
{
    float *positions = copied_positions(mesh);
    vec axis = unit(random_vec(1.0));
    double angle = uniform(0.1, 3.0);
    for (int32_t i = 0; i < pli_mesh_topology(mesh)->vertex_count; i++) {
        vec p = turned(vec_of_floats(positions + 3 * i), axis, angle);
        positions[3 * i] = (float)p.x, positions[3 * i + 1] = (float)p.y, positions[3 * i + 2] = (float)p.z;
    }
    pli_mesh *other = mesh_moved(mesh, positions);
    free(positions);
    return other;
}

// Positions and triangles of an OBJ file of ours; faces with more corners are kept whole.
static pli_mesh *mesh_asset(const char *name)
{
    const char *root = getenv("PLIANT_SOURCE_DIR");
    char path[1000], line[500];
    snprintf(path, sizeof path, "%s/scenes/meshes/%s", root ? root : ".", name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be opened; set PLIANT_SOURCE_DIR", path);
    enum { MOST = 20000 };
    float *positions = malloc(sizeof *positions * 3 * MOST);
    int32_t *corners = malloc(sizeof *corners * 4 * MOST), *sizes = malloc(sizeof *sizes * MOST);
    int32_t vertices = 0, faces = 0, total = 0;
    while (fgets(line, sizeof line, file)) {
        double x, y, z;
        if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) == 3 && vertices < MOST) {
            positions[3 * vertices] = (float)x, positions[3 * vertices + 1] = (float)y;
            positions[3 * vertices++ + 2] = (float)z;
        }
        if (line[0] != 'f' || faces == MOST)
            continue;
        sizes[faces] = 0;
        for (char *word = strtok(line + 1, " \r\n"); word; word = strtok(NULL, " \r\n")) {
            corners[total++] = atoi(word) - 1;
            sizes[faces]++;
        }
        faces++;
    }
    fclose(file);
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = vertices;
    def.face_vertices = corners;
    def.face_sizes = sizes;
    def.face_count = faces;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    free(positions);
    free(corners);
    free(sizes);
    return mesh;
}

static void expect(const pli_mesh *mesh, const char *what, const char *generator, int32_t count, int32_t degenerate)
{
    pli_stencils stencils = {0};
    must(pli_stencils_generate(mesh, generator, &stencils, &problem));
    near(stencils.count, count, 0.0, "%s on %s", generator, what);
    near(stencils.degenerate_count, degenerate, 0.0, "%s on %s: degenerate", generator, what);
    pli_stencils_release(&stencils);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void table_1_is_reproduced(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(10, 10, 1.0, PLI_GRID_QUADS);
    expect(mesh, "the fabric", "triples_fig6a", 160, 0);
    expect(mesh, "the fabric", "triples_fig6b", 160, 37);
    expect(mesh, "the fabric", "triples", 160, 0);
    expect(mesh, "the fabric", "triples_linear", 160, 0);
    expect(mesh, "the fabric", "hinges", 144, 0);
    expect(mesh, "the fabric", "second_neighbours", 160, 0);
    expect(mesh, "the fabric", "edges", 180, 0);
    for (int32_t i = 0; i < 20; i++) {
        int32_t names[100];
        pli_mesh *turned_mesh = mesh_turned(mesh), *other = mesh_renumbered(turned_mesh, names);
        expect(turned_mesh, "the turned fabric", "triples", 160, 0);
        expect(other, "the turned and renumbered fabric", "triples", 160, 0);
        expect(other, "the turned and renumbered fabric", "second_neighbours", 160, 0);
        expect(other, "the turned and renumbered fabric", "hinges", 144, 0);
        pli_mesh_destroy(turned_mesh);
        pli_mesh_destroy(other);
    }
    pli_mesh_destroy(mesh);
}

static void counts_on_known_meshes(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(10, 10, 1.0, PLI_GRID_DIAGONAL);
    expect(mesh, "one diagonal", "triples", 256, 0);
    expect(mesh, "one diagonal", "triples_fig6a", 240, 0);
    expect(mesh, "one diagonal", "triples_fig6b", 256, 37);
    expect(mesh, "one diagonal", "hinges", 225, 0);
    pli_mesh_destroy(mesh);
    mesh = mesh_grid(10, 10, 1.0, PLI_GRID_ALTERNATING);
    expect(mesh, "alternating diagonals", "triples", 256, 0);
    expect(mesh, "alternating diagonals", "hinges", 225, 0);
    pli_mesh_destroy(mesh);
    mesh = mesh_asset("bunny.obj");
    expect(mesh, "the bunny", "triples", 6446, 0);
    expect(mesh, "the bunny", "triples_fig6a", 5533, 0);
    expect(mesh, "the bunny", "triples_fig6b", 6455 - 12, 12);
    pli_mesh_destroy(mesh);
    mesh = mesh_asset("spot.obj");
    expect(mesh, "Spot", "triples", 9779, 0);
    expect(mesh, "Spot", "triples_fig6a", 8756, 0);
    expect(mesh, "Spot", "triples_fig6b", 9770, 0);
    pli_mesh_destroy(mesh);
}

// Vertices with six neighbours have three triples. The twelve with five have ties, each neighbour being as far
// from two others: by the lowest index, three to five triples, and turning the ball must not change which.
static void ties_are_settled_by_index(void **state)
{
    (void)state;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create_sphere(3, 1.0f, &mesh, &problem));
    expect(mesh, "the icosphere", "hinges", 1920, 0);
    triples here = made_triples(mesh, "triples");
    holds(here.count >= 3 * 630 + 3 * 12 && here.count <= 3 * 630 + 5 * 12, "%d triples", here.count);
    for (int32_t i = 0; i < 10; i++) {
        pli_mesh *other = mesh_turned(mesh);
        triples there = made_triples(other, "triples");
        near(there.count, here.count, 0.0, "triples of the turned icosphere");
        holds(!memcmp(there.items, here.items, sizeof(triple) * (size_t)here.count), "the same triples");
        free(there.items);
        pli_mesh_destroy(other);
    }
    free(here.items);
    pli_mesh_destroy(mesh);
}

static void compare_all_rules(const pli_mesh *mesh, const char *what)
{
    compare_rule(mesh, "triples_fig6a", TEXT_A, what);
    compare_rule(mesh, "triples_fig6b", TEXT_B, what);
    compare_rule(mesh, "triples", CORRECTED, what);
    compare_rule(mesh, "triples_linear", WITH_THIRD, what);
}

static void figure_6_by_brute_force(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 12; i++) {
        pli_mesh *mesh = mesh_irregular(4 + 2 * i, 0.25);
        compare_all_rules(mesh, "an irregular mesh");
        pli_mesh_destroy(mesh);
        mesh = mesh_ball(1 + i % 3, 0.1);
        compare_all_rules(mesh, "a jittered ball");
        pli_mesh_destroy(mesh);
    }
    // More neighbours than there is room for side by side.
    pli_mesh *hub = mesh_fan(150);
    compare_all_rules(hub, "a hub");
    pli_mesh_destroy(hub);
    const char *const assets[] = {"bunny.obj", "spot.obj"};
    for (int32_t i = 0; i < 2; i++) {
        pli_mesh *mesh = mesh_asset(assets[i]);
        compare_all_rules(mesh, assets[i]);
        pli_mesh_destroy(mesh);
    }
}

// The corrected rule does not know the numbering; text A does.
static void renumbering_maps_the_triples(void **state)
{
    (void)state;
    int32_t differs = 0;
    for (int32_t i = 0; i < 10; i++) {
        enum { SIDE = 12 };
        int32_t names[SIDE * SIDE];
        pli_mesh *mesh = mesh_irregular(SIDE, 0.25), *other = mesh_renumbered(mesh, names);
        triples before = made_triples(mesh, "triples"), after = made_triples(other, "triples");
        for (int32_t k = 0; k < before.count; k++) {
            triple *t = &before.items[k];
            int32_t a = names[t->low], b = names[t->high];
            *t = (triple){a < b ? a : b, a < b ? b : a, names[t->tip]};
        }
        triples_sort(&before);
        near(after.count, before.count, 0.0, "triples after renumbering");
        holds(memcmp(before.items, after.items, sizeof(triple) * (size_t)before.count) == 0,
              "triples after renumbering");
        free(before.items);
        free(after.items);
        before = made_triples(mesh, "triples_fig6a"), after = made_triples(other, "triples_fig6a");
        differs += before.count != after.count;
        free(before.items);
        free(after.items);
        pli_mesh_destroy(mesh);
        pli_mesh_destroy(other);
    }
    holds(differs > 0, "text A hangs on the numbering: %d of 10 counts differ", differs);
}

static void right_angles_of_turned_grids_need_a_threshold(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_grid(10, 10, 1.0, PLI_GRID_QUADS), *other = mesh_turned(mesh);
    triples exact = brute_triples(other, CORRECTED, 0.0), safe = brute_triples(other, CORRECTED, 0.05);
    holds(exact.count > 165, "cos < 0 finds %d triples on a turned grid", exact.count);
    near(safe.count, 160, 0.0, "cos < -0.05");
    free(exact.items);
    free(safe.items);
    pli_mesh_destroy(mesh);
    pli_mesh_destroy(other);
}

static bool joined(const graph *g, int32_t a, int32_t b)
{
    for (int32_t i = g->offsets[a]; i < g->offsets[a + 1]; i++)
        if (g->neighbours[i] == b)
            return true;
    return false;
}

// How often the directed edge (a, b) occurs in a face, and the vertex after it.
static int32_t follows(const pli_topology *t, int32_t a, int32_t b, int32_t *next)
{
    int32_t found = 0;
    for (int32_t f = 0; f < t->face_count; f++) {
        int32_t from = t->face_offsets[f], degree = t->face_offsets[f + 1] - from;
        for (int32_t c = 0; c < degree; c++) {
            if (t->face_vertices[from + c] == a && t->face_vertices[from + (c + 1) % degree] == b) {
                *next = t->face_vertices[from + (c + 2) % degree];
                found++;
            }
        }
    }
    return found;
}

static void check_pairs_and_hinges(const pli_mesh *mesh, const char *what)
{
    graph g = graph_make(mesh);
    const pli_topology *t = g.topology;
    int32_t edges = g.offsets[t->vertex_count] / 2, inner = 0, unused;
    pli_stencils made = {0};
    must(pli_stencils_generate(mesh, "edges", &made, &problem));
    near(made.count, edges, 0.0, "edges on %s", what);
    for (int32_t i = 0; i < made.count; i++)
        holds(joined(&g, made.particles[2 * i], made.particles[2 * i + 1]), "edge %d on %s", i, what);
    for (int32_t i = 0; i < edges; i++)
        inner += follows(t, made.particles[2 * i], made.particles[2 * i + 1], &unused) +
                     follows(t, made.particles[2 * i + 1], made.particles[2 * i], &unused) ==
                 2;
    pli_stencils_release(&made);
    pli_stencils opposite = {0};
    must(pli_stencils_generate(mesh, "hinges", &made, &problem));
    must(pli_stencils_generate(mesh, "opposite", &opposite, &problem));
    near(made.count, inner, 0.0, "hinges on %s", what);
    near(opposite.count + opposite.degenerate_count + opposite.duplicate_count, inner, 0.0, "opposites on %s", what);
    for (int32_t i = 0; i < made.count; i++) {
        const int32_t *p = made.particles + 4 * i;
        int32_t third = -1, fourth = -1;
        holds(follows(t, p[0], p[1], &third) == 1 && third == p[2], "hinge %d on %s: third vertex %d", i, what, p[2]);
        holds(follows(t, p[1], p[0], &fourth) == 1 && fourth == p[3], "hinge %d on %s: fourth vertex %d", i, what,
              p[3]);
    }
    pli_stencils_release(&made);
    pli_stencils_release(&opposite);
    graph_free(&g);
}

static void edges_and_hinges_by_brute_force(void **state)
{
    (void)state;
    for (int32_t pattern = PLI_GRID_QUADS; pattern <= PLI_GRID_CROSSED; pattern++) {
        pli_mesh *mesh = mesh_grid(6, 5, 1.0, (pli_grid_pattern)pattern);
        check_pairs_and_hinges(mesh, "a grid");
        pli_mesh_destroy(mesh);
    }
    pli_mesh *mesh = mesh_irregular(8, 0.2);
    check_pairs_and_hinges(mesh, "an irregular mesh");
    pli_mesh_destroy(mesh);
    mesh = mesh_ball(2, 0.0);
    check_pairs_and_hinges(mesh, "a ball");
    pli_mesh_destroy(mesh);
}

// Two tips over a ring: across each side of the ring the tips are opposite each other, and across the two edges from a vertex of the ring to
// the tips its neighbours are. Each such pair is made once, whether few or many equal ones are between the same particles.
static void equal_pairs_are_made_once(void **state)
{
    (void)state;
    enum { MOST = 60 };
    for (int32_t ring = 5; ring <= MOST; ring++) {
        float positions[3 * (MOST + 2)] = {0, 1, 0, 0, -1, 0};
        int32_t corners[6 * MOST];
        for (int32_t i = 0; i < ring; i++) {
            const double angle = 2.0 * 3.14159265358979 * i / ring;
            const int32_t here = i + 2, next = (i + 1) % ring + 2;
            const int32_t sides[] = {0, here, next, 1, next, here};
            positions[3 * here] = (float)cos(angle), positions[3 * here + 2] = (float)-sin(angle);
            memcpy(corners + 6 * i, sides, sizeof sides);
        }
        pli_mesh_def def = pli_mesh_def_default();
        def.positions = positions, def.vertex_count = ring + 2;
        def.face_vertices = corners, def.face_count = 2 * ring;
        pli_mesh *mesh = NULL;
        pli_stencils made = {0};
        must(pli_mesh_create(&def, &mesh, &problem));
        must(pli_stencils_generate(mesh, "opposite", &made, &problem));
        near(made.count, ring + 1, 0.0, "opposites of a ring of %d", ring);
        near(made.duplicate_count, 2 * ring - 1, 0.0, "equal opposites of a ring of %d", ring);
        for (int32_t i = 0; i < made.count; i++)
            for (int32_t k = 0; k < i; k++) {
                const int32_t *a = made.particles + 2 * i, *b = made.particles + 2 * k;
                holds(!(a[0] == b[0] && a[1] == b[1]) && !(a[0] == b[1] && a[1] == b[0]), "ring of %d: pairs %d and %d",
                      ring, k, i);
            }
        pli_stencils_release(&made);
        pli_mesh_destroy(mesh);
    }
}

static void second_neighbours_end_straight_triples(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_irregular(12, 0.25);
    graph g = graph_make(mesh);
    triples straight = brute_triples(mesh, CORRECTED, 0.05);
    int32_t expected = 0;
    for (int32_t i = 0; i < straight.count; i++) {
        // A pair counts once, whichever vertex it goes through.
        straight.items[i].tip = 0;
        if (joined(&g, straight.items[i].low, straight.items[i].high))
            straight.items[i--] = straight.items[--straight.count];
    }
    triples_sort(&straight);
    expected = straight.count;
    pli_stencils made = {0};
    must(pli_stencils_generate(mesh, "second_neighbours", &made, &problem));
    near(made.count, expected, 0.0, "second neighbours");
    triples pairs = {.items = malloc(sizeof(triple) * ((size_t)made.count + 1))};
    for (int32_t i = 0; i < made.count; i++)
        triples_add(&pairs, made.particles[2 * i], made.particles[2 * i + 1], 0);
    triples_sort(&pairs);
    holds(pairs.count == expected && !memcmp(pairs.items, straight.items, sizeof(triple) * (size_t)expected),
          "the %d pairs are those of brute force", pairs.count);
    free(pairs.items);
    free(straight.items);
    pli_stencils_release(&made);
    graph_free(&g);
    pli_mesh_destroy(mesh);
}

static void rings_surround_their_vertex(void **state)
{
    (void)state;
    pli_mesh *meshes[] = {mesh_irregular(8, 0.2), mesh_ball(2, 0.1)};
    const int32_t inside[] = {36, 162};
    for (int32_t m = 0; m < 2; m++) {
        graph g = graph_make(meshes[m]);
        pli_stencils made = {0};
        must(pli_stencils_generate(meshes[m], "rings", &made, &problem));
        near(made.count, inside[m], 0.0, "rings");
        for (int32_t i = 0; i < made.count; i++) {
            const int32_t *p = made.particles + made.offsets[i];
            int32_t count = made.offsets[i + 1] - made.offsets[i], unused;
            near(count - 1, g.offsets[p[0] + 1] - g.offsets[p[0]], 0.0, "neighbours of vertex %d", p[0]);
            for (int32_t k = 1; k < count; k++) {
                int32_t next = k + 1 < count ? p[k + 1] : p[1];
                holds(follows(g.topology, p[0], p[k], &unused) == 1 && unused == next, "ring of vertex %d goes round",
                      p[0]);
            }
        }
        pli_stencils_release(&made);
        graph_free(&g);
        pli_mesh_destroy(meshes[m]);
    }
}

static void closed_volume_wants_closed_components(void **state)
{
    (void)state;
    pli_mesh *open = mesh_grid(4, 4, 1.0, PLI_GRID_QUADS), *ball = mesh_ball(1, 0.1);
    pli_stencils made = {0};
    holds(pli_stencils_generate(open, "closed_volume", &made, &problem) == PLI_STATUS_INVALID_MESH, "an open mesh");
    holds(strstr(problem.message, "closed") != NULL, "message: %.99s", problem.message);
    must(pli_stencils_generate(ball, "closed_volume", &made, &problem));
    near(made.count, 1, 0.0, "volumes of a ball");
    near(made.offsets[1] - made.offsets[0], 42, 0.0, "particles");
    near(made.triangle_offsets[1] - made.triangle_offsets[0], 80, 0.0, "triangles");
    // The stencil's triangles, in its own indices, enclose the mesh's volume.
    double volume = 0.0;
    for (int32_t i = 0; i < 80; i++) {
        vec p[3];
        for (int32_t k = 0; k < 3; k++)
            p[k] = vec_of_floats(pli_mesh_topology(ball)->positions + 3 * made.particles[made.triangles[3 * i + k]]);
        volume += dot(cross(p[0], p[1]), p[2]) / 6.0;
    }
    near(volume, pli_mesh_get_report(ball)->volume, 1e-7, "volume of the stencil");
    pli_stencils_release(&made);
    pli_stencils_release(&made);
    pli_stencils_release(NULL);
    holds(pli_stencils_generate(ball, "tripels", &made, &problem) == PLI_STATUS_NOT_FOUND, "a wrong name");
    holds(strstr(problem.message, "tripels") != NULL, "the message names it: %.99s", problem.message);
    pli_mesh_destroy(open);
    pli_mesh_destroy(ball);
}

static bool sound_stencils(const pli_stencils *s, const pli_topology *t)
{
    for (int32_t i = 0; i < s->count; i++) {
        int32_t from = s->cardinality ? i * s->cardinality : s->offsets[i];
        int32_t to = s->cardinality ? from + s->cardinality : s->offsets[i + 1];
        for (int32_t a = from; a < to; a++) {
            if (s->particles[a] < 0 || s->particles[a] >= t->vertex_count)
                return false;
            for (int32_t b = from; b < a; b++)
                if (s->particles[a] == s->particles[b])
                    return false;
        }
        if (s->areas && !(s->areas[i] >= 0.0 && isfinite(s->areas[i])))
            return false;
    }
    return true;
}

// Every row: particles in range and different, areas not negative, the same on a second run.
static void every_generator_is_sound_and_repeatable(void **state)
{
    (void)state;
    pli_mesh *meshes[] = {mesh_irregular(7, 0.25), mesh_ball(2, 0.1), mesh_grid(5, 5, 1.0, PLI_GRID_CROSSED),
                          mesh_fan(6)};
    for (int32_t row = 0; row < pli_generator_count(); row++) {
        const pli_generator *generator = pli_generator_at(row);
        holds(generator->name && generator->summary && generator->source, "row %d", row);
        holds(pli_generator_find(generator->name) == generator, "%s is found", generator->name);
        for (int32_t m = 0; m < COUNT_OF(meshes); m++) {
            pli_stencils first = {0}, second = {0};
            pli_status status = pli_stencils_generate(meshes[m], generator->name, &first, &problem);
            holds(status == PLI_STATUS_OK || status == PLI_STATUS_INVALID_MESH, "%s: status %d", generator->name,
                  status);
            if (status)
                continue;
            must(pli_stencils_generate(meshes[m], generator->name, &second, &problem));
            holds(first.cardinality == generator->cardinality, "%s: cardinality", generator->name);
            holds(sound_stencils(&first, pli_mesh_topology(meshes[m])), "%s on mesh %d", generator->name, m);
            int32_t size = first.cardinality ? first.cardinality * first.count : first.offsets[first.count];
            holds(first.count == second.count &&
                      !memcmp(first.particles, second.particles, sizeof(int32_t) * (size_t)size),
                  "%s repeats itself", generator->name);
            pli_stencils_release(&first);
            pli_stencils_release(&second);
        }
    }
    for (int32_t m = 0; m < COUNT_OF(meshes); m++)
        pli_mesh_destroy(meshes[m]);
    holds(!pli_generator_at(-1) && !pli_generator_at(pli_generator_count()), "rows out of range");
}

// Threads of a host, as far from the usual order as can be.
static void run_backwards(void *user, int32_t count, pli_task task, void *data)
{
    *(int32_t *)user += count;
    for (int32_t i = count - 1; i >= 0; i--)
        task(data, i);
}

static bool same_words(const void *a, const void *b, int32_t count, size_t size)
{
    return (!a && !b) || (a && b && memcmp(a, b, (size_t)count * size) == 0);
}

static bool same_stencils(const pli_stencils *a, const pli_stencils *b)
{
    if (a->count != b->count || a->degenerate_count != b->degenerate_count || a->duplicate_count != b->duplicate_count)
        return false;
    int32_t size = a->offsets ? a->offsets[a->count] : a->count * a->cardinality;
    int32_t triangles = a->triangle_offsets ? a->triangle_offsets[a->count] : 0;
    return same_words(a->offsets, b->offsets, a->count + 1, sizeof *a->offsets) &&
           same_words(a->particles, b->particles, size, sizeof *a->particles) &&
           same_words(a->triangle_offsets, b->triangle_offsets, a->count + 1, sizeof *a->offsets) &&
           same_words(a->triangles, b->triangles, 3 * triangles, sizeof *a->triangles) &&
           same_words(a->areas, b->areas, a->count, sizeof *a->areas);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    pli_mesh *meshes[] = {mesh_jittered(mesh_grid(97, 89, 1.0, PLI_GRID_ALTERNATING), 0.2, 0.1), mesh_fan(300),
                          mesh_grid(80, 90, 1.0, PLI_GRID_QUADS), mesh_asset("bunny.obj")};
    for (int32_t row = 0; row < pli_generator_count(); row++) {
        const pli_generator *generator = pli_generator_at(row);
        for (int32_t m = 0; m < COUNT_OF(meshes); m++) {
            int32_t pieces = 0;
            pli_stencils here = {0}, there = {.hooks = pli_hooks_default(), .tasks = {run_backwards, &pieces}};
            if (pli_stencils_generate(meshes[m], generator->name, &here, &problem) != PLI_STATUS_OK)
                continue;
            must(generator->generate(meshes[m], &there, &problem));
            holds(same_stencils(&here, &there), "%s on mesh %d: another result", generator->name, m);
            bool one_by_one = strstr(generator->name, "fig6") || strstr(generator->name, "volume");
            holds(m % 2 == 1 || one_by_one || pieces > 1, "%s on mesh %d: %d pieces", generator->name, m, pieces);
            pli_stencils_release(&here);
            pli_stencils_release(&there);
        }
    }
    for (int32_t m = 0; m < COUNT_OF(meshes); m++)
        pli_mesh_destroy(meshes[m]);
}

// Five vertices of which three lie on a line: a triangle without area, and sound ones around it.
static pli_mesh *mesh_with_a_flat_triangle(void)
{
    static const float positions[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 1, 1, 0, -1};
    static const int32_t corners[] = {0, 1, 2, 0, 2, 3, 1, 0, 4, 2, 1, 4};
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = 5;
    def.face_vertices = corners, def.face_count = 4;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

static void what_is_counted_as_degenerate_is_what_a_set_leaves_out(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_with_a_flat_triangle();
    const pli_constraint_type *type;
    int32_t all = 0;
    for (int32_t i = 0; (type = pli_constraint_type_at(i)) != NULL; i++) {
        pli_stencils stencils = {0};
        if (!type->generator || pli_stencils_generate(mesh, type->generator, &stencils, &problem) != PLI_STATUS_OK)
            continue;
        int32_t degenerate = -1;
        must(pli_stencils_count_degenerate(mesh, type, &stencils, &degenerate, &problem));
        pli_world *world = plain_world(PLI_METHOD_XPBD);
        pli_constraints_info info;
        const pli_constraints set = constrain(world, deform(world, mesh, NULL), type->name, NULL);
        must(pli_constraints_get_info(world, set, &info, &problem));
        near(info.constraint_count, stencils.count - degenerate, 0.0, "%s: constraints", type->name);
        all += degenerate;
        pli_world_destroy(world);
        pli_stencils_release(&stencils);
    }
    holds(all > 0, "nothing was degenerate");
    pli_mesh_destroy(mesh);
}

// A sheet of two parts of vertices and more of edges, with a triangle without area at its end.
static pli_mesh *mesh_of_several_parts(void)
{
    enum { COLUMNS = 520, ROWS = 260, VERTICES = COLUMNS * ROWS, FACES = 2 * (COLUMNS - 1) * (ROWS - 1) };
    static float positions[3 * VERTICES];
    static int32_t corners[3 * FACES];
    for (int32_t i = 0; i < VERTICES; i++) {
        positions[3 * i] = (float)(i % COLUMNS), positions[3 * i + 1] = (float)uniform(-0.2, 0.2);
        positions[3 * i + 2] = (float)(i / COLUMNS);
    }
    memcpy(positions + 3 * (VERTICES - 3), positions + 3 * (VERTICES - 2), 3 * sizeof(float));
    for (int32_t face = 0; face < FACES; face++) {
        const int32_t square = face / 2, at = square + square / (COLUMNS - 1);
        const int32_t triangles[2][3] = {{at, at + COLUMNS, at + 1}, {at + 1, at + COLUMNS, at + COLUMNS + 1}};
        memcpy(corners + 3 * face, triangles[face % 2], sizeof triangles[0]);
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = VERTICES;
    def.face_vertices = corners, def.face_count = FACES;
    pli_mesh *mesh = NULL;
    must(pli_mesh_create(&def, &mesh, &problem));
    return mesh;
}

// Part by part and for all types at once, as for each type over all stencils.
static void counts_are_those_of_all_stencils(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_of_several_parts();
    int32_t all_degenerate = 0;
    for (int32_t g = 0; g < pli_generator_count(); g++) {
        const pli_generator *generator = pli_generator_at(g);
        const pli_constraint_type *types[64];
        pli_constraint_count counts[64];
        int32_t type_count = 0;
        for (int32_t i = 0; i < pli_constraint_type_count(); i++)
            if (pli_constraint_type_at(i)->generator &&
                strcmp(pli_constraint_type_at(i)->generator, generator->name) == 0)
                types[type_count++] = pli_constraint_type_at(i);
        pli_stencils stencils = {0};
        const pli_status made = pli_stencils_generate(mesh, generator->name, &stencils, &problem);
        assert_int_equal(
            pli_generator_count_constraints(mesh, generator->name, types, type_count, 1 + g % 4, counts, &problem),
            made);
        for (int32_t i = 0; made == PLI_STATUS_OK && i < type_count; i++) {
            int32_t degenerate;
            must(pli_stencils_count_degenerate(mesh, types[i], &stencils, &degenerate, &problem));
            assert_int_equal(counts[i].made, stencils.count - degenerate);
            assert_int_equal(counts[i].degenerate, stencils.degenerate_count + degenerate);
            assert_int_equal(counts[i].duplicate, stencils.duplicate_count);
            all_degenerate += degenerate;
        }
        pli_stencils_release(&stencils);
    }
    holds(all_degenerate > 0, "nothing was degenerate");
    assert_int_equal(pli_generator_count_constraints(mesh, "none", NULL, 0, 1, NULL, &problem), PLI_STATUS_NOT_FOUND);
    assert_int_equal(pli_generator_count_constraints(mesh, "edges", NULL, 0, 0, NULL, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    assert_int_equal(pli_generator_count_constraints(mesh, "edges", NULL, 0, 65, NULL, &problem),
                     PLI_STATUS_INVALID_ARGUMENT);
    pli_mesh_destroy(mesh);
}

// The generator as it stands in Fig. 6 makes all at once; others make parts, which are the whole when they are put together.
static void parts_are_the_whole_in_order(void **state)
{
    (void)state;
    pli_mesh *mesh = mesh_of_several_parts();
    int32_t in_parts = 0;
    for (int32_t g = 0; g < pli_generator_count(); g++) {
        pli_stencils whole = {0};
        if (pli_stencils_generate(mesh, pli_generator_at(g)->name, &whole, &problem) != PLI_STATUS_OK)
            continue;
        int32_t at = 0, particles = 0, part_count = 1;
        for (int32_t part = 1; part <= part_count; part++) {
            pli_stencils some = {.part = part};
            must(pli_generator_at(g)->generate(mesh, &some, &problem));
            part_count = some.part_count;
            in_parts += part_count > 1;
            const int32_t count = some.offsets ? some.offsets[some.count] : some.count * some.cardinality;
            assert_memory_equal(some.particles, whole.particles + particles, (size_t)count * sizeof(int32_t));
            for (int32_t i = 0; i < some.count && some.areas; i++)
                near(some.areas[i], whole.areas[at + i], 0.0, "area");
            at += some.count, particles += count;
            pli_stencils_release(&some);
        }
        assert_int_equal(at, whole.count);
        pli_stencils beyond = {.part = INT32_MAX};
        must(pli_generator_at(g)->generate(mesh, &beyond, &problem));
        assert_int_equal(beyond.count, part_count > 0 ? 0 : whole.count);
        pli_stencils_release(&beyond);
        pli_stencils_release(&whole);
    }
    holds(in_parts > 0, "no generator made parts");
    pli_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(table_1_is_reproduced),
        property(counts_on_known_meshes),
        property(ties_are_settled_by_index),
        property(figure_6_by_brute_force),
        property(renumbering_maps_the_triples),
        property(right_angles_of_turned_grids_need_a_threshold),
        property(edges_and_hinges_by_brute_force),
        property(equal_pairs_are_made_once),
        property(second_neighbours_end_straight_triples),
        property(rings_surround_their_vertex),
        property(closed_volume_wants_closed_components),
        property(every_generator_is_sound_and_repeatable),
        property(threads_change_nothing),
        property(what_is_counted_as_degenerate_is_what_a_set_leaves_out),
        property(counts_are_those_of_all_stencils),
        property(parts_are_the_whole_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
