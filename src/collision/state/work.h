// The budget of work of a step: what candidate pairs, clusters and rounds may cost. It counts, and knows no time, so that states
// are the same for any number of threads, on any machine.
//
//     a usual substep    PLI_USUAL_PAIRS pairs a vertex that moves
//     a step             budget * substeps * usual           shared among the substeps that are left
//     a list of pairs    budget * usual / PLI_LIST_SHARE     longer ones are not finished
//
// Where a search or the proof would take more, the motion of this substep is shortened (pair_cache/trajectories.c).
#ifndef PLI_COLLISION_STATE_WORK_H
#define PLI_COLLISION_STATE_WORK_H

#include <stdbool.h>
#include <stdint.h>

// Candidate pairs a vertex in a usual substep, and the least number of them in a world.
enum { PLI_USUAL_PAIRS = 32, PLI_USUAL_LEAST = 16384 };
// The list of a search may take one in so many parts of the budget of a substep.
enum { PLI_LIST_SHARE = 4 };
// How often the motion of a substep is shortened before it is stopped.
enum { PLI_SHORTENINGS = 2 };
// Costs, in pairs: of a pair of clusters; of one pair that needs a look, in those that need none; of a pair that is not clear, and
// of one that goes to planes at once; and of an intersection.
enum {
    PLI_CLUSTER_PAIR_WORK = 4,
    PLI_SCANNED_PAIRS = 8,
    PLI_FAILING_WORK = 128,
    PLI_PLANE_WORK = 8,
    PLI_INTERSECTION_WORK = 16
};

typedef struct pli_work {
    int64_t usual;        // Pairs of a usual substep.
    int64_t most_pairs;   // Most pairs of a list; 0 for any number.
    int64_t left;         // Work left of the step, without this substep; negative when overdrawn.
    int64_t share, spent; // Work that this substep may spend, and has spent.
    int64_t allowed;      // Work that it may spend before its motion is shortened (once more).
    int64_t total;        // Spent in the step, before this substep and in it.
    int32_t shortened;    // Substeps of this step whose motion was shortened for the budget.
    bool short_now;       // Whether that of this substep was.
    bool is_over;         // A search was not finished, because its list got too long.
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

// Allows a quarter of the substep's share for the next attempt.
static inline void pli_work_allow_more(pli_work *work)
{
    work->allowed = (work->spent > work->allowed ? work->spent : work->allowed) + work->share / (2 + PLI_SHORTENINGS);
}

// Notes that the motion of this substep is shortened.
static inline void pli_work_shorten(pli_work *work)
{
    work->shortened += !work->short_now;
    work->short_now = true;
}

#endif
