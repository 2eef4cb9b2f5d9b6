// Snapshots of a world: all state that the simulation depends on, little-endian, in the order of the application. A
// world that was made in the same way continues from a snapshot bit-identically, on any machine and with any number of
// threads or SIMD width.
//
//   magic, layout | time | settings | origin | counts | table of attachments and sets |
//   deformables | sets | attachments | colliders | rigid bodies | support contacts | checksum
//
// One function passes each part field by field, whether the stream measures, writes, checks or reads
// (base/stream.h). Reading starts after a complete check has succeeded, so a bad snapshot changes nothing.
#include "state/snapshot.h"

#include "base/hash.h"
#include "model/handles.h"
#include "model/model.h"
#include "particles/publish.h"
#include "sweep/constraint_slots.h"
#include "base/stream.h"
#include "sweep/sweep.h"
#include "state/definitions.h"
#include "state/kept_attributes.h"
#include "tearing/tear_snapshot.h"
#include "bending/plastic.h"

#include <string.h>

#define SNAPSHOT_MAGIC 0x4e53494c50ull // "PLISN"
// The version of the code here and of the entries `pass` of features. Rows have a hash of their own.
#define SNAPSHOT_VERSION 25u

static void pass_vector(pli_stream *s, pli_vec3 *v)
{
    pli_pass_float(s, &v->x), pli_pass_float(s, &v->y), pli_pass_float(s, &v->z);
}

static void pass_pose(pli_stream *s, pli_transform *pose)
{
    pass_vector(s, &pose->position);
    pli_pass_float(s, &pose->rotation.x), pli_pass_float(s, &pose->rotation.y);
    pli_pass_float(s, &pose->rotation.z), pli_pass_float(s, &pose->rotation.w);
}

// Passes whether an attachment fixes the particle in place.
static void pass_held(pli_stream *s, pli_deformable_data *deformable, int32_t place)
{
    uint8_t held = (uint8_t)pli_pass_index(s, s->mode < PLI_STREAM_CHECK ? deformable->held[place] : 0, 0, 1);
    if (s->mode == PLI_STREAM_READ)
        deformable->held[place] = held;
}

// Passes three coordinates and checks that they are finite.
static void pass_vertex(pli_stream *s, float *vertex)
{
    pli_particle p = {vertex[0], vertex[1], vertex[2], 0.0f};
    pli_pass_particle(s, &p);
    vertex[0] = p.x, vertex[1] = p.y, vertex[2] = p.z;
}

static void pass_deformable(pli_stream *s, pli_world *world, pli_deformable_data *deformable)
{
    pli_pass_same(s, (uint64_t)pli_mesh_topology(deformable->mesh)->vertex_count);
    pli_pass_same(s, pli_hash_bytes(0, pli_mesh_topology(deformable->mesh)->edges,
                                    2 * (size_t)pli_mesh_topology(deformable->mesh)->edge_count * sizeof(int32_t)));
    pli_pass_deformable_def(s, deformable);
    int32_t count = pli_pass_shape(s, world, deformable);
    for (int32_t v = 0; v < count && !s->failed; v++) {
        const int32_t i = pli_place_of(deformable, v);
        pli_pass_particle(s, &deformable->particles[i]);
        pli_pass_particle(s, &deformable->velocities[i]);
        pass_held(s, deformable, i);
    }
    pli_pass_attributes(s, world, deformable, count);
    pli_features_pass(s, world, deformable, count);
}

static void pass_set(pli_stream *s, pli_world *world, pli_constraints_data *set)
{
    pli_pass_same(s, pli_type_rows_hash(set->type));
    bool passed = pli_pass_constraints(s, world, set);
    pli_constraints_data *then = s->mode == PLI_STREAM_CHECK ? pli_uncut_set(set) : set;
    if (!passed)
        pli_pass_same(s, (uint64_t)then->count);
    for (int32_t i = 0; i < PLI_PARAMETERS_MAX; i++)
        pli_pass_double(s, &set->parameters[i]);
    for (int32_t i = 0; i < then->count && then->state && !passed && !s->failed; i++)
        pli_pass_float(s, &then->state[pli_constraints_slot(then, i)]);
    if (!passed)
        pli_pass_painted(s, world, then);
    if (!passed)
        pli_pass_bends(s, world, s->mode == PLI_STREAM_CHECK ? pli_uncut_set(set) : set);
    if (s->mode == PLI_STREAM_READ)
        pli_constraints_update_parameters(set);
}

