// The ODE world that accompanies a Pliant world: its bodies, geoms and joints.
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
    double inverse_inertia[6]; // In the body's frame.
    bool fixed, asleep;        // Asleep in this substep: it has infinite mass.
    pli_rigid_state state;     // State of the proxy in this substep.
    placement where;           // Pose of the frame at the centre of mass, in this substep.
} ode_body;

// A shape of a body, or a collider of the world that bodies touch.
typedef struct ode_geom {
    pli_collider collider;
    pli_collider_def def;
    ode_body *body;      // NULL for a collider of the world.
    placement local;     // Pose in the frame at the body's centre of mass.
    placement where;     // Pose in the world, in this substep.
    bool half_space;     // Colliders only: everything below local y = 0 is solid.
    double half, radius; // Without a hull: a segment along local y, rounded; a sphere when half is 0 [m].
    polyhedron *hull;    // Polyhedron of boxes, and of shapes that are neither a half-space nor round all over.
    dGeomID id;          // NULL for hulls, which ODE does not handle.
    vec low, high;       // Bounds in this substep.
    int32_t order;       // Order of creation.
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
    dJointGroupID contacts; // Contact joints of the current substep.
    ode_body **bodies;
    ode_geom **geoms; // Geoms of bodies and of the world, in order of creation.
    ode_geom **sweep; // The same geoms sorted along x, in this substep.
    ode_joint **joints;
    pli_support_contact *support_contacts; // Buffer for reading them.
    int32_t body_count, geom_count, joint_count, support_contact_capacity;
    double gravity; // Magnitude in this substep [m/s2].
    int32_t last_geom;
    uint32_t last_joint;
};

// Angular velocity at the end of a torque-free step that conserves angular momentum.
vec ode_free_spin(const ode_body *body, vec spin, double step);

#endif
