// Attachments: particles that follow a frame, exactly or softly.
// Mueller et al. 2006, Position Based Dynamics, section 3.6.
#include "solver/attachment.h"

#include "descriptors/groups.h"
#include "solver/proxy.h"
#include "solver/set.h"

#define ATTACHMENT_COOKIE 0x504c4941u

void pli_attachment_def_init(pli_attachment_def *def, size_t size)
{
    const pli_attachment_def standard = {
        .size = (uint32_t)size,
        .cookie = ATTACHMENT_COOKIE,
        .pose = pli_transform_identity(),
        .fixed = true,
        .stiffness = 1.0,
    };
    pli_struct_write(def, size, &standard, sizeof standard);
}

// Marks each particle in body->held while checking, and takes the marks back.
static pli_status check_particles(pli_body *body, const pli_attachment_def *def, pli_error *error)
{
    pli_status status = pli_succeed(error);
    int32_t marked = 0;
    for (; marked < def->particle_count && status == PLI_STATUS_OK; marked++) {
        int32_t vertex = def->particles[marked];
        if (vertex < 0 || vertex >= body->count) {
            status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "attachment: particle %d is not in 0..%d",
                              (int)vertex, (int)body->count - 1);
            break;
        }
        uint8_t *held = &body->held[pli_place(body, vertex)];
        if (*held & 2 || (*held & 1 && def->fixed)) {
            status = pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "attachment: particle %d is %s", (int)vertex,
                              *held & 2 ? "given twice" : "held by another attachment already");
            break;
        }
        *held |= 2;
    }
    for (int32_t i = 0; i < marked; i++)
        body->held[pli_place(body, def->particles[i])] &= 1;
    return status;
}

static pli_status check(pli_body *body, pli_attachment_def *def, pli_error *error)
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
    return check_particles(body, def, error);
}

static bool fill(pli_world *world, pli_tie *tie, const pli_attachment_def *def)
{
    tie->particles = PLI_ALLOCATE(&world->memory, int32_t, def->particle_count);
    tie->locals = PLI_ALLOCATE(&world->memory, pli_vec3, def->particle_count);
    if (!tie->particles || !tie->locals)
        return false;
    tie->count = tie->capacity = tie->made_count = def->particle_count;
    tie->pose = tie->next = tie->rigid ? pli_rigid_frame(tie->rigid, &tie->rigid->now.pose) : def->pose;
    if (tie->rigid && !(tie->multipliers = PLI_ALLOCATE(&world->memory, pli_vec3, def->particle_count)))
        return false;
    for (int32_t i = 0; i < tie->count; i++) {
        int32_t place = pli_place(tie->body, def->particles[i]);
        const pli_particle *p = &tie->body->particles[place];
        tie->particles[i] = place;
        tie->locals[i] = pli_transform_inverse_point(tie->pose, (pli_vec3){p->x, p->y, p->z});
    }
    return true;
}

static void move_one(pli_tie *tie, pli_transform pose)
{
    for (int32_t i = 0; i < tie->count; i++) {
        pli_vec3 target = pli_transform_point(pose, tie->locals[i]);
        if (tie->set) {
            int32_t slot = tie->set->slot_of ? tie->set->slot_of[i] : i;
            tie->set->rest[0][slot] = target.x;
            tie->set->rest[1][slot] = target.y;
            tie->set->rest[2][slot] = target.z;
        } else {
            pli_particle *p = &tie->body->particles[tie->particles[i]];
            p->x = target.x, p->y = target.y, p->z = target.z;
        }
    }
}

static pli_status make_set(pli_world *world, pli_tie *tie, const pli_attachment_def *def, pli_error *error)
{
    pli_parameter_value values[] = {{"compliance", def->compliance}, {"stiffness", def->stiffness}};
    pli_constraint_set_def set = pli_constraint_set_def_default();
    set.deformable = def->deformable;
    set.type = "attachment";
    set.parameters = values;
    set.parameter_count = 2;
    set.particles = def->particles;
    set.constraint_count = def->particle_count;
    pli_constraint_set handle;
    pli_status status = pli_constraint_set_create(world, &set, &handle, error);
    if (status != PLI_STATUS_OK)
        return status;
    tie->set = pli_set_get(world, handle, error);
    tie->set->of_attachment = true;
    move_one(tie, tie->pose);
    return status;
}

static void hold_all(pli_tie *tie, bool held)
{
    for (int32_t i = 0; i < tie->count; i++)
        pli_body_hold(tie->body, tie->particles[i], held);
    pli_body_publish(tie->body, 0, tie->body->count);
}

// Where what ties its deformable names a tie, or ends.
static pli_tie **place_among(const pli_tie *tie)
{
    pli_tie **at = &tie->body->first_tie;
    while (*at && *at != tie)
        at = &(*at)->next_tie;
    return at;
}

