// The statistics of a step are true of its intersections: in every frame of scenes that cannot go well, the pairs given up and the
// intersections of pli_statistics tell of it exactly when edges go through triangles, by brute force over all of them.
#include "sheets.h"
#include "tears.h"

#include "pliant/rigid.h"

typedef struct hard {
    const char *name;
    pli_world *(*make)(void);
    void (*drive)(pli_world *world, int32_t frame);
    int32_t frames;
    bool crosses; // Whether it cannot but cross itself in some frame.
} hard;

static pli_world *open_world(void)
{
    pli_world_def def = contact_world_def(PLI_CCD_ADVANCEMENT, 1);
    def.settings.substeps = 6;
    return world_from(&def);
}

static pli_deformable sheet(pli_world *world, int32_t columns, int32_t rows, pli_transform pose, bool self)
{
    return drop_cloth(world, mesh_grid(columns, rows, 0.5, PLI_GRID_ALTERNATING), pose, 0.01, self);
}

static void put(pli_world *world, int32_t attachment, pli_vec3 position, pli_quat turn)
{
    must(pli_attachment_set_pose(world, pli_world_attachment_at(world, attachment), (pli_transform){position, turn},
                                 &problem));
}

static const pli_quat unturned = {0.0f, 0.0f, 0.0f, 1.0f};

/* ---- scenes ------------------------------------------------------------------------------------ */

// A sheet held on both sides is folded through itself, as far as it lets its holders go.
static pli_world *folded(void)
{
    pli_world *world = open_world();
    pli_deformable cloth = sheet(world, 9, 9, pli_transform_identity(), true);
    attach_every(world, cloth, 0, 9, 9);
    attach_every(world, cloth, 8, 9, 9);
    return world;
}

// The same with self-contact of particles, which lets it through.
static pli_world *folded_particles(void)
{
    pli_world *world = folded();
    pli_deformable cloth = pli_world_deformable_at(world, 0);
    pli_deformable_def def;
    must(pli_deformable_get_def(world, cloth, &def, &problem));
    def.self_contact = PLI_SELF_CONTACT_PARTICLES;
    must(pli_deformable_set_def(world, cloth, &def, &problem));
    return world;
}

static void fold(pli_world *world, int32_t frame)
{
    float way = 0.03f * (float)frame;
    put(world, 0, (pli_vec3){way, 0.02f * sinf(way), 0.0f}, unturned);
    put(world, 1, (pli_vec3){-way, 0.0f, 0.0f}, unturned);
}

// The same until it has gone through, and back.
static void fold_and_unfold(pli_world *world, int32_t frame) { fold(world, frame < 14 ? frame : 28 - frame); }

// Its ends are turned against each other as far as nothing goes.
static pli_world *twisted(void)
{
    pli_world *world = open_world();
    pli_deformable cloth = sheet(world, 5, 13, pli_transform_identity(), true);
    attach_every(world, cloth, 0, 5, 1);
    attach_every(world, cloth, 60, 5, 1);
    return world;
}

static void twist(pli_world *world, int32_t frame)
{
    put(world, 0, (pli_vec3){0, 0, 0}, quat_about((vec){0, 0, 1}, 0.35 * frame));
    put(world, 1, (pli_vec3){0, 0, 0}, quat_about((vec){0, 0, 1}, -0.35 * frame));
}

// A tube whose ends are turned and drawn apart.
static pli_world *wrung(void)
{
    pli_world *world = open_world();
    pli_mesh *tube;
    must(pli_mesh_create_tube(12, 15, 0.1f, 0.5f, false, PLI_GRID_ALTERNATING, &tube, &problem));
    pli_deformable cloth = drop_cloth(world, tube, pli_transform_identity(), 0.01, true);
    int32_t count = vertex_count_of(world, cloth);
    attach_every(world, cloth, 0, 12, 1);
    attach_every(world, cloth, count - 12, 12, 1);
    return world;
}

static void wring(pli_world *world, int32_t frame)
{
    for (int32_t k = 0; k < 2; k++)
        put(world, k, (pli_vec3){0, 0.002f * (float)(k ? frame : -frame), 0},
            quat_about((vec){0, 1, 0}, (k ? 0.1 : -0.1) * frame));
}