static void pass_dvector(pli_stream *s, pli_dvec3 *v)
{
    pli_pass_double(s, &v->x), pli_pass_double(s, &v->y), pli_pass_double(s, &v->z);
}

static void pass_attachment(pli_stream *s, pli_world *world, pli_attachment_data *attachment)
{
    pli_pass_double(s, &attachment->compliance);
    pli_pass_double(s, &attachment->stiffness);
    pli_pass_float(s, &attachment->stretch);
    int32_t count = pli_pass_attached(s, world, attachment);
    pass_pose(s, &attachment->pose);
    pass_pose(s, &attachment->next);
    for (int32_t i = 0; i < count && !s->failed; i++)
        pass_vector(s, &attachment->locals[i]);
    pass_dvector(s, &attachment->pivot);
    const bool of_hand = pli_pass_index(s, attachment->of_hand, 0, 1) != 0;
    if (s->mode == PLI_STREAM_READ)
        attachment->of_hand = of_hand;
    // The next step uses this to decide whether its particles count as moving.
    const int32_t lagging = pli_pass_index(s, attachment->lagging, 0, count);
    if (s->mode == PLI_STREAM_READ)
        attachment->lagging = lagging;
    pli_pass_double(s, &attachment->lag), pli_pass_double(s, &attachment->lag_force);
}

static bool finite_motion(const pli_rigid_body_motion *m)
{
    const double *q = m->pose.turn;
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double sum = pli_dlength(m->pose.centre) + pli_dlength(m->velocity) + pli_dlength(m->spin);
    return isfinite(sum) && fabs(square - 1.0) < 1e-6;
}

// Passes a rigid body and checks that its motion is finite, in a copy.
static void pass_rigid(pli_stream *s, pli_rigid_body_data *rigid)
{
    pli_rigid_body_data copy = *rigid;
    pli_stream_mode mode = s->mode;
    if (mode == PLI_STREAM_CHECK)
        s->mode = PLI_STREAM_READ;
    pli_rigid_body_motion *m = &copy.now;
    pli_dvec3 *vectors[] = {&m->pose.centre,     &m->velocity,       &m->spin,
                            &m->velocity_change, &m->spin_change,    &m->impulse,
                            &m->angular_impulse, &copy.acceleration, &copy.target.centre};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        pass_dvector(s, vectors[i]);
    for (int k = 0; k < 4; k++)
        pli_pass_double(s, &m->pose.turn[k]);
    for (int k = 0; k < 4; k++)
        pli_pass_double(s, &copy.target.turn[k]);
    int32_t approaching = copy.approaching;
    pli_pass_integer(s, &approaching);
    copy.approaching = approaching != 0;
    int32_t asleep = copy.asleep;
    pli_pass_integer(s, &asleep);
    copy.asleep = asleep != 0;
    pli_pass_double(s, &copy.still_time);
    pli_pass_float(s, &copy.def.inverse_mass);
    for (int k = 0; k < 6; k++)
        pli_pass_float(s, &copy.def.inverse_inertia[k]);
    s->mode = mode;
    if (mode >= PLI_STREAM_CHECK && !finite_motion(m))
        s->failed = true;
    if (mode == PLI_STREAM_READ && !s->failed) {
        *rigid = copy;
        pli_rigid_update_inertia(rigid);
    }
}

// Passes the positions of the vertices of an animated collider while some of them trail their targets. The snapshot itself says whether
// it contains them, since the collider of a fresh world does not trail. Every deforming collider has memory for them.
static void pass_behind(pli_stream *s, pli_collider_data *collider)
{
    const bool is_behind = pli_pass_index(s, collider->is_behind, 0, collider->behind != NULL) != 0;
    for (int32_t v = 0; v < 3 * collider->span && is_behind && !s->failed; v += 3)
        pass_vertex(s, collider->behind + v);
    if (s->mode == PLI_STREAM_READ)
        collider->is_behind = is_behind;
}