pli_status pli_attachment_create(pli_world *world, const pli_attachment_def *def, pli_attachment *attachment,
                                 pli_error *error)
{
    *attachment = (pli_attachment){0, 0};
    pli_attachment_def full = pli_attachment_def_default();
    PLI_ASSERT(&world->memory.hooks, def && def->cookie == full.cookie);
    pli_status status = pli_def_read(&full, def, "pli_attachment_def", error);
    if (status != PLI_STATUS_OK)
        return status;
    def = &full;
    pli_body *body = pli_body_get(world, def->deformable, error);
    if (!body)
        return PLI_STATUS_NOT_FOUND;
    pli_attachment_def checked = *def;
    pli_rigid *rigid = def->body.id ? pli_rigid_get(world, def->body, error) : NULL;
    if (def->body.id && !rigid)
        return PLI_STATUS_NOT_FOUND;
    checked.fixed = def->fixed && !rigid;
    status = check(body, &checked, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_tie *tie = PLI_ALLOCATE(&world->memory, pli_tie, 1);
    if (!tie)
        return pli_fail_memory(error);
    tie->body = body;
    tie->rigid = rigid;
    tie->compliance = def->compliance;
    tie->stiffness = def->stiffness;
    status = fill(world, tie, &checked) && pli_list_add(&world->memory, &world->ties, tie) ? PLI_STATUS_OK
                                                                                           : pli_fail_memory(error);
    if (status == PLI_STATUS_OK && !checked.fixed && !rigid)
        status = make_set(world, tie, &checked, error);
    if (status != PLI_STATUS_OK) {
        tie->count = 0;
        pli_tie_free(world, tie);
        return status;
    }
    if (checked.fixed)
        hold_all(tie, true);
    *place_among(tie) = tie;
    tie->id = ++world->last_id;
    *attachment = (pli_attachment){tie->id, world->tag};
    return pli_succeed(error);
}

void pli_tie_free(pli_world *world, pli_tie *tie)
{
    if (tie->set)
        pli_set_free(world, tie->set);
    else if (!tie->rigid)
        hold_all(tie, false);
    pli_space_expect_intersections(
        &world->space); // Held particles are not kept from one another; once let go they are.
    pli_list_remove(&world->ties, tie);
    pli_tie **at = place_among(tie);
    *at = *at ? tie->next_tie : NULL;
    pli_release(&world->memory, tie->particles);
    pli_release(&world->memory, tie->locals);
    pli_release(&world->memory, tie->multipliers);
    pli_release(&world->memory, tie);
}

static pli_tie *tie_get(const pli_world *world, pli_attachment handle, pli_error *error)
{
    pli_tie *tie = handle.world == world->tag ? pli_list_find(&world->ties, handle.id) : NULL;
    if (!tie)
        pli_fail(error, PLI_STATUS_NOT_FOUND,
                 "no such attachment: the handle is null or of another world, or it was destroyed");
    return tie;
}

pli_status pli_attachment_destroy(pli_world *world, pli_attachment attachment, pli_error *error)
{
    pli_tie *tie = tie_get(world, attachment, error);
    if (!tie)
        return PLI_STATUS_NOT_FOUND;
    pli_tie_free(world, tie);
    return pli_succeed(error);
}

pli_status pli_attachment_set_pose(pli_world *world, pli_attachment attachment, pli_transform pose, pli_error *error)
{
    pli_tie *tie = tie_get(world, attachment, error);
    if (!tie)
        return PLI_STATUS_NOT_FOUND;
    if (tie->rigid)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "the attachment goes with its rigid body; move that");
    if (!pli_transform_check(&pose))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the pose must be finite, with a unit rotation");
    tie->next = pose;
    return pli_succeed(error);
}

void pli_world_move_ties(pli_world *world, float to)
{
    for (int32_t i = 0; i < world->ties.count; i++) {
        pli_tie *tie = pli_tie_at(world, i);
        if (!tie->rigid)
            move_one(tie, pli_transform_between(tie->pose, tie->next, to));
    }
}

void pli_world_finish_ties(pli_world *world)
{
    for (int32_t i = 0; i < world->ties.count; i++) {
        pli_tie *tie = pli_tie_at(world, i);
        tie->pose = tie->next;
    }
}

pli_attachment pli_world_attachment_at(const pli_world *world, int32_t i)
{
    uint32_t id = i >= 0 && i < world->ties.count ? *world->ties.items[i] : 0;
    return (pli_attachment){id, id ? world->tag : 0};
}

int32_t pli_world_attachment_count(const pli_world *world) { return world->ties.count; }
