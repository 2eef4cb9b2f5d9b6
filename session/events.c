// The effect of each event on the world.
#include "session/events.h"

#include <pliant/math.h>

#include <stdlib.h>
#include <string.h>

static pli_vec3 vector_at(const pli_session_event *e, int32_t first)
{
    return (pli_vec3){e->numbers[first], e->numbers[first + 1], e->numbers[first + 2]};
}

static pli_deformable deformable_at(const pli_session *s, int32_t i) { return pli_world_deformable_at(s->world, i); }

/* ---- grabs -------------------------------------------------------------------------------------- */

static pli_status do_grab(pli_session *s, const pli_session_event *e, pli_error *error)
{
    pli_session_hand *hand = &s->tools.hands[e->indices[0]];
    pli_grab_def def = pli_grab_def_default();
    def.deformable = deformable_at(s, e->indices[1]);
    def.vertex = e->indices[2];
    def.radius = e->numbers[0];
    def.strength = e->numbers[1];
    pli_grab grab;
    pli_status status = pli_grab_begin(s->world, &def, &grab, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (hand->grab.attachment.id != 0) // An earlier grab that still fades.
        pli_attachment_destroy(s->world, hand->grab.attachment, NULL);
    *hand = (pli_session_hand){grab, e->indices[2], vector_at(e, 2), true};
    return status;
}

static pli_status do_pull(pli_session *s, const pli_session_event *e, pli_error *error)
{
    (void)error;
    s->tools.hands[e->indices[0]].target = vector_at(e, 0);
    return PLI_STATUS_OK;
}

static pli_status do_release(pli_session *s, const pli_session_event *e, pli_error *error)
{
    (void)error;
    s->tools.hands[e->indices[0]].holds = false;
    return PLI_STATUS_OK;
}

/* ---- pins --------------------------------------------------------------------------------------- */

// Returns the particles of an attachment, to be freed by the caller.
static int32_t *particles_of(const pli_session *s, pli_attachment attachment, int32_t *count)
{
    *count = 0;
    pli_attachment_particles(s->world, attachment, NULL, 0, count, NULL);
    int32_t *particles = calloc((size_t)*count + 1, sizeof *particles);
    if (!particles || pli_attachment_particles(s->world, attachment, particles, *count, count, NULL) != PLI_STATUS_OK)
        *count = 0;
    return particles;
}

static bool is_among(int32_t vertex, const int32_t *list, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (list[i] == vertex)
            return true;
    return false;
}

static bool fixes(const pli_session *s, pli_attachment attachment, pli_deformable deformable)
{
    pli_attachment_def def;
    return pli_attachment_get_def(s->world, attachment, &def, NULL) == PLI_STATUS_OK && def.fixed && def.enabled &&
           def.deformable.id == deformable.id;
}

void pli_session_pinned(const pli_session *s, pli_deformable deformable, float *pinned, int32_t vertex_count)
{
    memset(pinned, 0, (size_t)vertex_count * sizeof *pinned);
    for (int32_t i = 0; i < pli_world_attachment_count(s->world); i++) {
        const pli_attachment attachment = pli_world_attachment_at(s->world, i);
        if (!fixes(s, attachment, deformable))
            continue;
        int32_t count, *particles = particles_of(s, attachment, &count);
        for (int32_t k = 0; k < count; k++)
            if (particles[k] < vertex_count)
                pinned[particles[k]] = 1.0f;
        free(particles);
    }
}

void pli_session_painted(const pli_session *s, pli_deformable deformable, int32_t quantity, float *values,
                         int32_t count)
{
    const pli_session_layer *layer = pli_session_paint_find(s->paint, quantity,
                                                            pli_session_index_of(s->world, deformable));
    const float plain = pli_session_quantity_plain(s->world, deformable, quantity);
    for (int32_t i = 0; i < count; i++)
        values[i] = layer && i < layer->count ? layer->values[i] : plain;
    if (!pli_session_quantity_is_value(quantity))
        pli_session_pinned(s, deformable, values, count);
}

// The attachment that fixes a vertex, to a place and not to a body; null for none.
static pli_attachment pin_of(const pli_session *s, pli_deformable deformable, int32_t vertex)
{
    for (int32_t i = 0; i < pli_world_attachment_count(s->world); i++) {
        const pli_attachment attachment = pli_world_attachment_at(s->world, i);
        if (!fixes(s, attachment, deformable))
            continue;
        int32_t count, *particles = particles_of(s, attachment, &count);
        const bool found = is_among(vertex, particles, count);
        free(particles);
        if (found)
            return attachment;
    }
    return (pli_attachment){0};
}

bool pli_session_is_pinned(const pli_session *s, pli_deformable deformable, int32_t vertex)
{
    return pin_of(s, deformable, vertex).id != 0;
}

static pli_status extend(pli_session *s, const pli_session_event *e, pli_error *error)
{
    int32_t count, *before = particles_of(s, s->tools.pins, &count);
    int32_t *all = before ? realloc(before, ((size_t)count + (size_t)e->count) * sizeof *all) : NULL;
    if (!all) {
        free(before);
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "nothing is pinned: out of memory");
    }
    memcpy(all + count, e->vertices, (size_t)e->count * sizeof *all);
    pli_attachment_def def;
    pli_status status = pli_attachment_get_def(s->world, s->tools.pins, &def, error);
    def.particles = all, def.particle_count = count + e->count;
    if (status == PLI_STATUS_OK)
        status = pli_attachment_set_def(s->world, s->tools.pins, &def, error);
    free(all);
    return status;
}

