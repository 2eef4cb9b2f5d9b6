// Presets of materials, and the values derived from the figures of a preset. A preset is one row of the table.
//
// Sources of the figures, and their scope:
//
//   [F]  the typical figures (density, rigidity) that this project is measured with: Peirce's test of five fabrics.
//   [K]  Kawabata 1980, The Standardization and Analysis of Hand Evaluation: standards of the KES-F instruments. Woven apparel fabrics are
//        2 to 8 % longer at 490 N/m; the midpoint, 5 %, is a secant stiffness of 9.8e3 N/m. Their coefficients of friction
//        against the instrument are 0.15 to 0.25. The shear stiffness is 0.2 to 0.5 gf/cm per degree for dress fabrics and 0.8 for
//        winter suits. 1 gf cm2/cm is 9.81e-5 N m, and 1 gf/cm per degree is 56.2 N/m. Figures from memory, [m].
//   [P]  Penava, Simic Penava, Knezic 2014, Determination of the elastic constants of plain woven fabrics by a tensile
//        test in various directions, table 1: area density, thickness and Poisson's ratio of cotton and wool.
//   [D]  Journal of Textiles 2016, 4614168, table 5: six denims by KES-F: thickness 0.801 to 1.188 mm, longer by 4.70 to 5.74 % at
//        490 N/m (8.5e3 to 10.4e3 N/m), B 0.144 to 0.227 gf cm2/cm (1.4e-5 to 2.2e-5 N m, light denim), 2HB about as large as B, in shear
//        1.5 to 3.4 gf/cm per degree.
//   [T]  DuPont Teijin Films, Mylar polyester film, physical-thermal properties: 490 and 510 kg/mm2 along and across, 1390 kg/m3,
//        Poisson's ratio 0.38; friction on itself 0.3 to 0.6, midpoint.
//   [N]  Scientific Reports 4, 6275 (2014), table 2: printing paper, 110 um, 2.92 GPa.
//   [W]  MatWeb, natural rubber, vulcanised: 950 kg/m3, shear modulus 0.5 MPa, hence Young's modulus 1.5 MPa.
//
// Yield curvatures are 2 e / t for a yield strain e at the surface of a sheet of thickness t. The e of paper, leather and film lies
// in a usual range, which is given; hardening is our estimate. A crease is sharper than most meshes: it cannot form where edges are
// longer than about 1 / yield (pli_deformable_get_effective_stiffness reports this).
//
// Where no source is named for friction or loss, the figure is the middle of the usual range for such sheets, and a sample may
// differ by a factor of three.
#include "properties/materials.h"
#include "base/text.h"

#include "base/error.h"
#include "properties/groups.h"

#include <math.h>
#include <string.h>

// Upper limits for edges and plates.
#define TENSILE_MAX 1e15f
#define RIGIDITY_MAX 1e6f
// 2 pi. A loss factor at 1 Hz over this is the damping time [s].
#define TURN 6.283185307179586

static const double gravity = 9.80665;

// The flexural rigidity D of a sheet whose strips have the rigidity B [N m]. A strip that bends freely contracts across.
// All sources measure strips.
#define OF_STRIP(b, nu) ((b) / (1.0f - (nu) * (nu)))

#define DEF .air_drag = 1.0f, .air_lift = 1.0f, .air_friction = 1.0f, .warp = {1.0f, 0.0f, 0.0f}

