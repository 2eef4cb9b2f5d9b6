// One triangle of Morley's plate: bending/plate_element.h.
#include "bending/plate_element.h"

#define LEAST_HEIGHT 1e-6 // A fraction of the longest edge.

bool pli_plate_element_make(const pli_dvec3 corners[3], double rigidity, double poisson, pli_plate_element *element)
{
    pli_dvec3 sides[3];
    double lengths[3], longest = 0.0;
    for (int k = 0; k < 3; k++) {
        sides[k] = pli_dsub(corners[(k + 1) % 3], corners[k]);
        lengths[k] = pli_dlength(sides[k]);
        longest = lengths[k] > longest ? lengths[k] : longest;
    }
    const pli_dvec3 across = pli_dcross(sides[0], pli_dsub(corners[2], corners[0]));
    const double twice_area = pli_dlength(across);
    if (!(twice_area > LEAST_HEIGHT * longest * longest))
        return false;
    const pli_dvec3 normal = pli_dscale(across, 1.0 / twice_area);
    for (int k = 0; k < 3; k++)
        element->normals[k] = pli_dscale(pli_dcross(sides[k], normal), 1.0 / lengths[k]);
    element->axes[0] = pli_dscale(sides[0], 1.0 / lengths[0]);
    element->axes[1] = pli_dcross(normal, element->axes[0]);
    element->axes[2] = normal;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            const double cosine = pli_ddot(element->normals[j], element->normals[k]);
            element->stiffness[j][k] = 2.0 * rigidity * lengths[j] * lengths[k] / twice_area *
                                       ((1.0 - poisson) * cosine * cosine + poisson);
            // The gradient of the linear function that is 1 at a corner points opposite to the normal of the edge across from it.
            const int opposite = (k + 1) % 3;
            element->derivatives[j][k] = -lengths[opposite] *
                                         pli_ddot(element->normals[opposite], element->normals[j]) / twice_area;
        }
    return true;
}

pli_dvec3 pli_plate_derivative_between(pli_dvec3 own, pli_dvec3 other, bool is_first)
{
    const pli_dvec3 between = pli_dsub(own, other);
    const double length = pli_dlength(between);
    return length > 1e-3 ? pli_dscale(between, 1.0 / length) : is_first ? own : pli_dscale(other, -1.0);
}