// Two loops of cloth through one another, drawn apart beyond what either can stretch.
static pli_world *linked(void)
{
    enum { ALONG = 31, ACROSS = 4 };
    pli_world *world = open_world();
    for (int32_t side = 0; side < 2; side++) {
        pli_mesh *flat = mesh_grid(ACROSS, ALONG, 1.0, PLI_GRID_ALTERNATING);
        const pli_topology *t = pli_mesh_topology(flat);
        float *at = copied_positions(flat);
        for (int32_t v = 0; v < t->vertex_count; v++) {
            double s = (double)(v / ACROSS) / (ALONG - 1), across = 0.06 * ((double)(v % ACROSS) / (ACROSS - 1) - 0.5);
            double angle = acos(-1.0) * s, x = -0.1 * cos(angle), y = -0.25 * sin(angle);
            at[3 * v] = (float)(side ? across : x), at[3 * v + 1] = (float)(side ? -0.15 - y : y);
            at[3 * v + 2] = (float)(side ? x : across);
        }
        pli_deformable cloth = drop_cloth(world, mesh_moved(flat, at), pli_transform_identity(), 0.008, true);
        attach_every(world, cloth, 0, ACROSS, 1), attach_every(world, cloth, ACROSS * (ALONG - 1), ACROSS, 1);
        pli_mesh_destroy(flat);
        free(at);
    }
    return world;
}

static void draw_apart(pli_world *world, int32_t frame)
{
    for (int32_t k = 0; k < 4; k++)
        put(world, k, (pli_vec3){0, (k < 2 ? 0.006f : -0.006f) * (float)frame, 0}, unturned);
}

// One held sheet is pulled through another.
static pli_world *pulled_through(void)
{
    pli_world *world = open_world();
    pli_transform below = pli_transform_identity();
    below.position.y = -0.05f;
    pli_deformable a = sheet(world, 7, 7, pli_transform_identity(), true), b = sheet(world, 8, 8, below, true);
    attach_every(world, a, 0, 7, 1), attach_every(world, a, 42, 7, 1);
    attach_every(world, b, 0, 8, 8), attach_every(world, b, 7, 8, 8);
    return world;
}

static void pull_through(pli_world *world, int32_t frame)
{
    for (int32_t k = 0; k < 4; k++)
        put(world, k, (pli_vec3){0, (k < 2 ? -0.02f : 0.02f) * (float)frame, 0}, unturned);
}

// A sheet between two boxes that close.
static pli_world *pressed(void)
{
    pli_world *world = open_world();
    sheet(world, 9, 9, pose_turned(20, (vec){1, 0, 0}, (vec){0, 0, 0}), true);
    for (int32_t k = 0; k < 2; k++) {
        pli_mesh *jaw;
        must(pli_mesh_create_box((pli_vec3){0.4f, 0.1f, 0.4f}, &jaw, &problem));
        pli_transform pose = pli_transform_identity();
        pose.position.y = k ? 0.25f : -0.25f;
        mesh_collider(world, jaw, pose, 0.3);
    }
    return world;
}

static void press(pli_world *world, int32_t frame)
{
    for (int32_t k = 0; k < 2; k++) {
        pli_transform pose = pli_transform_identity();
        pose.position.y = (k ? 1.0f : -1.0f) * fmaxf(0.25f - 0.015f * (float)frame, 0.03f);
        must(pli_collider_set_pose(world, pli_world_collider_at(world, k), pose, &problem));
    }
}

// A torn sheet falls on a ball.
static pli_world *torn(void)
{
    pli_world *world = open_world();
    pli_deformable cloth = sheet(world, 13, 13, pli_transform_identity(), true);
    const pli_tearing tearing = {.stretch = 1.08f, .force = INFINITY, .max_tears = 20};
    must(pli_deformable_set_tearing(world, cloth, &tearing, &problem));
    attach_every(world, cloth, 0, 13, 1), attach_every(world, cloth, 156, 13, 1);
    pli_mesh *ball;
    must(pli_mesh_create_sphere(2, 0.1f, &ball, &problem));
    pli_transform pose = pli_transform_identity();
    pose.position.y = -0.15f;
    mesh_collider(world, ball, pose, 0.3);
    return world;
}