// Passes the frame of a collider far from the origin of the application while it trails, and checks in a copy that it is finite.
static void pass_far_lag(pli_stream *s, pli_collider_data *collider)
{
    pli_local_frame copy = collider->far_lag;
    int32_t lags_far = collider->lags_far;
    pli_stream_mode mode = s->mode;
    if (mode == PLI_STREAM_CHECK)
        s->mode = PLI_STREAM_READ;
    pli_pass_integer(s, &lags_far);
    double sum = 0.0;
    if (lags_far)
        pass_dvector(s, &copy.position);
    for (int k = 0; k < 4 && lags_far; k++) {
        pli_pass_double(s, &copy.turn[k]);
        sum += copy.turn[k] * copy.turn[k];
    }
    s->mode = mode;
    bool valid = isfinite(copy.position.x + copy.position.y + copy.position.z) && fabs(sum - 1.0) < 1e-6;
    if (mode >= PLI_STREAM_CHECK && lags_far && !valid)
        s->failed = true;
    if (mode == PLI_STREAM_READ && !s->failed)
        collider->lags_far = lags_far != 0, collider->far_lag = copy;
}

// Colliders that deform are stored with their vertices.
static void pass_collider(pli_stream *s, pli_collider_data *collider)
{
    pli_pass_same(s, (uint64_t)collider->def.shape);
    pli_pass_collider_def(s, collider);
    pass_pose(s, &collider->def.pose);
    pass_pose(s, &collider->next);
    for (int32_t v = 0; v < 3 * collider->span && pli_shape_at((int32_t)collider->def.shape)->deforms && !s->failed;
         v += 3) {
        pass_vertex(s, collider->vertices + v);
        pass_vertex(s, collider->next_vertices + v);
    }
    int32_t moving = collider->moving, lags = collider->lags;
    pli_pass_integer(s, &moving);
    pli_pass_integer(s, &lags);
    pass_behind(s, collider);
    pass_far_lag(s, collider);
    if (s->mode == PLI_STREAM_READ) {
        collider->moving = moving != 0 && collider->vertices;
        collider->lags = lags != 0;
        collider->placed = false;
        collider->lag = 0.0, collider->lagging = 0;
        if (collider->surface)
            pli_contact_mesh_invalidate(collider->surface);
    }
}

static bool finite_support_contact(const pli_support_contact_data *b)
{
    return isfinite(pli_dlength(b->arm) + b->distance + b->keep + (double)b->friction) &&
           fabs(pli_ddot(b->local_normal, b->local_normal) - 1.0) < 1e-6;
}

static void pass_support_contact(pli_stream *s, const pli_world *world, pli_support_contact_data *support_contact)
{
    pli_support_contact_data copy = *support_contact;
    pli_stream_mode mode = s->mode;
    int32_t last = world->colliders.count - 1;
    copy.collider = pli_pass_index(s, copy.collider, 0, last);
    copy.support = pli_pass_index(s, copy.support, 0, last);
    copy.layers = pli_pass_index(s, copy.layers, 1, INT32_MAX);
    if (s->failed || !pli_collider_at(world, copy.collider)->rigid) {
        s->failed = true;
        return;
    }
    if (mode == PLI_STREAM_CHECK)
        s->mode = PLI_STREAM_READ;
    pass_dvector(s, &copy.arm);
    pass_dvector(s, &copy.local_normal);
    pli_pass_double(s, &copy.distance);
    pli_pass_double(s, &copy.keep);
    pli_pass_float(s, &copy.friction);
    s->mode = mode;
    if (mode >= PLI_STREAM_CHECK && !finite_support_contact(&copy))
        s->failed = true;
    if (mode == PLI_STREAM_READ && !s->failed)
        *support_contact = copy;
}

