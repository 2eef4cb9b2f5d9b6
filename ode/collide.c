// Contacts between bodies, and of bodies with colliders of the world. If cloth is between two of them, they collide before they touch:
// the world's support contacts give the place and the distance that the cloth needs (pliant/rigid.h). The load, including friction, is
// transmitted directly here, independent of the weight of the cloth.
#include "collide.h"

#include "body.h"
#include "convex/hull_round.h"

#include <stdlib.h>
#include <string.h>

// Slower than this, contacts have no direction of sliding [m/s].
static const double slip_least = 1e-4;

// Regularisation of contacts (CFM) relative to the inverse inertia of the bodies. Three corners on a face give
// redundant contacts, which the exact solver cannot solve without it.
static const double softness = 1e-6;

static bool moves(const ode_geom *geom) { return geom->body && ode_body_moves(geom->body); }

static bool may_touch(const ode_geom *a, const ode_geom *b)
{
    if ((!moves(a) && !moves(b)) || a->body == b->body)
        return false;
    if (!(a->def.layers & b->def.mask) || !(b->def.layers & a->def.mask))
        return false;
    return !(a->body && b->body && dAreConnectedExcluding(a->body->id, b->body->id, dJointTypeContact));
}

static bool overlap(const ode_geom *a, const ode_geom *b)
{
    return a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static placed_hull placed(const ode_geom *geom) { return (placed_hull){geom->hull, geom->where}; }

// Contacts of a hull `a`.
static int touch_hull(const ode_geom *a, const ode_geom *b, hull_contact contacts[HULL_CONTACTS_MAX])
{
    placed_hull hull = placed(a), other = placed(b);
    const vec ends[2] = {placement_apply(b->where, (vec){0, b->half, 0}),
                         placement_apply(b->where, (vec){0, -b->half, 0})};
    vec up = turn_apply(b->where.rotation, (vec){0, 1, 0});
    if (b->hull)
        return hull_touch_hull(&hull, &other, contacts);
    if (b->half_space)
        return hull_touch_plane(&hull, up, vec_dot(up, b->where.position), contacts);
    return hull_touch_capsule(&hull, ends, b->radius, contacts);
}

static int touch_by_ode(const ode_geom *a, const ode_geom *b, hull_contact contacts[HULL_CONTACTS_MAX])
{
    dContactGeom found[HULL_CONTACTS_MAX];
    int count = dCollide(a->id, b->id, HULL_CONTACTS_MAX, found, sizeof *found);
    for (int i = 0; i < count; i++)
        contacts[i] = (hull_contact){{found[i].pos[0], found[i].pos[1], found[i].pos[2]},
                                     {found[i].normal[0], found[i].normal[1], found[i].normal[2]},
                                     found[i].depth};
    return count;
}

// Contacts with normals towards `a`.
static int find_contacts(const ode_geom *a, const ode_geom *b, hull_contact contacts[HULL_CONTACTS_MAX])
{
    if (a->id && b->id)
        return touch_by_ode(a, b, contacts);
    if (!a->id)
        return touch_hull(a, b, contacts);
    int count = touch_hull(b, a, contacts);
    for (int i = 0; i < count; i++)
        contacts[i].normal = vec_negate(contacts[i].normal);
    return count;
}

static vec velocity_at(const ode_body *body, vec point)
{
    if (!body)
        return (vec){0, 0, 0};
    const dReal *v = dBodyGetLinearVel(body->id), *w = dBodyGetAngularVel(body->id);
    vec arm = vec_sub(point, body->where.position);
    return vec_add((vec){v[0], v[1], v[2]}, vec_cross((vec){w[0], w[1], w[2]}, arm));
}

static double inverse_mass(const ode_geom *geom) { return moves(geom) ? 1.0 / geom->body->mass.mass : 0.0; }

static void set_vector(dReal *to, vec from) { to[0] = from.x, to[1] = from.y, to[2] = from.z; }

// A contact of negative depth lets both approach by that distance in this substep.
static void add_contact(pli_ode *ode, const ode_geom *a, const ode_geom *b, const hull_contact *found, double friction,
                        double step)
{
    dContact contact;
    double give = softness * step * (inverse_mass(a) + inverse_mass(b));
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactApprox1 | dContactSoftCFM | dContactSlip1 | dContactSlip2;
    contact.surface.mode |= found->depth < 0.0 ? dContactMotionN : dContactBounce;
    contact.surface.motionN = found->depth / step;
    contact.surface.mu = friction;
    contact.surface.bounce = fmax((double)a->def.restitution, (double)b->def.restitution);
    contact.surface.bounce_vel = 2.0 * step * ode->gravity;
    contact.surface.soft_cfm = contact.surface.slip1 = contact.surface.slip2 = give;
    contact.geom.depth = fmax(found->depth, 0.0);
    set_vector(contact.geom.pos, found->position);
    set_vector(contact.geom.normal, found->normal);
    // ODE bounds friction along two axes separately; with one axis along the slip this equals Coulomb's law.
    vec slip = vec_sub(velocity_at(a->body, found->position), velocity_at(b->body, found->position));
    slip = vec_sub(slip, vec_scale(found->normal, vec_dot(slip, found->normal)));
    if (vec_length(slip) > slip_least) {
        contact.surface.mode |= dContactFDir1;
        set_vector(contact.fdir1, vec_unit(slip));
    }
    dJointID joint = dJointCreateContact(ode->id, ode->contacts, &contact);
    dJointAttach(joint, a->body ? a->body->id : 0, b->body ? b->body->id : 0);
}

static void touch(pli_ode *ode, const ode_geom *a, const ode_geom *b, double step)
{
    hull_contact contacts[HULL_CONTACTS_MAX];
    int count = overlap(a, b) && may_touch(a, b) ? find_contacts(a, b, contacts) : 0;
    for (int i = 0; i < count; i++)
        add_contact(ode, a, b, &contacts[i], sqrt((double)a->def.friction * (double)b->def.friction), step);
}

static const ode_geom *geom_of(const pli_ode *ode, pli_collider collider)
{
    for (int32_t i = 0; i < ode->geom_count; i++)
        if (ode->geoms[i]->collider.id == collider.id)
            return ode->geoms[i];
    return NULL;
}

static void touch_through_cloth(pli_ode *ode, double step)
{
    int32_t count = 0;
    pli_world_support_contacts(ode->world, NULL, 0, &count, NULL);
    if (count > ode->support_contact_capacity) {
        pli_support_contact *support_contacts = realloc(ode->support_contacts,
                                                        sizeof *support_contacts * (size_t)count);
        if (!support_contacts)
            return;
        ode->support_contacts = support_contacts, ode->support_contact_capacity = count;
    }
    pli_world_support_contacts(ode->world, ode->support_contacts, ode->support_contact_capacity, &count, NULL);
    for (int32_t i = 0; i < count; i++) {
        const pli_support_contact *support_contact = &ode->support_contacts[i];
        const ode_geom *a = geom_of(ode, support_contact->collider), *b = geom_of(ode, support_contact->support);
        const hull_contact found = {vec_of(support_contact->position), vec_of(support_contact->normal),
                                    (double)support_contact->thickness - (double)support_contact->distance};
        if (a && b && may_touch(a, b))
            add_contact(ode, a, b, &found, (double)support_contact->friction, step);
    }
}

static int along_x(const void *left, const void *right)
{
    const ode_geom *a = *(const ode_geom *const *)left, *b = *(const ode_geom *const *)right;
    if (a->low.x != b->low.x)
        return a->low.x < b->low.x ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

// Sweep and prune, so that the order of pairs depends only on the state; the order in ODE's spaces depends on history.
void ode_collide(pli_ode *ode, double step)
{
    if (ode->geom_count == 0)
        return;
    memcpy(ode->sweep, ode->geoms, sizeof *ode->geoms * (size_t)ode->geom_count);
    qsort(ode->sweep, (size_t)ode->geom_count, sizeof *ode->sweep, along_x);
    for (int32_t i = 0; i < ode->geom_count; i++) {
        for (int32_t k = i + 1; k < ode->geom_count && ode->sweep[k]->low.x <= ode->sweep[i]->high.x; k++) {
            const ode_geom *a = ode->sweep[i], *b = ode->sweep[k];
            touch(ode, a->order < b->order ? a : b, a->order < b->order ? b : a, step);
        }
    }
    touch_through_cloth(ode, step);
}