static void tear(pli_world *world, int32_t frame)
{
    pli_transform pose = pli_transform_identity();
    pose.position = (pli_vec3){0.002f * (float)frame, -0.15f + 0.012f * (float)frame, 0.0f};
    must(pli_collider_set_pose(world, pli_world_collider_at(world, 0), pose, &problem));
    put(world, 0, (pli_vec3){0, 0, -0.003f * (float)frame}, unturned);
}

// Two sheets begin within each other.
static pli_world *tangled(void)
{
    pli_world *world = open_world();
    sheet(world, 8, 8, pli_transform_identity(), true);
    sheet(world, 7, 7, pose_turned(35, (vec){1, 0, 0}, (vec){0.02, 0.01, 0.03}), true);
    return world;
}

static void fall(pli_world *world, int32_t frame) { (void)world, (void)frame; }

static const hard scenes[] = {
    {"folded through itself", folded, fold, 24, false},
    {"folded and back", folded, fold_and_unfold, 34, false},
    {"twisted", twisted, twist, 40, false},
    {"pulled through another", pulled_through, pull_through, 24, false},
    {"wrung", wrung, wring, 70, false},
    {"linked", linked, draw_apart, 90, false},
    {"pressed", pressed, press, 20, false},
    {"torn", torn, tear, 40, false},
    {"within each other", tangled, fall, 30, true},
    {"folded with self-contact of particles", folded_particles, fold, 24, true},
};

/* ---- what is said of them ----------------------------------------------------------------------- */

static void check_scene(const hard *h)
{
    pli_world *world = h->make();
    int32_t crossed = 0;
    for (int32_t frame = 1; frame <= (shortened() && !h->crosses ? h->frames / 2 : h->frames); frame++) {
        h->drive(world, frame);
        step(world, 1.0 / 60.0);
        int32_t count = crossings(world);
        pli_statistics s = statistics_of(world);
        holds(count > 0 || s.intersection_count == 0, "%s, frame %d: %d intersections where there are none", h->name,
              (int)frame, (int)s.intersection_count);
        holds(count == 0 || s.intersection_count > 0, "%s, frame %d: %d crossings, and %d pairs given up", h->name,
              (int)frame, (int)count, (int)s.failed_pair_count);
        crossed += count > 0;
    }
    holds(h->crosses == (crossed > 0), "%s: %d frames with crossings", h->name, (int)crossed);
    pli_world_destroy(world);
}

static void counts_are_true_in_every_frame(void **state)
{
    (void)state;
    for (int32_t i = 0; i < COUNT_OF(scenes); i++)
        check_scene(&scenes[i]);
}

/* ---- balls of bodies ---------------------------------------------------------------------------- */

static double distance_from_segment(vec p, vec a, vec b)
{
    vec along = sub(b, a);
    double part = fmin(fmax(dot(sub(p, a), along) / dot(along, along), 0.0), 1.0);
    return distance(p, add(a, scale(along, part)));
}

static double distance_from_triangle(vec p, const vec t[3])
{
    vec normal = unit(cross(sub(t[1], t[0]), sub(t[2], t[0])));
    double least = INFINITY, height = dot(sub(p, t[0]), normal);
    bool within = true;
    for (int32_t k = 0; k < 3; k++) {
        vec a = t[k], b = t[(k + 1) % 3];
        least = fmin(least, distance_from_segment(p, a, b));
        within = within && dot(cross(normal, sub(b, a)), sub(p, a)) >= 0.0;
    }
    return within ? fabs(height) : least;
}

static double least_distance(const pli_world *world, vec from)
{
    shell s = shell_of(world);
    double least = INFINITY;
    for (int32_t i = 0; i < s.cloth; i++) {
        const vec corners[3] = {s.at[s.triangles[3 * i]], s.at[s.triangles[3 * i + 1]], s.at[s.triangles[3 * i + 2]]};
        least = fmin(least, distance_from_triangle(from, corners));
    }
    shell_release(&s);
    return least;
}