// Passes where bodies bear on colliders, which the application reads before the next substep. The check reserves their memory.
static void pass_support_contacts(pli_stream *s, pli_world *world)
{
    pli_support_contacts *support_contacts = &world->coupling.support_contacts;
    pli_support_contact_data spare = {0};
    int32_t count = pli_pass_index(s, support_contacts->now.count, 0, INT32_MAX);
    // Each support contact takes more than 64 bytes, so a count that exceeds the remaining bytes is wrong.
    bool reads = s->mode >= PLI_STREAM_CHECK;
    if (reads && !s->failed && (size_t)count > (s->size - s->at) / 64)
        s->failed = true;
    if (reads && !s->failed &&
        (!pli_array_reserve(&world->memory, &support_contacts->now, count) ||
         !pli_array_reserve(&world->memory, &support_contacts->good, count)))
        s->failed = s->out_of_memory = true;
    for (int32_t i = 0; i < count && !s->failed; i++)
        pass_support_contact(s, world, s->mode == PLI_STREAM_CHECK ? &spare : &support_contacts->now.items[i]);
    if (s->mode == PLI_STREAM_READ)
        support_contacts->now.count = count;
}

// Passes whether the next step must search for intersections, and since when intersections have existed.
static void pass_intersection_state(pli_stream *s, pli_world *world)
{
    pli_collision *collision = &world->collision;
    int32_t stirred = collision->stirred;
    int32_t suspect = collision->untangle.unverified || collision->untangle.intersections.count > 0 ||
                      collision->untangle.inside_count > 0,
            least = world->reports.least_intersecting, told = world->reports.intersecting,
            allowed = collision->untangle.allowed, raises = collision->untangle.raises,
            placed = collision->untangle.placed;
    double since = world->reports.intersecting_since;
    pli_pass_integer(s, &stirred);
    pli_pass_integer(s, &suspect);
    pli_pass_integer(s, &least);
    pli_pass_integer(s, &told);
    pli_pass_integer(s, &allowed);
    pli_pass_integer(s, &raises);
    pli_pass_integer(s, &placed);
    pli_pass_double(s, &since);
    if (s->mode != PLI_STREAM_READ)
        return;
    // The intersections found before belong to other positions.
    collision->untangle.intersections.count = collision->untangle.inside_count = collision->untangle.round_count = 0;
    collision->stirred = stirred != 0;
    collision->untangle.unverified = suspect != 0;
    world->reports.least_intersecting = least;
    world->reports.intersecting = told != 0;
    collision->untangle.allowed = allowed;
    collision->untangle.raises = raises != 0;
    collision->untangle.placed = placed != 0;
    world->reports.intersecting_since = since;
}

/* ---- forces of contacts between surfaces ----------------------------------------------------------- */

static void pass_id(pli_stream *s, uint32_t *id)
{
    uint64_t bits = *id;
    pli_pass(s, &bits, 4);
    if (s->mode >= PLI_STREAM_CHECK && !s->failed)
        *id = (uint32_t)bits;
}

// Returns the largest number of vertices that tearing can give a deformable.
static int32_t most_vertices(const pli_deformable_data *deformable)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    return t->vertex_count + t->corner_count;
}

// Passes a vertex of the surface of an owner. For a deformable it is a place, which the snapshot stores in the order of the application.
static int32_t pass_place(pli_stream *s, const pli_world *world, uint32_t owner, int32_t place)
{
    const pli_deformable_data *deformable = pli_list_find(&world->deformables, owner);
    const pli_collider_data *collider = deformable ? NULL : pli_list_find(&world->colliders, ~owner);
    const bool reads = s->mode >= PLI_STREAM_CHECK;
    int32_t most = deformable ? most_vertices(deformable) - 1 : INT32_MAX, vertex = place;
    if (!deformable && !collider)
        most = -1;
    if (deformable && !reads && place >= 0)
        vertex = pli_vertex(deformable, place);
    vertex = pli_pass_index(s, vertex, -1, most);
    if (!reads || !deformable || vertex < 0)
        return vertex;
    return vertex < deformable->count ? pli_place(deformable, vertex) : vertex;
}

// Reading starts from an empty force, since `kept` has no values yet.
static void pass_force(pli_stream *s, const pli_world *world, pli_contact_force *kept)
{
    pli_contact_force force = s->mode == PLI_STREAM_READ ? (pli_contact_force){.split = 1} : *kept;
    pass_id(s, &force.owners[0]), pass_id(s, &force.owners[1]);
    force.split = pli_pass_index(s, force.split, 1, 4);
    for (int32_t k = 0; k < 4; k++)
        force.at[k] = pass_place(s, world, force.owners[k < force.split ? 0 : 1], force.at[k]);
    pli_particle values = {force.drag.x, force.drag.y, force.drag.z, force.normal};
    pli_pass_particle(s, &values);
    force.drag = (pli_vec3){values.x, values.y, values.z}, force.normal = values.w;
    force.sticks = pli_pass_index(s, force.sticks, 0, 1) != 0;
    if (s->mode == PLI_STREAM_READ)
        *kept = force;
}

