// Bodies: shapes with mass, their proxies, and the exchange of poses and velocities.
#include "body.h"

#include "geom.h"
#include "joint.h"
#include "pointer_list.h"

#include <stdlib.h>

pli_ode_body_def pli_ode_body_def_default(void)
{
    return (pli_ode_body_def){.density = 1000.0f, .pose = pli_transform_identity(), .mass_scale = 1.0f};
}

static pli_status check(const pli_ode_body_def *def, pli_error *error)
{
    const char *name = def->name ? def->name : "";

    if (def->shape_count < 1 || !def->shapes)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "body '%s' has no shape; give at least one", name);
    if (!(def->mass >= 0.0f) || !isfinite(def->mass))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the mass of body '%s' is %g kg; it must be positive, or 0 to "
                        "take it from the density",
                        name, (double)def->mass);
    if (!(def->density > 0.0f) || !isfinite(def->density))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the density of body '%s' is %g kg/m3; it must be positive",
                        name, (double)def->density);
    for (int32_t i = 0; i < def->shape_count; i++) {
        const pli_shape_info *info = pli_shape_at((int32_t)def->shapes[i].shape);
        if (info && !info->solid)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                            "body '%s' has a shape of the kind %s, which no body is made of; use one that is solid, "
                            "such as a box or a hull",
                            name, info->name);
    }
    return pli_succeed(error);
}

// Adds up mass and inertia of the shapes.
static pli_status weigh(const pli_ode_body_def *def, ode_geom *const *geoms, ode_body *body, pli_error *error)
{
    solid_mass sum = {0};
    for (int32_t i = 0; i < def->shape_count; i++) {
        pli_mass_properties mass;
        pli_status status = pli_shape_mass(&def->shapes[i], 1.0, &mass, error);
        if (status != PLI_STATUS_OK)
            return status;
        sum = mass_sum(sum, mass_placed(mass_of(&mass), geoms[i]->local));
    }
    sum = mass_scaled(sum, def->mass > 0.0f ? (double)def->mass / sum.mass : (double)def->density);
    body->mass = sum;
    if (sum.mass > 0.0 && isfinite(sum.mass) && mass_invert(sum.inertia, body->inverse_inertia))
        return pli_succeed(error);
    return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                    "body '%s' has the mass %g kg and an inertia that cannot be "
                    "inverted; its shapes need a volume",
                    def->name ? def->name : "", sum.mass);
}

static pli_status make_proxy(pli_ode *ode, const pli_ode_body_def *def, ode_body *body, pli_error *error)
{
    pli_rigid_body_def proxy = pli_rigid_body_def_default();
    proxy.name = def->name;
    proxy.state = (pli_rigid_state){def->pose, def->velocity, def->angular_velocity, {0, 0, 0}};
    proxy.centre_of_mass = vec_to_float(body->mass.centre);
    proxy.inverse_mass = def->fixed ? 0.0f : (float)(1.0 / body->mass.mass);
    for (int k = 0; k < 6; k++)
        proxy.inverse_inertia[k] = def->fixed ? 0.0f : (float)body->inverse_inertia[k];
    proxy.mass_scale = def->mass_scale;
    proxy.user_data = def->user_data;
    proxy.respects_sleep = true;
    return pli_rigid_body_create(ode->world, &proxy, &body->proxy, error);
}

static pli_status make_colliders(pli_ode *ode, const pli_ode_body_def *def, ode_geom **geoms, ode_body *body,
                                 pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < def->shape_count && status == PLI_STATUS_OK; i++) {
        pli_collider_def shape = def->shapes[i];
        shape.body = body->proxy;
        status = pli_collider_create(ode->world, &shape, &geoms[i]->collider, error);
    }
    return status;
}

