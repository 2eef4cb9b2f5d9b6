// Attachments: particles that follow a frame, exactly or softly.
// Mueller et al. 2006, Position Based Dynamics, section 3.6.
#include "world/attachment.h"

#include "properties/groups.h"
#include "model/handles.h"
#include "model/origin.h"
#include "particles/held_reach.h"
#include "particles/publish.h"
#include "pliant/placing.h"
#include "rigid/coupling/rigid_proxy.h"
#include "sweep/constraint_slots.h"
#include "sweep/sweep.h"
#include "tearing/openings.h"
#include "world/constraint_set.h"

pli_attachment_def pli_attachment_def_default(void)
{
    pli_attachment_def standard = {.pose = pli_transform_identity()};
    pli_descriptor_write_defaults(&pli_attachment_descriptors, &standard);
    return standard;
}

// Marks each particle in deformable->held to find duplicates, then removes the marks.
static pli_status check_particles(pli_deformable_data *deformable, const pli_attachment_def *def, pli_error *error)
{
    pli_status status = pli_succeed(error);
    int32_t marked = 0;
    for (; marked < def->particle_count && status == PLI_STATUS_OK; marked++) {
        int32_t vertex = def->particles[marked];
        if (vertex < 0 || vertex >= deformable->count) {
            status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "attachment: particle %d is not in 0..%d",
                              (int)vertex, (int)deformable->count - 1);
            break;
        }
        uint8_t *held = &deformable->held[pli_place(deformable, vertex)];
        if (*held & 2 || (*held & 1 && def->fixed)) {
            status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "attachment: particle %d is %s", (int)vertex,
                              *held & 2 ? "given twice" : "held by another attachment already");
            break;
        }
        *held |= 2;
    }
    for (int32_t i = 0; i < marked; i++)
        deformable->held[pli_place(deformable, def->particles[i])] &= 1;
    return status;
}

static pli_status check_attachment(pli_deformable_data *deformable, pli_attachment_def *def, pli_error *error)
{
    if (def->particle_count < 1 || !def->particles)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "an attachment needs at least one particle");
    pli_error found;
    if (pli_descriptor_check(&pli_attachment_descriptors, def, &found) != PLI_STATUS_OK)
        return pli_fail(error, found.status, "attachment: %.400s", found.message);
    if (!pli_transform_check(&def->pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the attachment's pose must be finite, with a unit "
                        "rotation");
    return check_particles(deformable, def, error);
}

static bool fill(pli_world *world, pli_attachment_data *attachment, const pli_attachment_def *def)
{
    attachment->particles = PLI_ALLOCATE(&world->memory, int32_t, def->particle_count);
    attachment->locals = PLI_ALLOCATE(&world->memory, pli_vec3, def->particle_count);
    attachment->targets = PLI_ALLOCATE(&world->memory, pli_vec3, def->particle_count);
    if (!attachment->particles || !attachment->locals || !attachment->targets)
        return false;
    attachment->count = attachment->capacity = attachment->made_count = def->particle_count;
    pli_transform carrier = attachment->rigid ? pli_rigid_frame(attachment->rigid, &attachment->rigid->now.pose)
                                              : pli_transform_identity();
    attachment->pose = attachment->next = attachment->rigid ? pli_world_pose(world, carrier) : def->pose;
    const pli_local_frame frame = pli_local_frame_between(world, attachment->pose, attachment->pose, 0.0f);
    bool far = !attachment->rigid && pli_world_is_offset(world);
    if (far)
        attachment->pivot = pli_local_frame_unturn(&frame, pli_dscale(frame.position, -1.0));
    if (attachment->rigid && !(attachment->multipliers = PLI_ALLOCATE(&world->memory, pli_vec3, def->particle_count)))
        return false;
    for (int32_t i = 0; i < attachment->count; i++) {
        int32_t place = pli_place(attachment->deformable, def->particles[i]);
        pli_vec3 at = pli_position_of(&attachment->deformable->particles[place]);
        attachment->particles[i] = place;
        attachment->locals[i] = far ? pli_rounded(pli_local_frame_unturn(&frame, pli_widened(at)))
                                    : pli_transform_inverse_point(attachment->rigid ? carrier : def->pose, at);
    }
    return true;
}