static void pass_contact_forces(pli_stream *s, pli_world *world)
{
    const bool reads = s->mode >= PLI_STREAM_CHECK;
    pli_contacts *contacts = &world->collision.contacts;
    const size_t most = reads ? (s->size - s->at) / 4 : INT32_MAX;
    const int32_t count = pli_pass_index(s, contacts->forces.count, 0, most < INT32_MAX ? (int32_t)most : INT32_MAX);
    if (s->failed || (reads && !pli_array_reserve_unset(&world->memory, &contacts->forces, count))) {
        s->out_of_memory = s->out_of_memory || !s->failed;
        s->failed = true;
        return;
    }
    for (int32_t i = 0; i < count && !s->failed; i++) {
        pli_contact_force read = {.split = 1},
                          *force = s->mode == PLI_STREAM_CHECK ? &read : &contacts->forces.items[i];
        pass_force(s, world, force);
    }
    if (s->mode != PLI_STREAM_READ)
        return;
    contacts->forces.count = s->failed ? 0 : count;
    pli_contacts_mark(contacts, 0);
}

/* ---- which attachments and sets there are -------------------------------------------------------- */

static int32_t list_index_of(const pli_list *list, const void *item)
{
    int32_t number = item ? list->count - 1 : -1;
    while (number >= 0 && list->items[number] != item)
        number--;
    return number;
}

static int32_t particles_of(const pli_attachment_data *attachment)
{
    return attachment->count > 0 ? attachment->made_count : attachment->off_count;
}

// Returns the record of an attachment, without its particles.
static pli_attachment_record record_of(const pli_world *world, const pli_attachment_data *attachment)
{
    return (pli_attachment_record){.id = attachment->id,
                                   .set = attachment->set ? attachment->set->id : 0,
                                   .deformable = list_index_of(&world->deformables, attachment->deformable),
                                   .rigid = list_index_of(&world->rigids, attachment->rigid),
                                   .fixed = attachment->fixed,
                                   .enabled = attachment->count > 0,
                                   .count = particles_of(attachment)};
}

static void pass_record(pli_stream *s, const pli_world *world, pli_attachment_record *record)
{
    pass_id(s, &record->id);
    pass_id(s, &record->set);
    record->deformable = pli_pass_index(s, record->deformable, 0, world->deformables.count - 1);
    record->rigid = pli_pass_index(s, record->rigid, -1, world->rigids.count - 1);
    record->fixed = pli_pass_index(s, record->fixed, 0, 1) != 0;
    record->enabled = pli_pass_index(s, record->enabled, 0, 1) != 0;
    record->count = pli_pass_index(s, record->count, 1, INT32_MAX);
}

// Passes the table. Reading fills `table`; otherwise it is NULL and the values read are ignored.
static void pass_table(pli_stream *s, pli_world *world, pli_snapshot_table *table)
{
    bool reads = s->mode >= PLI_STREAM_CHECK;
    int32_t most = reads ? (int32_t)((s->size - s->at) / 4 < INT32_MAX ? (s->size - s->at) / 4 : INT32_MAX) : INT32_MAX;
    int32_t sets = pli_pass_index(s, world->sets.count, 0, most);
    int32_t attachments = pli_pass_index(s, world->attachments.count, 0, most);
    if (table && !s->failed) {
        table->sets = PLI_ALLOCATE(&world->memory, uint32_t, sets);
        table->attachments = PLI_ALLOCATE(&world->memory, pli_attachment_record, attachments);
        s->failed = s->out_of_memory = !table->sets || !table->attachments;
    }
    for (int32_t i = 0; i < sets && !s->failed; i++) {
        uint32_t id = reads ? 0 : pli_constraints_data_at(world, i)->id;
        pass_id(s, &id);
        if (table)
            table->sets[table->set_count++] = id;
    }
    for (int32_t i = 0; i < attachments && !s->failed; i++) {
        const pli_attachment_data *attachment = reads ? NULL : pli_attachment_at(world, i);
        pli_attachment_record record = !reads ? record_of(world, attachment) : (pli_attachment_record){.rigid = -1};
        pass_record(s, world, &record);
        s->failed = s->failed || (reads && record.count > most);
        if (table && !s->failed &&
            !pli_reserve(&world->memory, &table->vertices, &table->vertex_capacity,
                         (int64_t)table->vertex_count + record.count, sizeof *table->vertices))
            s->failed = s->out_of_memory = true;
        record.first = table ? table->vertex_count : 0;
        for (int32_t k = 0; k < record.count && !s->failed; k++) {
            int32_t vertex = attachment ? pli_vertex(attachment->deformable, attachment->particles[k]) : 0;
            vertex = pli_pass_index(s, vertex, 0, most_vertices(pli_deformable_at(world, record.deformable)) - 1);
            if (table)
                table->vertices[table->vertex_count++] = vertex;
        }
        if (table && !s->failed)
            table->attachments[table->attachment_count++] = record;
    }
}