static void make_dynamics(pli_ode *ode, ode_body *body)
{
    const solid_mass *m = &body->mass;
    dMass mass;
    dMassSetParameters(&mass, m->mass, 0, 0, 0, m->inertia[0], m->inertia[1], m->inertia[2], m->inertia[3],
                       m->inertia[4], m->inertia[5]);
    body->id = dBodyCreate(ode->id);
    dBodySetMass(body->id, &mass);
    dBodySetGyroscopicMode(body->id, 0);
    dBodySetAutoDisableFlag(body->id, 0);
    if (body->fixed)
        dBodySetKinematic(body->id);
}

static pli_status make_parts(pli_ode *ode, const pli_ode_body_def *def, ode_body *body, ode_geom **geoms,
                             pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < def->shape_count && status == PLI_STATUS_OK; i++)
        status = ode_geom_create(&def->shapes[i], &geoms[i], error);
    if (status == PLI_STATUS_OK)
        status = weigh(def, geoms, body, error);
    if (status == PLI_STATUS_OK)
        status = make_proxy(ode, def, body, error);
    if (status != PLI_STATUS_OK)
        return status;
    status = make_colliders(ode, def, geoms, body, error);
    if (status != PLI_STATUS_OK)
        pli_rigid_body_destroy(ode->world, body->proxy, NULL);
    return status;
}

// Adds a body and its geoms to the lists. False when memory runs out.
static bool enlist(pli_ode *ode, ode_body *body, ode_geom **geoms, int32_t count)
{
    if (!ode_reserve(&ode->bodies, ode->body_count))
        return false;
    for (int32_t i = 0; i < count; i++) {
        geoms[i]->body = body;
        geoms[i]->local.position = vec_sub(geoms[i]->local.position, body->mass.centre);
        if (!ode_geom_add(ode, geoms[i])) {
            while (--i >= 0)
                ode->geom_count--;
            return false;
        }
    }
    ode->bodies[ode->body_count++] = body;
    make_dynamics(ode, body);
    return true;
}

pli_status pli_ode_body_create(pli_ode *ode, const pli_ode_body_def *def, pli_rigid_body *result, pli_error *error)
{
    pli_status status = check(def, error);
    if (status != PLI_STATUS_OK)
        return status;
    ode_body *body = calloc(1, sizeof *body);
    ode_geom **geoms = calloc((size_t)def->shape_count, sizeof *geoms);
    status = body && geoms ? PLI_STATUS_OK : ode_fail_memory(error);
    if (status == PLI_STATUS_OK) {
        body->fixed = def->fixed;
        status = make_parts(ode, def, body, geoms, error);
    }
    if (status == PLI_STATUS_OK && !enlist(ode, body, geoms, def->shape_count)) {
        pli_rigid_body_destroy(ode->world, body->proxy, NULL);
        status = ode_fail_memory(error);
    }
    if (status == PLI_STATUS_OK)
        *result = body->proxy;
    for (int32_t i = 0; i < def->shape_count && status != PLI_STATUS_OK && geoms; i++)
        ode_geom_free(geoms[i]);
    if (status != PLI_STATUS_OK)
        free(body);
    free(geoms);
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}

ode_body *ode_body_find(const pli_ode *ode, pli_rigid_body proxy, pli_error *error)
{
    for (int32_t i = 0; i < ode->body_count; i++)
        if (ode->bodies[i]->proxy.id == proxy.id && ode->bodies[i]->proxy.world == proxy.world)
            return ode->bodies[i];
    pli_fail(error, PLI_STATUS_NOT_FOUND, "there is no body %u made by this adapter", (unsigned)proxy.id);
    return NULL;
}

void ode_body_remove(pli_ode *ode, ode_body *body)
{
    for (int32_t i = ode->joint_count - 1; i >= 0; i--)
        if (ode->joints[i]->body == body || ode->joints[i]->to == body)
            ode_joint_remove(ode, ode->joints[i]);
    for (int32_t i = ode->geom_count - 1; i >= 0; i--)
        if (ode->geoms[i]->body == body)
            ode_geom_remove(ode, ode->geoms[i]);
    int32_t kept = 0;
    for (int32_t i = 0; i < ode->body_count; i++)
        if (ode->bodies[i] != body)
            ode->bodies[kept++] = ode->bodies[i];
    ode->body_count = kept;
    dBodyDestroy(body->id);
    free(body);
}