// Writes the targets of an attachment's particles at the fraction t (0..1) of the path to its next pose.
static void find_targets(const pli_world *world, const pli_attachment_data *attachment, float t, pli_vec3 *targets)
{
    const pli_transform pose = pli_transform_between(attachment->pose, attachment->next, t);
    const pli_local_frame frame = pli_local_frame_between(world, attachment->pose, attachment->next, t);
    bool far = pli_world_is_offset(world) || pli_dlength(attachment->pivot) > 0.0;
    for (int32_t i = 0; i < attachment->count; i++)
        targets[i] = far ? pli_local_frame_point(&frame,
                                                 pli_dadd(attachment->pivot, pli_widened(attachment->locals[i])))
                         : pli_transform_point(pose, attachment->locals[i]);
}

// Moves an attachment to its targets.
static void move_to_targets(pli_attachment_data *attachment)
{
    for (int32_t i = 0; i < attachment->count; i++) {
        pli_vec3 target = attachment->targets[i];
        if (attachment->set) {
            int32_t slot = attachment->set->schedule.slot_of ? attachment->set->schedule.slot_of[i] : i;
            attachment->set->rest[0][slot] = target.x;
            attachment->set->rest[1][slot] = target.y;
            attachment->set->rest[2][slot] = target.z;
            continue;
        }
        pli_particle *p = &attachment->deformable->particles[attachment->particles[i]];
        p->x = target.x, p->y = target.y, p->z = target.z;
    }
}

// Moves an attachment to the fraction t (0..1) of the path to its next pose, without a stretch limit.
static void move_one(const pli_world *world, pli_attachment_data *attachment, float t)
{
    find_targets(world, attachment, t, attachment->targets);
    move_to_targets(attachment);
}

// Whether edges at the attachment limit its motion. They do not in cloth that may tear or has been cut: the edges tear instead.
static bool is_bound(const pli_attachment_data *attachment)
{
    const pli_deformable_data *deformable = attachment->deformable;
    bool tears = pli_tears(&deformable->def.tearing) || deformable->count > deformable->shape.vertex_count;
    return attachment->stretch < INFINITY && !attachment->set && deformable->first_set && !tears;
}

// Whether all of its particles are at their targets.
static bool is_there(const pli_attachment_data *attachment)
{
    for (int32_t i = 0; i < attachment->count; i++) {
        const pli_particle *p = &attachment->deformable->particles[attachment->particles[i]];
        const pli_vec3 *target = &attachment->targets[i];
        if (p->x != target->x || p->y != target->y || p->z != target->z)
            return false;
    }
    return true;
}

// Moves an attachment from the fraction `from` to `to` of a step, in a substep of `step` seconds, as far as its edges permit.
static void move_within_reach(pli_world *world, pli_attachment_data *attachment, float from, float to, float step)
{
    find_targets(world, attachment, to, attachment->targets);
    bool bound = is_bound(attachment) && !is_there(attachment);
    if (bound && !pli_held_edges_find(world, attachment)) {
        world->out_of_memory = true;
        return;
    }
    if (bound && pli_held_find_deviating(attachment)) {
        find_targets(world, attachment, from, attachment->targets);
        pli_held_note_before(attachment);
        find_targets(world, attachment, to, attachment->targets);
    }
    if (bound)
        pli_held_limit(attachment, step);
    move_to_targets(attachment);
}

static pli_status make_set(pli_world *world, pli_attachment_data *attachment, const pli_attachment_def *def,
                           pli_error *error)
{
    pli_parameter_value values[] = {{"compliance", def->compliance}, {"stiffness", def->stiffness}};
    pli_constraints_def set = pli_constraints_def_default();
    set.deformable = def->deformable;
    set.type = "attachment";
    set.parameters = values;
    set.parameter_count = 2;
    set.particles = def->particles;
    set.constraint_count = def->particle_count;
    pli_constraints handle;
    pli_status status = pli_constraints_create(world, &set, &handle, error);
    if (status != PLI_STATUS_OK)
        return status;
    attachment->set = pli_constraints_get(world, handle, error);
    attachment->set->of_attachment = true;
    move_one(world, attachment, 0.0f);
    return status;
}