static void pass_layout(pli_stream *s)
{
    pli_pass_same(s, SNAPSHOT_MAGIC);
    pli_pass_same(s, pli_hash_mix(pli_snapshot_rows_hash(), SNAPSHOT_VERSION));
}

static void pass_head(pli_stream *s, pli_world *world)
{
    pass_layout(s);
    pli_pass_double(s, &world->time);
    uint64_t steps = (uint64_t)world->timing.step_count;
    pli_pass(s, &steps, 8);
    if (s->mode == PLI_STREAM_READ)
        world->timing.step_count = (int64_t)steps;
    pli_pass_settings(s, world);
    pli_pass_finite_vector(s, &world->origin);
    pli_pass_finite_vector(s, &world->air.gusts.carried);
    pli_pass_finite_double(s, &world->air.gusts.turned);
    pli_pass_same(s, (uint64_t)world->deformables.count);
    pli_pass_same(s, (uint64_t)world->colliders.count);
    pli_pass_same(s, (uint64_t)world->rigids.count);
}

static void pass_world(pli_stream *s, pli_world *world)
{
    pass_head(s, world);
    pass_table(s, world, NULL);
    for (int32_t i = 0; i < world->deformables.count && !s->failed; i++)
        pass_deformable(s, world, pli_deformable_at(world, i));
    for (int32_t i = 0; i < world->sets.count && !s->failed; i++)
        pass_set(s, world, pli_constraints_data_at(world, i));
    for (int32_t i = 0; i < world->attachments.count && !s->failed; i++)
        pass_attachment(s, world, pli_attachment_at(world, i));
    for (int32_t i = 0; i < world->colliders.count && !s->failed; i++)
        pass_collider(s, pli_collider_at(world, i));
    for (int32_t i = 0; i < world->rigids.count && !s->failed; i++)
        pass_rigid(s, pli_rigid_at(world, i));
    pass_support_contacts(s, world);
    pass_contact_forces(s, world);
    pass_intersection_state(s, world);
}

size_t pli_world_snapshot_size(const pli_world *world)
{
    pli_stream s = {.mode = PLI_STREAM_MEASURE};
    pass_world(&s, (pli_world *)world);
    return s.at + sizeof(uint64_t);
}

pli_status pli_world_snapshot_write(const pli_world *world, void *buffer, size_t size, pli_error *error)
{
    size_t needed = pli_world_snapshot_size(world);
    if (size < needed)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the snapshot needs %zu bytes, the buffer has %zu", needed,
                        size);
    pli_stream s = {.mode = PLI_STREAM_WRITE, .out = buffer, .size = needed};
    pass_world(&s, (pli_world *)world);
    uint64_t checksum = pli_hash_bytes(PLI_HASH_START, buffer, s.at);
    pli_pass(&s, &checksum, 8);
    return pli_succeed(error);
}