static pli_status do_pin(pli_session *s, const pli_session_event *e, pli_error *error)
{
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = deformable_at(s, e->indices[0]);
    def.particles = e->vertices, def.particle_count = e->count;
    return e->indices[1] && s->tools.pins.id != 0 ? extend(s, e, error)
                                                  : pli_attachment_create(s->world, &def, &s->tools.pins, error);
}

static bool is_grab(const pli_session *s, pli_attachment attachment)
{
    bool found = false;
    for (int32_t i = 0; i < PLI_SESSION_HANDS; i++)
        found = found || s->tools.hands[i].grab.attachment.id == attachment.id;
    return found;
}

// Removes vertices from an attachment. An empty attachment is disabled instead of destroyed, since scenes number their attachments.
static pli_status free_from(pli_session *s, pli_attachment attachment, const pli_session_event *e, int32_t *freed,
                            pli_error *error)
{
    int32_t count, left = 0, *particles = particles_of(s, attachment, &count);
    if (!particles)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    pli_attachment_def def;
    pli_status status = pli_attachment_get_def(s->world, attachment, &def, error);
    for (int32_t i = 0; i < count; i++)
        if (!is_among(particles[i], e->vertices, e->count))
            particles[left++] = particles[i];
    *freed += count - left;
    def.enabled = left > 0;
    if (left > 0)
        def.particles = particles, def.particle_count = left;
    if (status == PLI_STATUS_OK && left < count)
        status = pli_attachment_set_def(s->world, attachment, &def, error);
    free(particles);
    return status;
}

static pli_status do_unpin(pli_session *s, const pli_session_event *e, pli_error *error)
{
    const pli_deformable deformable = deformable_at(s, e->indices[0]);
    pli_status status = PLI_STATUS_OK;
    int32_t freed = 0;
    for (int32_t i = 0; i < pli_world_attachment_count(s->world) && status == PLI_STATUS_OK; i++) {
        const pli_attachment attachment = pli_world_attachment_at(s->world, i);
        pli_attachment_def def;
        status = pli_attachment_get_def(s->world, attachment, &def, error);
        if (status == PLI_STATUS_OK && def.deformable.id == deformable.id && def.enabled && !is_grab(s, attachment))
            status = free_from(s, attachment, e, &freed, error);
    }
    return status == PLI_STATUS_OK && freed == 0 ? pli_fail(error, PLI_STATUS_NOT_FOUND, "nothing is pinned there")
                                                 : status;
}

/* ---- cuts, balls, air --------------------------------------------------------------------------- */

static pli_status do_cut(pli_session *s, const pli_session_event *e, pli_error *error)
{
    int32_t copies = 0;
    pli_cut_def cut = pli_cut_def_default();
    cut.point = vector_at(e, 0), cut.normal = vector_at(e, 3), cut.reach = e->numbers[6];
    pli_status status = pli_deformable_cut(s->world, deformable_at(s, e->indices[0]), &cut, &copies, error);
    if (status == PLI_STATUS_OK && copies == 0)
        return pli_fail(error, PLI_STATUS_NOT_FOUND, "nothing is cut: the stroke crosses no edge");
    s->breaks++;
    return status;
}