static void hold_all(pli_world *world, pli_attachment_data *attachment, bool held)
{
    for (int32_t i = 0; i < attachment->count; i++)
        pli_deformable_fix(attachment->deformable, attachment->particles[i], held);
    if (!held)
        pli_openings_let_go(world, attachment->deformable, attachment->particles, attachment->count);
    pli_deformable_publish(world, attachment->deformable, 0, attachment->deformable->count);
}

// The link of the deformable's list of attachments that points to this attachment, or the end of the list.
static pli_attachment_data **place_among_attachments(const pli_attachment_data *attachment)
{
    pli_attachment_data **at = &attachment->deformable->first_attachment;
    while (*at && *at != attachment)
        at = &(*at)->next_attachment;
    return at;
}

// While it is off, an attachment has no particles and no set; its frame continues to move.
static void switch_off(pli_attachment_data *attachment)
{
    attachment->off_count = attachment->count;
    attachment->count = attachment->made_count = 0;
}

// Fills an attachment with known deformable and body. On failure it pins nothing; the caller frees it.
static pli_status take_particles(pli_world *world, pli_attachment_data *attachment, const pli_attachment_def *def,
                                 pli_error *error)
{
    attachment->compliance = def->compliance;
    attachment->stiffness = def->stiffness;
    attachment->fixed = def->fixed;
    attachment->stretch = def->stretch;
    pli_status status = fill(world, attachment, def) ? PLI_STATUS_OK : pli_fail_memory(error);
    if (status == PLI_STATUS_OK && def->enabled && !def->fixed && !attachment->rigid)
        status = make_set(world, attachment, def, error);
    if (status != PLI_STATUS_OK || !def->enabled)
        switch_off(attachment);
    else if (def->fixed)
        hold_all(world, attachment, true);
    return status;
}

