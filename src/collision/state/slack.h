// Slack of a list of candidate pairs: the list stays valid while every particle is within `allowed_deviation` of its
// linear trajectory, for at most `lifetime` substeps. Surface contact (trajectories.c) and particle contact
// (particle_contact.c) share these rules.
#ifndef PLI_COLLISION_STATE_SLACK_H
#define PLI_COLLISION_STATE_SLACK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_slack {
    // Largest deviation from the trajectories: the allowed one, and the one measured in this substep [m].
    float allowed_deviation, deviated;
    int32_t age, lifetime; // Age of the list and its limit [substeps]; age -1 means that there is no list.
} pli_slack;

static inline void pli_slack_begin(pli_slack *slack, float allowed_deviation, int32_t lifetime)
{
    *slack = (pli_slack){.allowed_deviation = allowed_deviation, .lifetime = lifetime};
}

// Advances the age at the start of a substep. Returns true when the list is too old or absent.
static inline bool pli_slack_expires(pli_slack *slack) { return slack->age < 0 || ++slack->age >= slack->lifetime; }

// Upper bound of how much closer two particles are than their trajectories predict [m].
static inline float pli_slack_pair_deviation(const pli_slack *slack) { return 2.0f * slack->deviated; }

// Does a local repair pay off? If more than half of the clusters must query, a full search costs no more.
static inline bool pli_slack_repairs(int64_t queries, int64_t all) { return queries <= all / 2; }

#endif