pli_status pli_ode_body_destroy(pli_ode *ode, pli_rigid_body proxy, pli_error *error)
{
    ode_body *body = ode_body_find(ode, proxy, error);
    if (!body)
        return PLI_STATUS_NOT_FOUND;
    ode_body_remove(ode, body);
    return pli_rigid_body_destroy(ode->world, proxy, error);
}

pli_status pli_ode_body_get_mass(const pli_ode *ode, pli_rigid_body proxy, pli_ode_mass *mass, pli_error *error)
{
    const ode_body *body = ode_body_find(ode, proxy, error);
    if (!body)
        return PLI_STATUS_NOT_FOUND;
    const solid_mass *m = &body->mass;
    pli_ode_mass found = {m->mass, {m->centre.x, m->centre.y, m->centre.z}, {0}};
    for (int k = 0; k < 6; k++)
        found.inertia[k] = m->inertia[k];
    *mass = found;
    return pli_succeed(error);
}

// The body's state is relative to the origin of the world; in ODE it has world coordinates in double.
static bool place_body(ode_body *body, const pli_rigid_state *s, vec origin)
{
    placement pose = placement_of(s->pose);
    pose.position = vec_add(pose.position, origin);
    body->where = (placement){placement_apply(pose, body->mass.centre), pose.rotation};
    vec p = body->where.position, v = vec_of(s->velocity), w = vec_of(s->angular_velocity);
    turn q = body->where.rotation;
    const dQuaternion rotation = {q.w, q.x, q.y, q.z};
    if (!isfinite(vec_dot(p, p) + vec_dot(v, v) + vec_dot(w, w) + q.x + q.y + q.z + q.w))
        return false;
    dBodySetPosition(body->id, p.x, p.y, p.z);
    dBodySetQuaternion(body->id, rotation);
    dBodySetLinearVel(body->id, v.x, v.y, v.z);
    dBodySetAngularVel(body->id, w.x, w.y, w.z);
    return true;
}

// The solver moves only bodies that are awake. The mass of a body is set again when it wakes, bit-identical.
static void read_sleep(const pli_ode *ode, ode_body *body)
{
    bool asleep = pli_rigid_body_is_asleep(ode->world, body->proxy);
    if (asleep == body->asleep || body->fixed)
        return;
    body->asleep = asleep;
    if (asleep)
        dBodySetKinematic(body->id);
    else
        dBodySetDynamic(body->id);
}

bool ode_body_moves(const ode_body *body) { return !body->fixed && !body->asleep; }

// A body whose proxy was destroyed is removed too.
bool ode_bodies_read(pli_ode *ode)
{
    bool finite = true;
    double at[3];
    pli_world_get_origin(ode->world, at);
    for (int32_t i = ode->body_count - 1; i >= 0; i--) {
        ode_body *body = ode->bodies[i];
        pli_rigid_state local;
        if (pli_rigid_body_get_state(ode->world, body->proxy, &body->state, NULL) != PLI_STATUS_OK ||
            pli_rigid_body_get_local_state(ode->world, body->proxy, &local, NULL) != PLI_STATUS_OK)
            ode_body_remove(ode, body);
        else {
            finite = place_body(body, &local, (vec){at[0], at[1], at[2]}) && finite;
            read_sleep(ode, body);
        }
    }
    return finite;
}

void ode_bodies_write(pli_ode *ode)
{
    for (int32_t i = 0; i < ode->body_count; i++) {
        ode_body *body = ode->bodies[i];
        if (!ode_body_moves(body))
            continue;
        const dReal *v = dBodyGetLinearVel(body->id), *w = dBodyGetAngularVel(body->id);
        body->state.velocity = (pli_vec3){(float)v[0], (float)v[1], (float)v[2]};
        body->state.angular_velocity = (pli_vec3){(float)w[0], (float)w[1], (float)w[2]};
        pli_rigid_body_set_state(ode->world, body->proxy, &body->state, false, NULL);
    }
}
