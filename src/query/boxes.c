// Returns the boxes of the broad phase, for drawing where contacts are searched.
#include "collision/state/contact_mesh.h"
#include "model/handles.h"
#include "model/origin.h"

pli_status pli_deformable_boxes(const pli_world *world, pli_deformable handle, pli_vec3 *corners, int32_t capacity,
                                int32_t *count, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    *count = 0;
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_clusters *clusters = deformable->surface && !deformable->idle ? &deformable->surface->clusters : NULL;
    for (int32_t i = 0; clusters && i < clusters->count; i++) {
        const pli_swept_box *swept = &clusters->tree.swept_boxes[i];
        pli_aabb box = pli_aabb_join(swept->start, swept->end);
        // A cluster has no box before the broad phase first visits it.
        if (!(box.low.x <= box.high.x))
            continue;
        if (*count < capacity) {
            corners[2 * *count] = pli_world_point(world, box.low);
            corners[2 * *count + 1] = pli_world_point(world, box.high);
        }
        (*count)++;
    }
    return pli_succeed(error);
}
