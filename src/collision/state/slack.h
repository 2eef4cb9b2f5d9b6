// Slack of a list of candidate pairs: the list holds while every particle is within a budget of a straight trajectory, for some
// substeps. Cloth against surfaces (trajectories.c) and particles against particles (particles.c) keep their lists by the same rules.
#ifndef PLI_COLLISION_STATE_SLACK_H
#define PLI_COLLISION_STATE_SLACK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_slack {
    float allowed_deviation, deviated; // How far particles may be off their trajectories, and are in this substep [m].
    int32_t age, lifetime;             // [substeps]; an age of -1: there is no list.
} pli_slack;

static inline void pli_slack_begin(pli_slack *slack, float allowed_deviation, int32_t lifetime)
{
    *slack = (pli_slack){.allowed_deviation = allowed_deviation, .lifetime = lifetime};
}

// At the start of a substep: whether the list is too old, or there is none.
static inline bool pli_slack_expires(pli_slack *slack) { return slack->age < 0 || ++slack->age >= slack->lifetime; }

// How much nearer two particles may have come by leaving their trajectories [m].
static inline float pli_slack_nearer(const pli_slack *slack) { return 2.0f * slack->deviated; }

// Whether it pays to search again for some clusters alone: for more than half of them, a search for all costs no more.
static inline bool pli_slack_repairs(int64_t asking, int64_t all) { return asking <= all / 2; }

#endif
