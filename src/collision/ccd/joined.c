// Pinned particles that share a position: collision/ccd/joined.h.
#include "collision/ccd/joined.h"

#include "base/sort.h"
#include "collision/ccd/ccd.h"

#include <string.h>

// Particles at the same position have equal keys; a comparison separates the few others with the same key.
static uint64_t joined_key(const pli_particle *p)
{
    uint32_t bits[3];
    memcpy(bits, &(float[3]){p->x, p->y, p->z}, sizeof bits);
    return ((uint64_t)bits[0] << 32 | bits[1]) * 0x9e3779b97f4a7c15u + bits[2];
}

static int32_t list_held(const pli_collision *collision, pli_sort_item *items)
{
    int32_t count = 0;
    for (int32_t k = 0; k < collision->surface_count; k++) {
        const pli_contact_mesh *s = collision->surfaces[k];
        for (int32_t i = s->first; !s->collider && s->was_cut && i < s->first + s->vertex_count; i++) {
            if (collision->particles[i].w > 0.0f)
                continue;
            if (items)
                items[count] = (pli_sort_item){joined_key(&collision->previous[i]), i};
            count++;
        }
    }
    return count;
}

bool pli_ccd_find_joined(pli_collision *collision)
{
    pli_ccd_state *ccd = &collision->ccd;
    int32_t count = list_held(collision, NULL);
    ccd->joined_count = 0;
    if (count < 2)
        return true;
    pli_sort_item *items = PLI_TAKE(&collision->arena, pli_sort_item, count);
    pli_sort_item *copy = PLI_TAKE(&collision->arena, pli_sort_item, count);
    ccd->joined = PLI_TAKE(&collision->arena, int32_t, 2 * (int64_t)count);
    if (!items || !copy || !ccd->joined)
        return false;
    list_held(collision, items);
    pli_sort_within(items, copy, count);
    for (int32_t begin = 0, end; begin < count; begin = end) {
        const pli_particle *first = &collision->previous[items[begin].value];
        for (end = begin + 1; end < count && items[end].key == items[begin].key &&
                              pli_is_same_place(first, &collision->previous[items[end].value]);)
            end++;
        // Each group is stored as its number of particles, followed by the particles.
        if (end - begin > 1)
            ccd->joined[ccd->joined_count++] = end - begin;
        for (int32_t i = begin; end - begin > 1 && i < end; i++)
            ccd->joined[ccd->joined_count++] = items[i].value;
    }
    return true;
}

static bool are_together(const pli_collision *collision, const int32_t *group, int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        if (!pli_is_same_place(&collision->particles[group[i]], &collision->particles[group[0]]))
            return false;
    return true;
}

bool pli_ccd_keep_joined(pli_collision *collision, bool shortest)
{
    const pli_ccd_state *ccd = &collision->ccd;
    bool any = false;
    for (int32_t k = 0; k < ccd->joined_count; k += 1 + ccd->joined[k]) {
        const int32_t *group = ccd->joined + k + 1, count = ccd->joined[k];
        if (are_together(collision, group, count))
            continue;
        any = true;
        // All particles of the group get one displacement.
        pli_vec3 sum = {0, 0, 0}, least = pli_displacement_of(collision, group[0]);
        int32_t moved = 0;
        for (int32_t i = 0; i < count; i++) {
            pli_vec3 d = pli_displacement_of(collision, group[i]);
            if (pli_dot(d, d) < pli_dot(least, least))
                least = d;
            if (collision->ccd.changed[group[i]] & PLI_CCD_MOVED)
                sum = pli_add(sum, d), moved++;
        }
        pli_vec3 common = shortest || moved == 0 ? least : pli_scale(sum, 1.0f / (float)moved);
        pli_vec3 to = pli_add(pli_position_of(&collision->previous[group[0]]), common);
        for (int32_t i = 0; i < count; i++) {
            pli_particle *p = &collision->particles[group[i]];
            pli_ccd_move(collision, group[i], pli_sub(to, pli_position_of(p)));
            p->x = to.x, p->y = to.y, p->z = to.z; // Makes the positions bit-identical.
        }
    }
    return any;
}