static pli_status do_ball(pli_session *s, const pli_session_event *e, pli_error *error)
{
    return pli_session_balls_throw(s->world, &s->tools.balls, s->ball_colliders, vector_at(e, 0), vector_at(e, 3),
                                   e->numbers[6], e->numbers[7], error);
}

static pli_status do_blow(pli_session *s, const pli_session_event *e, pli_error *error)
{
    (void)error;
    pli_session_gust_blow(&s->tools.gust, s->world, vector_at(e, 0), vector_at(e, 3), e->numbers[6]);
    return PLI_STATUS_OK;
}

static pli_status do_calm(pli_session *s, const pli_session_event *e, pli_error *error)
{
    (void)e, (void)error;
    s->tools.gust.blows = false;
    return PLI_STATUS_OK;
}

/* ---- pressure ----------------------------------------------------------------------------------- */

static const char pressure[] = "pressure";
static const double pressure_range[] = {0.5, 3.0}; // Times the pressure at rest.

static bool has_pressure(const pli_session *s, pli_constraints set)
{
    pli_constraints_info info;
    return pli_constraints_get_info(s->world, set, &info, NULL) == PLI_STATUS_OK &&
           strcmp(info.type->name, "volume") == 0;
}

bool pli_session_has_pressure(const pli_session *s)
{
    bool found = false;
    for (int32_t i = 0; i < pli_world_constraints_count(s->world); i++)
        found = found || has_pressure(s, pli_world_constraints_at(s->world, i));
    return found;
}

static pli_status do_pump(pli_session *s, const pli_session_event *e, pli_error *error)
{
    if (e->numbers[0] != 0.0f && !pli_session_has_pressure(s))
        return pli_fail(error, PLI_STATUS_NOT_FOUND,
                        "nothing is pumped: the scene has no closed surface with a pressure");
    s->tools.pump = e->numbers[0];
    return PLI_STATUS_OK;
}

static pli_status pump(pli_session *s, float dt, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < pli_world_constraints_count(s->world) && status == PLI_STATUS_OK; i++) {
        const pli_constraints set = pli_world_constraints_at(s->world, i);
        double now = 1.0;
        if (!has_pressure(s, set))
            continue;
        pli_constraints_get_parameter(s->world, set, pressure, &now, NULL);
        const double next = fmin(fmax(now + (double)(s->tools.pump * dt), pressure_range[0]), pressure_range[1]);
        status = pli_constraints_set_parameter(s->world, set, pressure, (double)(float)next, error);
    }
    return status;
}

/* ---- rigid motion ------------------------------------------------------------------------------- */

static const float fastest = 5.0f;

bool pli_session_moved_pose(const pli_session *s, pli_transform *pose)
{
    const pli_session_mover *m = &s->tools.mover;
    pli_attachment_def def;
    if (m->collider.id != 0)
        return pli_collider_pose(s->world, m->collider, pose, NULL) == PLI_STATUS_OK;
    if (m->attachment.id == 0 || pli_attachment_get_def(s->world, m->attachment, &def, NULL) != PLI_STATUS_OK)
        return false;
    *pose = def.pose;
    return true;
}

static pli_status take_collider(pli_session *s, pli_collider collider, pli_error *error)
{
    pli_collider_def def;
    bool found = pli_collider_get_def(s->world, collider, &def, NULL) == PLI_STATUS_OK && def.body.id == 0;
    for (int i = 0; i < PLI_SESSION_BALLS; i++)
        found = found && s->ball_colliders[i].id != collider.id;
    if (!found)
        return pli_fail(error, PLI_STATUS_NOT_FOUND, "only colliders of the scene that no body carries can be moved");
    s->tools.mover = (pli_session_mover){.collider = collider};
    return PLI_STATUS_OK;
}

static bool is_of_scene(const pli_session *s, pli_attachment attachment)
{
    bool found = false;
    for (int32_t i = 0; i < s->scene_attachments; i++)
        found = found || pli_world_attachment_at(s->world, i).id == attachment.id;
    return found;
}

// The scene moves its own attachments in each step, so a new attachment replaces one of those.
static pli_status take_over(pli_session *s, pli_attachment *attachment, pli_error *error)
{
    pli_attachment_def def, made;
    int32_t count, *particles = particles_of(s, *attachment, &count);
    pli_status status = pli_attachment_get_def(s->world, *attachment, &def, error);
    made = def;
    def.enabled = false;
    if (status == PLI_STATUS_OK)
        status = pli_attachment_set_def(s->world, *attachment, &def, error);
    made.particles = particles;
    made.particle_count = count;
    if (status == PLI_STATUS_OK)
        status = pli_attachment_create(s->world, &made, attachment, error);
    free(particles);
    return status;
}

