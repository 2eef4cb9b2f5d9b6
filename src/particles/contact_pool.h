// The contacts of one deformable with analytic shapes.
#ifndef PLI_PARTICLES_CONTACT_POOL_H
#define PLI_PARTICLES_CONTACT_POOL_H

#include "model/model.h"

// An answer of the user's contact filter about a particle and a collider.
typedef struct pli_filter_answer {
    int32_t particle, collider;
    bool allowed;
} pli_filter_answer;

// Contacts of one deformable with analytic shapes, stored by the chunk of particles in which they were found.
typedef struct pli_contact_pool {
    pli_contact_group *groups;
    int32_t capacity; // Groups that each chunk has memory for.
    int32_t chunk_count;
    int32_t *counts; // [chunk_count] groups of each chunk in this substep.
    // Answers of the last substep, and answers collected in this substep.
    pli_filter_answer *filter_answers, *next_filter_answers;
    int32_t filter_answer_count, filter_answer_capacity, next_capacity;
} pli_contact_pool;

// Contacts of a chunk of particles; null until the first contact allocates them.
static inline pli_contact_group *pli_chunk_contacts(const pli_contact_pool *pool, int32_t chunk)
{
    return pool->groups ? pool->groups + (size_t)chunk * (size_t)pool->capacity : NULL;
}

#endif