static const pli_material materials[] = {
    {"silk",
     PLI_TEXT("Silk"),
     PLI_TEXT("Light plain-woven silk, such as habotai."),
     PLI_TEXT("density and rigidity: typical figures of this project's tests; thickness: usual range 0.1 to 0.2 mm, "
              "midpoint; "
              "tensile stiffness: 2 to 8 % "
              "at 490 N/m (Kawabata 1980), midpoint; shear stiffness: 0.2 to 0.5 gf/cm for a degree, midpoint; "
              "friction: 0.15 to "
              "0.25, midpoint; Poisson's ratio and loss: usual"),
     {DEF, .density = 0.06f, .thickness = 1.5e-4f, .tensile_stiffness = 9.8e3f, .rigidity = OF_STRIP(2e-6f, 0.25f),
      .poisson = 0.25f, .friction = 0.2f, .loss_factor = 0.1f, .shear_stiffness = 20.0f}},
    {"cotton",
     PLI_TEXT("Cotton"),
     PLI_TEXT("Plain-woven cotton of shirts and sheets."),
     PLI_TEXT("density, thickness and Poisson's ratio: Penava et al. 2014; rigidity: typical figure of this project's "
              "tests; "
              "tensile stiffness: 2 to 8 % at "
              "490 N/m (Kawabata 1980), midpoint; shear stiffness: 0.9 gf/cm for a degree, friction and loss: usual"),
     {DEF, .density = 0.1503f, .thickness = 3.18e-4f, .tensile_stiffness = 9.8e3f, .rigidity = OF_STRIP(1e-5f, 0.243f),
      .poisson = 0.243f, .friction = 0.35f, .loss_factor = 0.2f, .shear_stiffness = 50.0f}},
    {"wool",
     PLI_TEXT("Wool"),
     PLI_TEXT("Woven wool of suits."),
     PLI_TEXT("density, thickness and Poisson's ratio: Penava et al. 2014; rigidity 0.136 gf cm2/cm, friction 0.21 and "
              "loss of "
              "hysteresis over "
              "rigidity: Kawabata 1980, mean of winter suits, and shear stiffness, 0.8 gf/cm for a degree; tensile "
              "stiffness: 2 to "
              "8 % at 490 N/m, midpoint"),
     {DEF, .density = 0.2348f, .thickness = 5.68e-4f, .tensile_stiffness = 9.8e3f,
      .rigidity = OF_STRIP(1.33e-5f, 0.277f), .poisson = 0.277f, .friction = 0.21f, .loss_factor = 0.29f,
      .shear_stiffness = 45.0f}},
    {"denim",
     PLI_TEXT("Denim"),
     PLI_TEXT("Stiff denim of 12 oz a square yard, not washed."),
     PLI_TEXT(
         "density and rigidity: typical figures of this project's tests (light washed denim has 1.4e-5 to 2.2e-5 N m); "
         "thickness 0.801 to 1.188 mm and "
         "tensile stiffness 8.5e3 to 10.4e3 N/m and shear stiffness 84 to 191 N/m: Journal of Textiles 2016, 4614168, "
         "table 5, midpoints, and loss of "
         "its "
         "hysteresis over "
         "rigidity; friction and Poisson's ratio: usual"),
     {DEF, .density = 0.4f, .thickness = 9.9e-4f, .tensile_stiffness = 9.4e3f, .rigidity = OF_STRIP(1.5e-4f, 0.25f),
      .poisson = 0.25f, .friction = 0.5f, .loss_factor = 0.5f, .shear_stiffness = 138.0f}},
    {"leather",
     PLI_TEXT("Leather"),
     PLI_TEXT("Upholstery leather of 1.2 mm."),
     PLI_TEXT("density and rigidity: typical figures of this project's tests; Young's modulus: what they give with the "
              "thickness, within the usual range of "
              "10 to 100 MPa; friction, Poisson's ratio and loss: usual; yield curvature: a strain of 5 to 10 % at the "
              "surface, "
              "lower end, "
              "and hardening: ours"),
     {DEF, .density = 0.9f, .thickness = 1.2e-3f, .young = 3.5e7f, .rigidity = OF_STRIP(5e-3f, 0.3f), .poisson = 0.3f,
      .friction = 0.5f, .loss_factor = 0.2f, .yield = 80.0f, .hardening = 0.3f}},
    {"paper",
     PLI_TEXT("Paper"),
     PLI_TEXT("Printing paper of 80 g a square metre."),
     PLI_TEXT("density and rigidity: typical figures of this project's tests; thickness and Young's modulus: "
              "Scientific Reports "
              "4, 6275, table 2; "
              "friction, Poisson's ratio and loss: usual; yield curvature: a strain of 0.3 to 0.5 % at the surface, "
              "midpoint, "
              "and hardening: "
              "ours"),
     {DEF, .density = 0.08f, .thickness = 1.1e-4f, .young = 2.92e9f, .rigidity = OF_STRIP(2.5e-4f, 0.3f),
      .poisson = 0.3f, .friction = 0.4f, .loss_factor = 0.03f, .yield = 73.0f, .hardening = 0.05f}},
    {"mylar",
     PLI_TEXT("Mylar"),
     PLI_TEXT("Polyester film of 50 um."),
     PLI_TEXT(
         "density 1390 kg/m3, Young's modulus 490 and 510 kg/mm2, midpoint, and Poisson's ratio: DuPont Teijin Films, "
         "Mylar physical-thermal "
         "properties; friction: 0.3 to 0.6, midpoint; loss: usual; yield curvature: a strain of 2 %, what the usual "
         "stress "
         "at 5 % of "
         "100 MPa gives with that modulus, and hardening: ours"),
     {DEF, .density = 0.0695f, .thickness = 5e-5f, .young = 4.9e9f, .poisson = 0.38f, .friction = 0.45f,
      .loss_factor = 0.02f, .yield = 800.0f, .hardening = 0.05f}},
    {"rubber",
     PLI_TEXT("Rubber"),
     PLI_TEXT("Vulcanised natural rubber of 0.5 mm."),
     PLI_TEXT(
         "density 950 kg/m3 and Young's modulus, three times the shear modulus of 0.5 MPa: MatWeb, natural rubber, "
         "vulcanized; Poisson's "
         "ratio: that volume is kept; friction and loss: usual"),
     {DEF, .density = 0.475f, .thickness = 5e-4f, .young = 1.5e6f, .poisson = 0.49f, .friction = 0.9f,
      .loss_factor = 0.1f}},
};