static pli_status take_pin(pli_session *s, pli_deformable deformable, int32_t vertex, pli_error *error)
{
    pli_attachment attachment = pin_of(s, deformable, vertex);
    pli_attachment_def def;
    if (attachment.id == 0 || pli_attachment_get_def(s->world, attachment, &def, NULL) != PLI_STATUS_OK ||
        def.body.id != 0)
        return pli_fail(error, PLI_STATUS_NOT_FOUND,
                        "nothing can be moved there: press on a collider, or where cloth is pinned");
    pli_status status = is_of_scene(s, attachment) ? take_over(s, &attachment, error) : PLI_STATUS_OK;
    if (status == PLI_STATUS_OK)
        s->tools.mover = (pli_session_mover){.attachment = attachment};
    return status;
}

static pli_status do_take(pli_session *s, const pli_session_event *e, pli_error *error)
{
    pli_transform pose;
    if (e->indices[0] < 0 && (e->indices[1] < 0 || e->indices[2] < 0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "nothing is taken");
    pli_status status = e->indices[0] >= 0 ? take_collider(s, pli_world_collider_at(s->world, e->indices[0]), error)
                                           : take_pin(s, deformable_at(s, e->indices[1]), e->indices[2], error);
    if (status == PLI_STATUS_OK && pli_session_moved_pose(s, &pose))
        s->tools.mover.target = pose.position;
    return status;
}

static pli_status do_move(pli_session *s, const pli_session_event *e, pli_error *error)
{
    (void)error;
    s->tools.mover.target = vector_at(e, 0);
    return PLI_STATUS_OK;
}

static pli_status do_drop(pli_session *s, const pli_session_event *e, pli_error *error)
{
    (void)e, (void)error;
    s->tools.mover = (pli_session_mover){0};
    return PLI_STATUS_OK;
}

// The motion to the target is spread over several steps, so that it does not tear cloth.
static pli_status follow_target(pli_session *s, float dt, pli_error *error)
{
    pli_session_mover *m = &s->tools.mover;
    pli_transform pose;
    if (!pli_session_moved_pose(s, &pose)) {
        *m = (pli_session_mover){0};
        return PLI_STATUS_OK;
    }
    const pli_vec3 path = pli_sub(m->target, pose.position);
    const float length = sqrtf(pli_dot(path, path)), most = fastest * dt;
    pose.position = length > most ? pli_add(pose.position, pli_scale(path, most / length)) : m->target;
    return m->collider.id != 0 ? pli_collider_set_pose(s->world, m->collider, pose, error)
                               : pli_attachment_set_pose(s->world, m->attachment, pose, error);
}

/* ---- values and scenes -------------------------------------------------------------------------- */

static pli_status do_set(pli_session *s, const pli_session_event *e, pli_error *error)
{
    pli_session_control control = {.component = e->indices[2]};
    if (e->indices[0] >= 0)
        control.owner.set = pli_world_constraints_at(s->world, e->indices[0]);
    else if (e->indices[1] >= 0)
        control.owner.deformable = deformable_at(s, e->indices[1]);
    control.property = pli_session_owner_property(s->world, control.owner, e->name);
    if (!control.property)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "there is no value '%s'", e->name);
    return pli_session_control_write(s, &control, e->value, e->indices[3] != 0, error);
}

static pli_status do_paint(pli_session *s, const pli_session_event *e, pli_error *error)
{
    const int32_t quantity = pli_session_quantity_find(e->name);
    if (quantity < 0 || !pli_session_quantity_is_value(quantity))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' cannot be painted", e->name);
    return pli_session_paint_put(s, quantity, e->indices[0], e->vertices, e->values, e->count, error);
}

static pli_status do_side(pli_session *s, const pli_session_event *e, pli_error *error)
{
    (void)error;
    s->tools.side = e->indices[0];
    return PLI_STATUS_OK;
}