static const double ball_radius = 0.1;

// A held sheet at height 0, and a ball of a body that weighs 50 kg.
static pli_world *sheet_and_ball(float height, pli_rigid_body *body)
{
    pli_world *world = open_world();
    pli_deformable cloth = sheet(world, 9, 9, pli_transform_identity(), true);
    attach_every(world, cloth, 0, 9, 1), attach_every(world, cloth, 72, 9, 1);
    pli_rigid_body_def def = pli_rigid_body_def_default();
    def.inverse_mass = 0.02f;
    def.state.pose.position.y = height;
    must(pli_rigid_body_create(world, &def, body, &problem));
    pli_collider_def ball = pli_collider_def_default();
    ball.shape = PLI_SHAPE_SPHERE, ball.radius = (float)ball_radius, ball.body = *body;
    pli_collider collider;
    must(pli_collider_create(world, &ball, &collider, &problem));
    return world;
}

static double centre_to_cloth(const pli_world *world, pli_rigid_body body)
{
    pli_rigid_state at;
    must(pli_rigid_body_get_state(world, body, &at, &problem));
    const pli_vec3 c = at.pose.position;
    return least_distance(world, (vec){(double)c.x, (double)c.y, (double)c.z});
}

static void push(pli_world *world, pli_rigid_body body, float velocity)
{
    pli_rigid_state at;
    must(pli_rigid_body_get_state(world, body, &at, &problem));
    at.velocity = (pli_vec3){0.0f, velocity, 0.0f}, at.angular_velocity = (pli_vec3){0, 0, 0};
    must(pli_rigid_body_set_state(world, body, &at, false, &problem));
    step(world, 1.0 / 60.0);
}

// Its host draws it down into the sheet, further than cloth likes to stretch, and up again: the sheet stays out of the
// ball to its surface.
static void a_ball_of_a_body_is_kept_out_to_its_surface(void **state)
{
    (void)state;
    pli_rigid_body body;
    pli_world *world = sheet_and_ball(0.15f, &body);
    double nearest = INFINITY;
    for (int32_t frame = 0; frame < 60; frame++) {
        push(world, body, frame < 40 ? -0.6f : 0.6f);
        double least = centre_to_cloth(world, body);
        nearest = fmin(nearest, least);
        holds(least > ball_radius, "frame %d: cloth at %g of the radius", (int)frame, least / ball_radius);
        int32_t count = statistics_of(world).intersection_count;
        holds(count == 0, "frame %d: %d counted", (int)frame, (int)count);
    }
    holds(nearest < 1.02 * ball_radius, "it never came near: %g", nearest / ball_radius);
    pli_world_destroy(world);
}

// A ball that starts in the sheet: what is inside is counted in each frame as brute force has it, and comes out.
static void cloth_that_starts_in_a_ball_of_a_body_is_counted_and_comes_out(void **state)
{
    (void)state;
    pli_rigid_body body;
    pli_world *world = sheet_and_ball(0.04f, &body);
    int32_t inside = 0, frame = 0;
    for (; frame < 60; frame++) {
        push(world, body, 0.0f);
        double least = centre_to_cloth(world, body);
        int32_t count = statistics_of(world).intersection_count;
        holds(least > 0.9998 * ball_radius || count > 0, "frame %d: %g of the radius, %d counted", (int)frame,
              least / ball_radius, (int)count);
        holds(least < ball_radius || count == 0, "frame %d: %g of the radius, %d counted", (int)frame,
              least / ball_radius, (int)count);
        inside += count > 0;
    }
    double least = centre_to_cloth(world, body);
    holds(inside > 2 && least > ball_radius, "inside in %d frames, and at %g of the radius at the end", (int)inside,
          least / ball_radius);
    pli_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(counts_are_true_in_every_frame),
        property(a_ball_of_a_body_is_kept_out_to_its_surface),
        property(cloth_that_starts_in_a_ball_of_a_body_is_counted_and_comes_out),
    };
    return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