pli_material_def pli_material_def_default(void)
{
    pli_material_def standard = {0};
    pli_descriptor_write_defaults(&pli_material_descriptors, &standard);
    return standard;
}

int32_t pli_material_count(void) { return (int32_t)(sizeof materials / sizeof *materials); }

const pli_material *pli_material_at(int32_t i) { return i >= 0 && i < pli_material_count() ? &materials[i] : NULL; }

const pli_material *pli_material_find(const char *name)
{
    for (int32_t i = 0; name && i < pli_material_count(); i++)
        if (strcmp(materials[i].name, name) == 0)
            return &materials[i];
    return NULL;
}

float pli_material_damping_time(const pli_material_def *material)
{
    return fminf((float)((double)material->loss_factor / TURN), PLI_PLATE_DAMPING_MAX);
}

pli_status pli_material_resolve(pli_material_def *material, pli_error *error)
{
    pli_material_def full = *material;
    pli_status status = pli_descriptor_check(&pli_material_descriptors, &full, error);
    if (status != PLI_STATUS_OK)
        return status;
    const double t = (double)full.thickness, c = (double)full.bending_length, nu = (double)full.poisson;
    if (full.young > 0.0f)
        full.tensile_stiffness = (float)((double)full.young * t);
    if (c > 0.0)
        full.rigidity = (float)((double)full.density * gravity * c * c * c / (1.0 - nu * nu));
    else if (!(full.rigidity > 0.0f))
        full.rigidity = (float)((double)full.young * t * t * t / (12.0 * (1.0 - nu * nu)));
    if (!(full.tensile_stiffness <= TENSILE_MAX && full.rigidity <= RIGIDITY_MAX))
        return pli_fail(
            error, PLI_STATUS_INVALID_ARGUMENT,
            "material: a tensile stiffness of %g N/m and a rigidity of %g N m follow from young, thickness, "
            "density and bending_length; give numbers from which at most %g and %g do",
            (double)full.tensile_stiffness, (double)full.rigidity, (double)TENSILE_MAX, (double)RIGIDITY_MAX);
    *material = full;
    return pli_succeed(error);
}