static void copy_motion(pli_world *to, const pli_world *from)
{
    for (int32_t i = 0; i < pli_world_deformable_count(to) && i < pli_world_deformable_count(from); i++) {
        const pli_deformable a = pli_world_deformable_at(from, i), b = pli_world_deformable_at(to, i);
        const pli_view positions = pli_deformable_positions(from, a), velocities = pli_deformable_velocities(from, a);
        const int32_t count = pli_deformable_positions(to, b).count;
        float *packed = count == positions.count ? malloc(6 * (size_t)count * sizeof *packed + 1) : NULL;
        for (int32_t k = 0; packed && k < count; k++) {
            memcpy(packed + 3 * (size_t)k, pli_view_at(positions, k), 3 * sizeof *packed);
            memcpy(packed + 3 * (size_t)(count + k), pli_view_at(velocities, k), 3 * sizeof *packed);
        }
        if (packed) {
            pli_deformable_set_positions(to, b, 0, count, packed, NULL);
            pli_deformable_set_velocities(to, b, 0, count, packed + 3 * (size_t)count, NULL);
        }
        free(packed);
    }
}

// Pins of the user that the new world can have are made there again.
static void copy_pins(const pli_session *s, pli_world *to)
{
    for (int32_t i = s->scene_attachments; i < pli_world_attachment_count(s->world); i++) {
        const pli_attachment attachment = pli_world_attachment_at(s->world, i);
        pli_attachment_def def;
        if (pli_attachment_get_def(s->world, attachment, &def, NULL) != PLI_STATUS_OK || !def.fixed || !def.enabled)
            continue;
        int32_t at = 0;
        while (pli_world_deformable_at(s->world, at).id != def.deformable.id)
            at++;
        int32_t *particles = particles_of(s, attachment, &def.particle_count);
        pli_attachment made;
        def.particles = particles;
        def.deformable = pli_world_deformable_at(to, at);
        pli_attachment_create(to, &def, &made, NULL);
        free(particles);
    }
}

static pli_status do_scene(pli_session *s, const pli_session_event *e, pli_error *error)
{
    pli_world *world = NULL;
    pli_session_balls balls;
    pli_collider colliders[PLI_SESSION_BALLS];
    pli_status status = pli_session_make_world(s, e->indices[0], &world, &balls, colliders, error);
    const int32_t attachments = world ? pli_world_attachment_count(world) : 0;
    if (status == PLI_STATUS_OK)
        status = pli_scene_seek(s->scenes[e->indices[0]], world, s->frame, error);
    if (status == PLI_STATUS_OK) {
        copy_motion(world, s->world);
        copy_pins(s, world);
        status = pli_session_balls_copy(world, &s->tools.balls, colliders, error);
    }
    if (status == PLI_STATUS_OK)
        status = pli_session_paint_switch(NULL, s->paint, world, error);
    if (status != PLI_STATUS_OK) {
        pli_world_destroy(world);
        return status;
    }
    pli_world_destroy(s->world);
    s->world = world;
    s->scene = e->indices[0];
    s->scene_attachments = attachments;
    s->worlds++;
    memcpy(s->ball_colliders, colliders, sizeof colliders);
    // Grabs and what is moved belong to the old world.
    memset(s->tools.hands, 0, sizeof s->tools.hands);
    s->tools.mover = (pli_session_mover){0};
    s->tools.pins = (pli_attachment){0};
    s->breaks++;
    return status;
}

/* ---- the table ---------------------------------------------------------------------------------- */

// Letters of the indices: h hand, d deformable, v vertex, s constraint set, c collider, k component, b 0 or 1, n scene. An
// upper-case letter also allows -1.
static const pli_session_row rows[PLI_SESSION_KINDS] = {
    [PLI_SESSION_GRAB] = {"grab", "hdv", 5, .act = do_grab},
    [PLI_SESSION_PULL] = {"pull", "h", 3, .act = do_pull},
    [PLI_SESSION_RELEASE] = {"release", "h", 0, .act = do_release},
    [PLI_SESSION_PIN] = {"pin", "db", 0, .has_vertices = true, .act = do_pin},
    [PLI_SESSION_UNPIN] = {"unpin", "d", 0, .has_vertices = true, .act = do_unpin},
    [PLI_SESSION_CUT] = {"cut", "d", 7, .act = do_cut},
    [PLI_SESSION_BALL] = {"ball", "", 8, .act = do_ball},
    [PLI_SESSION_BLOW] = {"blow", "", 7, .act = do_blow},
    [PLI_SESSION_CALM] = {"calm", "", 0, .act = do_calm},
    [PLI_SESSION_PUMP] = {"pump", "", 1, .act = do_pump},
    [PLI_SESSION_TAKE] = {"take", "CDV", 0, .act = do_take},
    [PLI_SESSION_MOVE] = {"move", "", 3, .act = do_move},
    [PLI_SESSION_DROP] = {"drop", "", 0, .act = do_drop},
    [PLI_SESSION_SET] = {"set", "SDKb", 0, .has_value = true, .has_name = true, .act = do_set},
    [PLI_SESSION_PAINT] = {"paint", "d", 0, .has_name = true, .has_vertices = true, .has_values = true,
                           .act = do_paint},
    [PLI_SESSION_SIDE] = {"side", "b", 0, .act = do_side},
    [PLI_SESSION_SCENE] = {"scene", "n", 0, .act = do_scene},
};

