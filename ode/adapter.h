// What the files of the adapter share.
#ifndef PLI_ODE_ADAPTER_H
#define PLI_ODE_ADAPTER_H

#include "convex/hull_contact.h"
#include "mass.h"

#include <pliant/ode.h>

#include <ode/ode.h>

typedef struct ode_body {
    pli_rigid_body proxy;
    dBodyID id;
    solid_mass mass;           // In the body's frame.
    double inverse_inertia[6]; // The same frame.
    bool fixed;
    pli_rigid_state state; // Of the proxy, in this substep.
    placement where;       // Of the frame at the centre of mass, in this substep.
} ode_body;

// A shape of a body, or a collider of the world that bodies touch.
typedef struct ode_geom {
    pli_collider collider;
    pli_collider_def def;
    ode_body *body;      // Null for a collider of the world.
    placement local;     // In the frame at the body's centre of mass.
    placement where;     // In the world, in this substep.
    bool half_space;     // Of colliders: all below local y = 0.
    double half, radius; // Otherwise, without a hull: a segment along local y, rounded; a ball when half is 0 [m].
    polyhedron *hull;    // Of boxes, and of what is neither a half-space nor round all over.
    dGeomID id;          // Null for hulls, which ODE does not see.
    vec low, high;       // Bounds in this substep.
    int32_t order;       // Of creation.
} ode_geom;

typedef struct ode_joint {
    uint32_t id;
    pli_ode_joint_type type;
    ode_body *body, *to; // `to` is null for the world.
    dJointID joint;
} ode_joint;

struct pli_ode {
    pli_world *world;
    pli_ode_def def;
    dWorldID id;
    dJointGroupID contacts; // Of the current substep.
    ode_body **bodies;
    ode_geom **geoms; // Of bodies and of the world, in order of creation.
    ode_geom **sweep; // The same along x, in this substep.
    ode_joint **joints;
    int32_t body_count, geom_count, joint_count;
    double gravity; // In this substep [m/s2].
    int32_t last_geom;
    uint32_t last_joint;
};

// Room for one more pointer in the list at *list. False when memory runs out.
bool ode_reserve(void *list, int32_t count);
pli_status ode_fail_memory(pli_error *error);

// The body of that proxy, with the NOT_FOUND failure when this adapter did not make it.
ode_body *ode_body_find(const pli_ode *ode, pli_rigid_body proxy, pli_error *error);
// Poses and velocities of the proxies into ODE. False when one is not finite.
bool ode_bodies_read(pli_ode *ode);
// New velocities into the proxies.
void ode_bodies_write(pli_ode *ode);
// Removes a body with its geoms and joints, but not the proxy.
void ode_body_remove(pli_ode *ode, ode_body *body);
void ode_joint_remove(pli_ode *ode, ode_joint *joint);

// Makes what is needed to collide, not yet in the list of geoms.
pli_status ode_geom_create(const pli_collider_def *def, ode_geom **geom, pli_error *error);
void ode_geom_free(ode_geom *geom);
// Adds it. False when memory runs out.
bool ode_geom_add(pli_ode *ode, ode_geom *geom);
void ode_geom_remove(pli_ode *ode, ode_geom *geom);
// Where every geom is now, and its bounds.
void ode_geoms_place(pli_ode *ode);

// Contact joints between all that touch.
void ode_collide(pli_ode *ode, double step);

// The angular velocity at the end of a step without torque, so that the angular momentum is kept.
vec ode_free_spin(const ode_body *body, vec spin, double step);

#endif
