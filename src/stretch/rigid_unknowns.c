// Rigid bodies in the equations of membranes: stretch/rigid_unknowns.h.
#include "stretch/rigid_unknowns.h"

#include <math.h>
#include <string.h>

static pli_dvec3 rigid_unknown_arm(const pli_rigid_unknown *u, pli_vec3 point)
{
    return pli_dsub((pli_dvec3){(double)point.x, (double)point.y, (double)point.z}, u->centre);
}

static void add_force(double to[6], pli_dvec3 force, pli_dvec3 torque)
{
    to[0] += force.x, to[1] += force.y, to[2] += force.z;
    to[3] += torque.x, to[4] += torque.y, to[5] += torque.z;
}

void pli_rigid_unknown_begin(pli_rigid_unknown *u, const pli_rigid_body_data *rigid, float step, bool follows)
{
    *u = (pli_rigid_unknown){.rigid = rigid, .centre = rigid->now.pose.centre};
    if (follows)
        return;
    const double h = (double)step, square = 1.0 / (h * h);
    const pli_dvec3 weight = rigid->inverse_mass > 0.0 ? pli_dscale(rigid->acceleration, 1.0 / rigid->inverse_mass)
                                                       : (pli_dvec3){0.0, 0.0, 0.0};
    add_force(u->load, pli_dadd(weight, pli_dscale(rigid->pushed, square)), pli_dscale(rigid->pushed_turn, square));
    memcpy(u->left, u->load, sizeof u->left);
}

void pli_rigid_unknown_stiffen(pli_rigid_unknown *u, pli_vec3 point, pli_vec3 normal, float across, float along)
{
    const double n[3] = {(double)normal.x, (double)normal.y, (double)normal.z};
    const pli_dvec3 arm = rigid_unknown_arm(u, point);
    // The point moves by J q; these are the rows of J.
    const double rows[3][6] = {
        {1.0, 0.0, 0.0, 0.0, arm.z, -arm.y}, {0.0, 1.0, 0.0, -arm.z, 0.0, arm.x}, {0.0, 0.0, 1.0, arm.y, -arm.x, 0.0}};
    double lead[6];
    for (int32_t c = 0; c < 6; c++)
        lead[c] = n[0] * rows[0][c] + n[1] * rows[1][c] + n[2] * rows[2][c];
    for (int32_t r = 0; r < 6; r++)
        for (int32_t c = 0; c < 6; c++)
            u->stiffness[6 * r + c] += (double)along * (rows[0][r] * rows[0][c] + rows[1][r] * rows[1][c] +
                                                        rows[2][r] * rows[2][c]) +
                                       (double)(across - along) * lead[r] * lead[c];
}

void pli_rigid_unknown_pull(pli_rigid_unknown *u, pli_vec3 point, pli_vec3 force)
{
    const pli_dvec3 pull = {(double)force.x, (double)force.y, (double)force.z};
    add_force(u->left, pull, pli_dcross(rigid_unknown_arm(u, point), pull));
}

// W x for x made of a force and a torque.
static void rigid_unknown_move(const pli_rigid_body_data *rigid, double square, const double x[6], double moved[6])
{
    const pli_dvec3 turned = pli_symmetric_times(rigid->inverse_inertia, (pli_dvec3){x[3], x[4], x[5]});
    for (int32_t k = 0; k < 3; k++)
        moved[k] = square * rigid->inverse_mass * x[k];
    moved[3] = square * turned.x, moved[4] = square * turned.y, moved[5] = square * turned.z;
}

// Gaussian elimination with column pivoting. The matrix has no eigenvalue below 1.
static void eliminate(double a[6][7])
{
    for (int32_t k = 0; k < 6; k++) {
        int32_t largest = k;
        for (int32_t r = k + 1; r < 6; r++)
            largest = fabs(a[r][k]) > fabs(a[largest][k]) ? r : largest;
        for (int32_t c = k; c < 7; c++) {
            const double swapped = a[k][c];
            a[k][c] = a[largest][c], a[largest][c] = swapped;
        }
        for (int32_t r = k + 1; r < 6; r++) {
            const double factor = a[r][k] / a[k][k];
            for (int32_t c = k; c < 7; c++)
                a[r][c] -= factor * a[k][c];
        }
    }
    for (int32_t k = 5; k >= 0; k--) {
        for (int32_t c = k + 1; c < 6; c++)
            a[k][6] -= a[k][c] * a[c][6];
        a[k][6] /= a[k][k];
    }
}

void pli_rigid_unknown_solve(pli_rigid_unknown *u, float step)
{
    const double square = (double)step * (double)step;
    double a[6][7], column[6], moved[6];
    for (int32_t c = 0; c < 6; c++) {
        for (int32_t r = 0; r < 6; r++)
            column[r] = u->stiffness[6 * r + c];
        rigid_unknown_move(u->rigid, square, column, moved);
        for (int32_t r = 0; r < 6; r++)
            a[r][c] = moved[r] + (r == c ? 1.0 : 0.0);
    }
    for (int32_t r = 0; r < 6; r++)
        for (int32_t c = 0; c < 6; c++)
            u->left[r] += u->stiffness[6 * r + c] * u->solution[c];
    rigid_unknown_move(u->rigid, square, u->left, moved);
    for (int32_t r = 0; r < 6; r++)
        a[r][6] = moved[r];
    eliminate(a);
    for (int32_t r = 0; r < 6; r++)
        u->solution[r] = a[r][6];
    memcpy(u->left, u->load, sizeof u->left);
}

pli_vec3 pli_rigid_unknown_moved(const pli_rigid_unknown *u, pli_vec3 point)
{
    const double *q = u->solution;
    const pli_dvec3 turned = pli_dcross((pli_dvec3){q[3], q[4], q[5]}, rigid_unknown_arm(u, point));
    return (pli_vec3){(float)(q[0] + turned.x), (float)(q[1] + turned.y), (float)(q[2] + turned.z)};
}
