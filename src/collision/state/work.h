// The work budget of a step, which limits the cost of candidate pairs, clusters and rounds. It counts operations, not
// time, so that states are the same for any number of threads and on any machine.
//
//     a usual substep    PLI_USUAL_PAIRS pairs per moving vertex
//     a step             budget * substeps * usual           shared among the remaining substeps
//     a list of pairs    budget * usual / PLI_LIST_SHARE     the search stops at longer lists
//
// If a search or the proof would exceed the budget, the motion of this substep is shortened (pair_cache/trajectories.c).
#ifndef PLI_COLLISION_STATE_WORK_H
#define PLI_COLLISION_STATE_WORK_H

#include <stdbool.h>
#include <stdint.h>

// Candidate pairs per vertex in a usual substep, and their least number in a world.
enum { PLI_USUAL_PAIRS = 32, PLI_USUAL_LEAST = 16384 };
// The list of a search may take at most 1 / PLI_LIST_SHARE of the budget of a substep.
enum { PLI_LIST_SHARE = 4 };
// Number of times that the motion of a substep is shortened before it is stopped.
enum { PLI_SHORTENINGS = 2 };
// Costs, in pairs: a cluster pair; the number of scanned pairs that cost as much as one; a pair that is not clear; such
// a pair that goes directly to planes; an intersection.
enum {
    PLI_CLUSTER_PAIR_WORK = 4,
    PLI_SCANNED_PAIRS = 8,
    PLI_FAILING_WORK = 128,
    PLI_PLANE_WORK = 8,
    PLI_INTERSECTION_WORK = 16
};

typedef struct pli_work {
    int64_t usual;        // Pairs of a usual substep.
    int64_t most_pairs;   // Longest list of pairs; 0 for no limit.
    int64_t left;         // Remaining work of the step, without this substep; negative when overdrawn.
    int64_t share, spent; // Work that this substep may spend, and work that it has spent.
    int64_t allowed;      // Work that it may spend before its motion is shortened (again).
    int64_t total;        // Work spent in the step, including this substep.
    int32_t shortened;    // Substeps of this step whose motion was shortened to save work.
    bool short_now;       // The motion of this substep was shortened.
    bool is_over;         // A search stopped because its list got too long.
} pli_work;

static inline void pli_work_spend(pli_work *work, int64_t pairs)
{
    work->spent += pairs;
    work->total += pairs;
}

static inline bool pli_work_is_spent(const pli_work *work)
{
    return work->most_pairs > 0 && work->spent > work->allowed;
}

// Allows a quarter of the substep's budget for the next attempt.
static inline void pli_work_allow_more(pli_work *work)
{
    work->allowed = (work->spent > work->allowed ? work->spent : work->allowed) + work->share / (2 + PLI_SHORTENINGS);
}

// Records that the motion of this substep is shortened.
static inline void pli_work_shorten(pli_work *work)
{
    work->shortened += !work->short_now;
    work->short_now = true;
}

#endif