const pli_session_row *pli_session_row_of(int32_t kind) { return &rows[kind]; }

// One more than the largest index of a letter; `deformable` is the one before it in the list.
static int32_t limit_of(const pli_session *s, char letter, pli_deformable deformable)
{
    switch (letter) {
    case 'h':
        return PLI_SESSION_HANDS;
    case 'd':
        return pli_world_deformable_count(s->world);
    case 'v':
        return pli_deformable_positions(s->world, deformable).count;
    case 's':
        return pli_world_constraints_count(s->world);
    case 'c':
        return pli_world_collider_count(s->world);
    case 'k':
        return 3;
    case 'n':
        return s->scene_count;
    default:
        return 2;
    }
}

// Events of a text may come from elsewhere.
static bool is_valid(const pli_session *s, const pli_session_event *e)
{
    const pli_session_row *row = &rows[e->kind];
    pli_deformable deformable = {0};
    for (int32_t i = 0; row->indices[i]; i++) {
        const bool is_upper = row->indices[i] < 'a';
        const char letter = (char)(is_upper ? row->indices[i] + 32 : row->indices[i]);
        if (e->indices[i] < (is_upper ? -1 : 0) || e->indices[i] >= limit_of(s, letter, deformable))
            return false;
        if (letter == 'd' && e->indices[i] >= 0)
            deformable = deformable_at(s, e->indices[i]);
    }
    if (row->has_name && !e->name)
        return false;
    for (int32_t i = 0; i < row->number_count; i++)
        if (!isfinite(e->numbers[i]))
            return false;
    for (int32_t i = 0; row->has_vertices && i < e->count; i++)
        if (e->vertices[i] < 0 || e->vertices[i] >= limit_of(s, 'v', deformable))
            return false;
    return true;
}

pli_status pli_session_apply(pli_session *s, const pli_session_event *e, pli_error *error)
{
    if (!is_valid(s, e))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "'%s' has a number out of range", rows[e->kind].name);
    return rows[e->kind].act(s, e, error);
}

pli_status pli_session_move_tools(pli_session *s, pli_error *error)
{
    const pli_scene_view view = pli_scene_get_view(pli_session_scene(s));
    const float dt = (float)(1.0 / pli_scene_frames_per_second(pli_session_scene(s)));
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < PLI_SESSION_HANDS && status == PLI_STATUS_OK; i++) {
        pli_session_hand *hand = &s->tools.hands[i];
        if (hand->grab.attachment.id != 0)
            status = pli_grab_update(s->world, &hand->grab, hand->target, dt, hand->holds, error);
    }
    if (status == PLI_STATUS_OK)
        status = pli_session_gust_apply(&s->tools.gust, s->world, error);
    if (status == PLI_STATUS_OK && s->tools.pump != 0.0f)
        status = pump(s, dt, error);
    if (status == PLI_STATUS_OK)
        status = follow_target(s, dt, error);
    return status == PLI_STATUS_OK ? pli_session_balls_move(s->world, &s->tools.balls, s->ball_colliders, dt, view.up,
                                                            view.ground ? view.ground_height : -INFINITY, error)
                                   : status;
}

float pli_session_size(const pli_session *s)
{
    float most = 0.0f;
    for (int32_t i = 0; i < pli_world_deformable_count(s->world); i++) {
        const pli_mesh_report *report = pli_mesh_get_report(pli_deformable_rest_mesh(s->world, deformable_at(s, i)));
        const pli_vec3 path = pli_sub(report->bounds_max, report->bounds_min);
        most = fmaxf(most, sqrtf(pli_dot(path, path)));
    }
    return most > 0.0f ? most : 1.0f;
}