pli_status pli_attachment_create(pli_world *world, const pli_attachment_def *def, pli_attachment *handle,
                                 pli_error *error)
{
    *handle = (pli_attachment){0, 0};
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_deformable_data *deformable = pli_deformable_get(world, def->deformable, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_attachment_def checked = *def;
    pli_rigid_body_data *rigid = def->body.id ? pli_rigid_get(world, def->body, error) : NULL;
    if (def->body.id && !rigid)
        return PLI_STATUS_NOT_FOUND;
    checked.fixed = def->fixed && !rigid;
    pli_status status = check_attachment(deformable, &checked, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_attachment_data *attachment = PLI_ALLOCATE(&world->memory, pli_attachment_data, 1);
    if (!attachment)
        return pli_fail_memory(error);
    attachment->deformable = deformable;
    attachment->rigid = rigid;
    status = pli_list_add(&world->memory, &world->attachments, attachment) ? PLI_STATUS_OK : pli_fail_memory(error);
    if (status == PLI_STATUS_OK)
        status = take_particles(world, attachment, &checked, error);
    if (status != PLI_STATUS_OK) {
        pli_attachment_free(world, attachment);
        return status;
    }
    *place_among_attachments(attachment) = attachment;
    world->collision.stirred = true;
    attachment->id = ++world->last_id;
    *handle = (pli_attachment){attachment->id, world->tag};
    return pli_succeed(error);
}

static bool is_attached_vertex(const pli_deformable_data *deformable, int32_t vertex)
{
    return deformable->particles[pli_place(deformable, vertex)].w == 0.0f;
}

static bool any_triangle_is_held(const pli_deformable_data *deformable)
{
    const int32_t *t = deformable->shape.triangles;
    for (int32_t i = 0; i < deformable->shape.triangle_count; i++, t += 3)
        if (is_attached_vertex(deformable, t[0]) && is_attached_vertex(deformable, t[1]) &&
            is_attached_vertex(deformable, t[2]))
            return true;
    return false;
}

static bool any_edge_is_held_at(const pli_attachment_data *attachment)
{
    const pli_deformable_data *deformable = attachment->deformable;
    const int32_t *edge = deformable->shape.edges;
    for (int32_t e = 0; e < deformable->shape.edge_count; e++, edge += 2) {
        if (!is_attached_vertex(deformable, edge[0]) || !is_attached_vertex(deformable, edge[1]))
            continue;
        const int32_t ends[2] = {pli_place(deformable, edge[0]), pli_place(deformable, edge[1])};
        for (int32_t i = 0; i < attachment->count; i++)
            if (attachment->particles[i] == ends[0] || attachment->particles[i] == ends[1])
                return true;
    }
    return false;
}

// Whether it pins particles that may have passed through a surface. This is possible only for pairs with all vertices pinned. Such a
// pair has a pinned edge at one of its particles, a pinned triangle of a deformable, or a face of a collider. This test is cheap; a
// search for intersections is not: releasing one pin of cloth with 10 k vertices would cost three frames.
static bool may_have_crossed(const pli_world *world, const pli_attachment_data *attachment)
{
    if (attachment->rigid || world->collision.untangle.unverified)
        return true;
    if (!attachment->fixed || attachment->count == 0)
        return false;
    for (int32_t i = 0; i < world->colliders.count; i++)
        if (pli_collider_at(world, i)->surface)
            return true;
    if (any_edge_is_held_at(attachment))
        return true;
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (any_triangle_is_held(pli_deformable_at(world, i)))
            return true;
    return false;
}

static void note_release(pli_world *world, bool crossed)
{
    if (crossed)
        pli_collision_expect_intersections(&world->collision);
    world->collision.stirred = true;
}

// Releases the particles of the attachment, permanently or before it takes others.
static void let_go(pli_world *world, pli_attachment_data *attachment)
{
    if (attachment->set)
        pli_constraints_free(world, attachment->set);
    else if (attachment->fixed)
        hold_all(world, attachment, false);
    attachment->set = NULL;
}

static void release_arrays(pli_world *world, pli_attachment_data *attachment)
{
    pli_held_edges_release(&world->memory, attachment);
    pli_release(&world->memory, attachment->targets);
    pli_release(&world->memory, attachment->particles);
    pli_release(&world->memory, attachment->locals);
    pli_release(&world->memory, attachment->multipliers);
}

void pli_attachment_free(pli_world *world, pli_attachment_data *attachment)
{
    // Contact does not separate fixed particles from each other, so they may intersect once released.
    note_release(world, may_have_crossed(world, attachment));
    let_go(world, attachment);
    pli_list_remove(&world->attachments, attachment);
    pli_attachment_data **at = place_among_attachments(attachment);
    *at = *at ? attachment->next_attachment : NULL;
    release_arrays(world, attachment);
    pli_release(&world->memory, attachment);
}

// Makes the set of a soft attachment as at creation, in no list. Constraints on copies are read from the snapshot later; until then
// they refer to the first particle.
static pli_status make_loose_set(pli_world *world, pli_attachment_data *attachment, const pli_attachment_def *def,
                                 pli_error *error)
{
    const unsigned char *cooked = world->cook.data;
    bool stirred = world->collision.stirred;
    int32_t *particles = PLI_ALLOCATE(&world->memory, int32_t, def->particle_count);
    pli_attachment_def whole = *def;
    if (!particles)
        return pli_fail_memory(error);
    for (int32_t i = 0; i < def->particle_count; i++)
        particles[i] = def->particles[i] < attachment->deformable->count ? def->particles[i] : 0;
    whole.particles = particles;
    world->cook.data = NULL;
    pli_status status = make_set(world, attachment, &whole, error);
    world->cook.data = cooked;
    world->collision.stirred = stirred;
    pli_release(&world->memory, particles);
    if (status == PLI_STATUS_OK)
        pli_constraints_unlist(world, attachment->set);
    return status;
}

pli_status pli_attachment_make(pli_world *world, const pli_attachment_def *def, pli_rigid_body_data *rigid,
                               pli_attachment_data **made, pli_error *error)
{
    pli_attachment_data *attachment = *made = PLI_ALLOCATE(&world->memory, pli_attachment_data, 1);
    if (!attachment)
        return pli_fail_memory(error);
    int32_t count = def->particle_count;
    attachment->deformable = pli_deformable_get(world, def->deformable, error);
    attachment->rigid = rigid;
    attachment->fixed = def->fixed;
    attachment->particles = PLI_ALLOCATE(&world->memory, int32_t, count);
    attachment->locals = PLI_ALLOCATE(&world->memory, pli_vec3, count);
    attachment->targets = PLI_ALLOCATE(&world->memory, pli_vec3, count);
    attachment->multipliers = attachment->rigid ? PLI_ALLOCATE(&world->memory, pli_vec3, count) : NULL;
    pli_status status = attachment->particles && attachment->locals && attachment->targets &&
                                (!attachment->rigid || attachment->multipliers)
                            ? PLI_STATUS_OK
                            : pli_fail_memory(error);
    attachment->pose = attachment->next = pli_transform_identity();
    attachment->count = attachment->capacity = attachment->made_count = status == PLI_STATUS_OK ? count : 0;
    // Copies are at the end, in the order of the vertices.
    int32_t vertices = pli_mesh_topology(attachment->deformable->mesh)->vertex_count;
    for (int32_t i = 0; i < attachment->count; i++)
        attachment->particles[i] = def->particles[i] < vertices ? pli_place(attachment->deformable, def->particles[i])
                                                                : def->particles[i];
    if (status == PLI_STATUS_OK && def->enabled && !def->fixed && !attachment->rigid)
        status = make_loose_set(world, attachment, def, error);
    if (!def->enabled)
        switch_off(attachment);
    if (status != PLI_STATUS_OK) {
        pli_attachment_release(world, attachment);
        *made = NULL;
    }
    return status;
}

void pli_attachment_release(pli_world *world, pli_attachment_data *attachment)
{
    if (attachment->set)
        pli_constraints_release(world, attachment->set);
    release_arrays(world, attachment);
    pli_release(&world->memory, attachment);
}

// Replaces the particles of an attachment by the particles of a definition. On failure it keeps its old particles.
static pli_status aim_again(pli_world *world, pli_attachment_data *attachment, const pli_attachment_def *def,
                            pli_error *error)
{
    pli_attachment_data old = *attachment;
    const bool crossed = may_have_crossed(world, attachment);
    attachment->particles = NULL, attachment->locals = NULL, attachment->multipliers = NULL, attachment->targets = NULL;
    attachment->edges = NULL, attachment->reach = NULL, attachment->edge_count = 0, attachment->edges_known = false;
    attachment->set = NULL, attachment->pivot = (pli_dvec3){0, 0, 0};
    // The requested particles may include its own.
    for (int32_t i = 0; old.fixed && i < old.count; i++)
        pli_deformable_fix(old.deformable, old.particles[i], false);
    pli_attachment_def wanted = *def;
    pli_status status = check_attachment(attachment->deformable, &wanted, error);
    if (status == PLI_STATUS_OK)
        status = take_particles(world, attachment, &wanted, error);
    if (status != PLI_STATUS_OK) {
        if (attachment->set)
            pli_constraints_free(world, attachment->set);
        release_arrays(world, attachment);
        *attachment = old;
        for (int32_t i = 0; old.fixed && i < old.count; i++)
            pli_deformable_fix(old.deformable, old.particles[i], true);
        return status;
    }
    if (old.set)
        pli_constraints_free(world, old.set);
    else if (old.fixed)
        pli_openings_let_go(world, old.deformable, old.particles, old.count);
    release_arrays(world, &old);
    pli_deformable_publish(world, attachment->deformable, 0, attachment->deformable->count);
    note_release(world, crossed); // Released particles may intersect once they move.
    return status;
}

// Changes compliance, stiffness and stretch of an attachment without rebuilding it.
static void soften(pli_world *world, pli_attachment_data *attachment, const pli_attachment_def *def)
{
    attachment->compliance = def->compliance;
    attachment->stiffness = def->stiffness;
    attachment->stretch = def->stretch;
    world->collision.stirred = true;
    if (!attachment->set)
        return;
    attachment->set->parameters[PLI_PARAMETER_COMPLIANCE] = def->compliance;
    attachment->set->parameters[PLI_PARAMETER_STIFFNESS] = def->stiffness;
    pli_constraints_update_parameters(attachment->set);
}

static pli_status check_attachment_change(const pli_world *world, const pli_attachment_data *attachment,
                                          pli_attachment_def *def, pli_error *error)
{
    uint32_t body = attachment->rigid ? attachment->rigid->id : 0;
    if (def->deformable.id != attachment->deformable->id || def->deformable.world != world->tag || def->body.id != body)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "an attachment keeps its deformable and its rigid body; make another one");
    def->fixed = def->fixed && !body;
    pli_error found;
    if (pli_descriptor_check(&pli_attachment_descriptors, def, &found) != PLI_STATUS_OK)
        return pli_fail(error, found.status, "attachment: %.400s", found.message);
    return pli_succeed(error);
}

pli_status pli_attachment_set_def(pli_world *world, pli_attachment handle, const pli_attachment_def *def,
                                  pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_attachment_data *attachment = pli_attachment_get(world, handle, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    PLI_ASSERT(&world->memory.hooks, def);
    pli_attachment_def full = *def;
    pli_status status = check_attachment_change(world, attachment, &full, error);
    if (status != PLI_STATUS_OK)
        return status;
    bool enabled = attachment->count > 0;
    if (!full.particles && full.enabled == enabled && full.fixed == attachment->fixed) {
        soften(world, attachment, &full);
        return pli_succeed(error);
    }
    int32_t count = enabled ? attachment->count : attachment->off_count, *kept = NULL;
    if (!full.particles) {
        if (!(kept = PLI_ALLOCATE(&world->memory, int32_t, count)))
            return pli_fail_memory(error);
        for (int32_t i = 0; i < count; i++)
            kept[i] = pli_vertex(attachment->deformable, attachment->particles[i]);
        full.particles = kept, full.particle_count = count, full.pose = attachment->pose;
    }
    pli_transform next = attachment->next;
    status = aim_again(world, attachment, &full, error);
    if (kept && status == PLI_STATUS_OK && !attachment->rigid)
        attachment->next = next;
    pli_release(&world->memory, kept);
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}

pli_status pli_attachment_destroy(pli_world *world, pli_attachment handle, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_attachment_data *attachment = pli_attachment_get(world, handle, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    pli_attachment_free(world, attachment);
    return pli_succeed(error);
}

// The attachment if it accepts this pose, which is then normalised; otherwise null.
static pli_attachment_data *posed(pli_world *world, pli_attachment handle, pli_transform *pose, pli_status *status,
                                  pli_error *error)
{
    pli_attachment_data *attachment = pli_attachment_get(world, handle, error);
    *status = PLI_STATUS_NOT_FOUND;
    if (!attachment)
        return NULL;
    if (attachment->rigid)
        *status = pli_fail(error, PLI_STATUS_UNSUPPORTED, "the attachment goes with its rigid body; move that");
    else if (!pli_transform_check(pose))
        *status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the pose must be finite, with a unit rotation");
    else
        *status = pli_succeed(error);
    return *status == PLI_STATUS_OK ? attachment : NULL;
}

pli_status pli_attachment_set_pose(pli_world *world, pli_attachment handle, pli_transform pose, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status;
    pli_attachment_data *attachment = posed(world, handle, &pose, &status, error);
    if (attachment)
        attachment->next = pose;
    return status;
}

pli_status pli_attachment_teleport(pli_world *world, pli_attachment handle, pli_transform pose, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_status status;
    pli_attachment_data *attachment = posed(world, handle, &pose, &status, error);
    if (!attachment)
        return status;
    attachment->pose = attachment->next = pose;
    move_one(world, attachment, 0.0f);
    pli_deformable_publish(world, attachment->deformable, 0, attachment->deformable->count);
    if (!attachment->set)
        for (int32_t i = 0; i < attachment->count; i++)
            pli_deformable_publish_jump(world, attachment->deformable,
                                        pli_vertex(attachment->deformable, attachment->particles[i]), 1);
    pli_collision_expect_intersections(&world->collision);
    return status;
}

void pli_world_move_attachments(pli_world *world, float from, float to, float step)
{
    for (int32_t i = 0; i < world->attachments.count; i++) {
        pli_attachment_data *attachment = pli_attachment_at(world, i);
        if (!attachment->rigid && !attachment->deformable->idle)
            move_within_reach(world, attachment, from, to, step);
    }
}

// Measures the offset of its particles from their targets at the end of the step.
static void measure_lag(const pli_world *world, pli_attachment_data *attachment, double substep)
{
    attachment->lagging = 0, attachment->lag = attachment->lag_force = 0.0;
    if (attachment->rigid || attachment->set || attachment->deformable->idle)
        return;
    find_targets(world, attachment, 1.0f, attachment->targets);
    for (int32_t i = 0; i < attachment->count; i++) {
        int32_t place = attachment->particles[i];
        const pli_particle *p = &attachment->deformable->particles[place];
        double w = (double)attachment->deformable->velocities[place].w;
        double lag = pli_dlength(pli_dsub(pli_widened(attachment->targets[i]), pli_widened(pli_position_of(p))));
        attachment->lagging += lag > 0.0;
        attachment->lag = fmax(attachment->lag, lag);
        attachment->lag_force += w > 0.0 ? lag / (w * substep * substep) : 0.0;
    }
}

void pli_world_finish_attachments(pli_world *world, float substep)
{
    for (int32_t i = 0; i < world->attachments.count; i++) {
        pli_attachment_data *attachment = pli_attachment_at(world, i);
        measure_lag(world, attachment, (double)substep);
        attachment->pose = attachment->next;
    }
}

pli_status pli_attachment_get_tracking_error(const pli_world *world, pli_attachment handle,
                                             pli_attachment_tracking_error *lag, pli_error *error)
{
    const pli_attachment_data *attachment = pli_attachment_get(world, handle, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    pli_attachment_tracking_error found = {attachment->lagging, attachment->lag, attachment->lag_force};
    *lag = found;
    return pli_succeed(error);
}

pli_attachment pli_world_attachment_at(const pli_world *world, int32_t i)
{
    uint32_t id = i >= 0 && i < world->attachments.count ? *world->attachments.items[i] : 0;
    return (pli_attachment){id, id ? world->tag : 0};
}

int32_t pli_world_attachment_count(const pli_world *world) { return world->attachments.count; }

pli_status pli_attachment_get_def(const pli_world *world, pli_attachment handle, pli_attachment_def *def,
                                  pli_error *error)
{
    const pli_attachment_data *attachment = pli_attachment_get(world, handle, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    pli_attachment_def found = pli_attachment_def_default();
    found.deformable = (pli_deformable){attachment->deformable->id, world->tag};
    found.enabled = attachment->count > 0;
    found.particle_count = found.enabled ? attachment->count : attachment->off_count;
    found.pose = attachment->pose;
    found.fixed = attachment->fixed;
    found.compliance = attachment->set ? attachment->set->parameters[PLI_PARAMETER_COMPLIANCE] : attachment->compliance;
    found.stretch = attachment->stretch;
    found.stiffness = attachment->set ? attachment->set->parameters[PLI_PARAMETER_STIFFNESS] : attachment->stiffness;
    if (attachment->rigid)
        found.body = (pli_rigid_body){attachment->rigid->id, world->tag};
    *def = found;
    return pli_succeed(error);
}

pli_status pli_attachment_particles(const pli_world *world, pli_attachment handle, int32_t *particles, int32_t capacity,
                                    int32_t *count, pli_error *error)
{
    const pli_attachment_data *attachment = pli_attachment_get(world, handle, error);
    if (!attachment)
        return PLI_STATUS_NOT_FOUND;
    if (capacity < 0 || (!particles && capacity > 0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "there is room for %d particles%s; give an array, or 0",
                        (int)capacity, particles ? "" : " at null");
    int32_t all = attachment->count > 0 ? attachment->count : attachment->off_count;
    for (int32_t i = 0; i < all && i < capacity; i++)
        particles[i] = pli_vertex(attachment->deformable, attachment->particles[i]);
    *count = all;
    return pli_succeed(error);
}