// The size alone proves nothing, since the snapshot of a tearing deformable can have any size.
pli_status pli_snapshot_check(const pli_world *world, const void *buffer, size_t size, pli_error *error)
{
    size_t needed = pli_world_snapshot_size(world);
    uint64_t found = 0;
    pli_stream s = {.mode = PLI_STREAM_CHECK, .in = buffer, .size = size, .at = size - sizeof found};
    if (size >= sizeof found)
        pli_pass(&s, &found, sizeof found);
    if (size >= sizeof found && found == pli_hash_bytes(PLI_HASH_START, buffer, size - sizeof found)) {
        s = (pli_stream){.mode = PLI_STREAM_CHECK, .in = buffer, .size = size};
        pass_layout(&s);
        return s.failed
                   ? pli_fail(
                         error, PLI_STATUS_CORRUPT,
                         "the snapshot was written by another version of Pliant, with other values; write it again")
                   : PLI_STATUS_OK;
    }
    if (size != needed)
        return pli_fail(error, PLI_STATUS_CORRUPT,
                        "the snapshot has %zu bytes; one of this world has %zu: it is cut "
                        "off, or of another world",
                        size, needed);
    return pli_fail(error, PLI_STATUS_CORRUPT, "the snapshot's checksum is wrong: the data were changed");
}

pli_status pli_snapshot_is_of_another_world(pli_error *error)
{
    return pli_fail(error, PLI_STATUS_CORRUPT,
                    "the snapshot is of another world: its meshes, constraint sets, "
                    "colliders or rigid bodies differ");
}

static pli_status fail_read(const pli_stream *s, pli_error *error)
{
    if (s->out_of_memory)
        return pli_fail_memory(error);
    if (s->whole)
        return pli_fail(error, PLI_STATUS_CORRUPT,
                        "the snapshot is of a deformable that was whole and has been cut since, with a "
                        "constraint set from a list; make the world again to go back");
    return pli_snapshot_is_of_another_world(error);
}

void pli_snapshot_table_release(pli_world *world, pli_snapshot_table *table)
{
    pli_release(&world->memory, table->attachments);
    pli_release(&world->memory, table->sets);
    pli_release(&world->memory, table->vertices);
    *table = (pli_snapshot_table){0};
}

pli_status pli_snapshot_table_read(pli_world *world, const void *buffer, size_t size, pli_snapshot_table *table,
                                   pli_error *error)
{
    *table = (pli_snapshot_table){0};
    pli_stream s = {.mode = PLI_STREAM_CHECK, .in = buffer, .size = size - sizeof(uint64_t)};
    pass_head(&s, world);
    if (!s.failed)
        pass_table(&s, world, table);
    return s.failed ? fail_read(&s, error) : pli_succeed(error);
}

bool pli_snapshot_has_attachment(const pli_world *world, const pli_snapshot_table *table, int32_t i,
                                 const pli_attachment_data *attachment)
{
    const pli_attachment_record *wanted = &table->attachments[i], has = record_of(world, attachment);
    if (wanted->deformable != has.deformable || wanted->rigid != has.rigid || wanted->fixed != has.fixed ||
        wanted->enabled != has.enabled || wanted->count != has.count || !wanted->set != !has.set)
        return false;
    for (int32_t k = 0; k < has.count; k++)
        if (table->vertices[wanted->first + k] != pli_vertex(attachment->deformable, attachment->particles[k]))
            return false;
    return true;
}

pli_status pli_snapshot_restore(pli_world *world, const void *buffer, size_t size, pli_error *error)
{
    pli_stream s = {.mode = PLI_STREAM_CHECK, .in = buffer, .size = size - sizeof(uint64_t)};
    pass_world(&s, world);
    s.failed = s.failed || s.at != s.size;
    if (s.failed) {
        pli_drop_staged(world);
        pli_drop_staged_attributes(world, &s);
        return fail_read(&s, error);
    }
    // Nothing may fail after reading has begun.
    if (!pli_world_reserve_published(world)) {
        pli_drop_staged(world);
        pli_drop_staged_attributes(world, &s);
        return pli_fail_memory(error);
    }
    s.mode = PLI_STREAM_READ, s.at = 0;
    pass_world(&s, world);
    pli_drop_staged_attributes(world, &s);
    world->has_contacts = false;
    for (int32_t i = 0; i < world->sets.count; i++)
        pli_constraints_place_targets(world, pli_constraints_data_at(world, i));
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        pli_deformable_publish_jump(world, deformable, 0, deformable->count);
    }
    return pli_succeed(error);
}
