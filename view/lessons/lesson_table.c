// The lessons, in the order of the web page, whose sections have the same names.
#include "lessons/lesson_table.h"

#include "lessons/measures.h"

#include <string.h>

static const char *const strides[] = {"one", "two", NULL};
static const char *const rules[] = {"Fig. 6 corrected", "text A, by indices", "text B, by cons[]", "over edges", NULL};

static const pli_lesson lessons[] = {
    {.id = "fold",
     .title = "A sheet without bending stiffness hangs limp",
     .text =
         "A strip of 10 x 30 cm is clamped at one end and bends by its flexural rigidity alone; its edges keep their "
         "length. Silk has about a millionth of a newton metre, thin card a hundredth. Lower the rigidity and watch "
         "the "
         "free end, then raise it.",
     .scene = "lessons/strip.json",
     .controls = {"strip/isometric.rigidity"},
     .turned = 1e-6,
     .frames = 90,
     .read = pli_lesson_read_drop,
     .claim = "At 0.002 N m the end hangs less than 20 cm low",
     .paper = "not in the papers",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 200.0},
    {.id = "algorithm",
     .title = "Position-based dynamics is one short loop",
     .text = "The step of Mueller and others (2006) on a net of 25 points that hangs by two corners. Next line runs "
             "the marked line; "
             "grey points are x, coloured ones p. At the end of the loop the library makes the same step, and both are "
             "compared. Change the iterations in between.",
     .scene = "lessons/algorithm.json",
     .controls = {"settings.iterations"},
     .turned = 2.0,
     .frames = 200,
     .steady = true,
     .read = pli_lesson_read_algorithm,
     .begin = pli_lesson_begin_algorithm,
     .claim = "The library's step is Algorithm 1",
     .paper = "0",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 1e-4,
     .canvas = PLI_LESSON_ALGORITHM},
    {.id = "edges",
     .title = "Edges alone do not prevent folding",
     .text =
         "Two triangles share an edge, and one of them is held level. All five edges keep their length, and still the "
         "pair "
         "folds like a book: a distance along an edge knows nothing of the angle across it. Set the compliance of the "
         "opposite distance to 0: the tips keep their distance, and the pair cannot fold.",
     .scene = "lessons/book.json",
     .controls = {"book/opposite_distance.compliance"},
     .turned = 0.0,
     .frames = 60,
     .read = pli_lesson_read_fold,
     .claim = "With edges alone the pair folds",
     .paper = "not in the papers",
     .sense = PLI_LESSON_AT_LEAST,
     .limit = 60.0},
    {.id = "neighbors",
     .title = "Sorting finds the triangle across an edge",
     .text = "Write each edge of each triangle as a row: its lower vertex, its higher vertex, its number. Sort the "
             "rows: a shared "
             "edge then stands twice in a row. Walk down the rows one at a time; the two numbers of a pair are each "
             "other's "
             "neighbours, and an edge that stands alone is a border.",
     .scene = "lessons/book.json",
     .turned = 0.0,
     .read = pli_lesson_read_neighbors,
     .claim = "Two triangles have one shared edge",
     .paper = "1",
     .sense = PLI_LESSON_NEAR,
     .limit = 1.0,
     .canvas = PLI_LESSON_NEIGHBORS,
     .value = {"rows walked", 6.0, 0.0, 6.0, NULL}},
    {.id = "bug",
     .title = "A wrong step misses shared edges",
     .text = "When two rows differ, how far do you go on? A well-known listing goes on by two, which is right only as "
             "long as "
             "borders come in pairs. On nine points it finds two of the eight shared edges. Choose both and count.",
     .scene = "lessons/nine.json",
     .turned = 1.0,
     .read = pli_lesson_read_bug,
     .claim = "Going on by one finds all eight",
     .paper = "8",
     .sense = PLI_LESSON_NEAR,
     .limit = 8.0,
     .canvas = PLI_LESSON_NEIGHBORS,
     .value = {"go on by", 0.0, 0.0, 1.0, strides}},
    {.id = "pairs",
     .title = "Each shared edge gives four points",
     .text =
         "Each shared edge gives a hinge: its two ends, and the tip of each triangle. Drag the number of rows walked, "
         "and the "
         "pairs light up one after the other. Open a mesh of your own (Ctrl+O): the counts by hand and of the library "
         "follow it.",
     .scene = "lessons/strip.json",
     .turned = 100.0,
     .read = pli_lesson_read_pairs,
     .claim = "By hand there are as many pairs as in the library",
     .paper = "1",
     .sense = PLI_LESSON_NEAR,
     .limit = 1.0,
     .canvas = PLI_LESSON_NEIGHBORS,
     .value = {"rows walked", 450.0, 0.0, 450.0, NULL}},
    {.id = "gradient",
     .title = "A correction follows the gradient",
     .text = "The constraint is C = |x3 - x2| - d, zero when the tips are as far apart as at rest. The corrections go "
             "along its "
             "gradient and are shared by the inverse masses, so that the momentum of both is zero. Drag the tips; "
             "lower the left "
             "weight w2 to make that tip heavy. At 1/3 the right one moves three times as far.",
     .scene = "lessons/book.json",
     .turned = 0.3333333333,
     .read = pli_lesson_read_gradient,
     .begin = pli_lesson_begin_points,
     .claim = "With equal masses both move as far",
     .paper = "1",
     .sense = PLI_LESSON_NEAR,
     .limit = 1.0,
     .tolerance = 1e-6,
     .canvas = PLI_LESSON_POINTS,
     .value = {"w2, inverse mass of the left tip", 1.0, 0.0, 1.0, NULL}},
    {.id = "xpbd",
     .title = "A compliance does not depend on iterations",
     .text =
         "A chain of ten links hangs under its own weight. Each link of compliance a carries what is below it, so the "
         "chain is "
         "longer by a m g (1 + 2 + ...). Under XPBD, iterations and substeps bring it nearer to that. Choose PBD: its "
         "stiffness is a fraction for each step, and the chain depends on how often it is applied.",
     .scene = "lessons/chain.json",
     .controls = {"settings.method", "settings.substeps", "settings.iterations"},
     .turned = 1.0,
     .frames = 200,
     .read = pli_lesson_read_chain,
     .claim = "XPBD has the closed form",
     .paper = "10.8 %, closed form",
     .sense = PLI_LESSON_NEAR,
     .against = 1,
     .tolerance = 0.02},
    {.id = "parallel",
     .title = "Colours make projections parallel",
     .text = "Two corrections that share a vertex would overwrite each other, so constraints get colours: within a "
             "colour no two "
             "share a vertex, and a colour is one pass. The overlay shows the colours of the net's edges. Raise the "
             "iterations: the net stretches less.",
     .scene = "lessons/net.json",
     .controls = {"settings.iterations", "settings.substeps"},
     .turned = 1.0,
     .frames = 60,
     .steady = true,
     .read = pli_lesson_read_batches,
     .claim = "A net of quads needs about four colours",
     .paper = "four or so",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 8.0,
     .overlay = "batches"},
    {.id = "cost",
     .title = "Bending models differ in cost and in shape",
     .text =
         "Opposite distance is said to be cheap, isometric bending expensive. Both are measured now, on your machine, "
         "one "
         "projection after the other and without SIMD. Near flat a stick across an edge resists bending little, since "
         "its length hardly changes with the angle; isometric bending is linear in the curvature.",
     .scene = "lessons/strip.json",
     .controls = {"strip/isometric.rigidity"},
     .turned = 1e-6,
     .frames = 10,
     .steady = true,
     .read = pli_lesson_read_cost,
     .claim = "Isometric bending costs less than five times as much",
     .paper = "not in the papers",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 5.0},
    {.id = "height",
     .title = "A height over three points measures bending",
     .text = "Kelager, Niebe and Erleben (2010) bend cloth by the height h of a vertex over the common centre c of it "
             "and two "
             "opposite neighbours: C = h - (h0 + kappa). The circle has the radius h0 + kappa. Drag the points, turn "
             "kappa, and "
             "choose the relation: with h at most h0 + kappa the inside of the circle is free.",
     .scene = "lessons/strips.json",
     .turned = 0.2,
     .read = pli_lesson_read_height,
     .begin = pli_lesson_begin_points,
     .claim = "The library's C is that of the formula",
     .paper = "equation (3)",
     .sense = PLI_LESSON_NEAR,
     .against = 1,
     .tolerance = 1e-4,
     .canvas = PLI_LESSON_POINTS,
     .value = {"kappa", 0.0, 0.0, 0.6, NULL}},
    {.id = "kappa",
     .title = "Kappa sets how far a sheet may bend",
     .text =
         "Four strips differ in kappa alone: 0, 0.05 and 0.2 edges, and yours on the right. Until a height has grown "
         "by kappa "
         "nothing resists; then the strip bends no further. Turn your kappa while the strip hangs. An edge is 10 mm.",
     .scene = "lessons/strips.json",
     .controls = {"yours/triangle.kappa", "yours/triangle.relation"},
     .turned = 0.0005,
     .frames = 120,
     .read = pli_lesson_read_strips,
     .claim = "Yours hangs as the closed form says",
     .paper = "not in the paper",
     .sense = PLI_LESSON_NEAR,
     .against = 4,
     .tolerance = 0.05},
    {.id = "creation",
     .title = "Straight neighbours give the constraints",
     .text = "For each vertex and each neighbour, the straightest neighbour across makes a triple. Text A of Figure 6 "
             "loses pairs "
             "by its test of indices, text B makes degenerate ones. On the paper's fabric all make 160. Open a mesh of "
             "your own (Ctrl+O): the counts follow it.",
     .scene = "lessons/fabric.json",
     .turned = 3.0,
     .read = pli_lesson_read_creation,
     .claim = "The fabric has the constraints of Table 1",
     .paper = "160",
     .sense = PLI_LESSON_NEAR,
     .limit = 160.0,
     .value = {"rule", 0.0, 0.0, 3.0, rules}},
    {.id = "mirror",
     .title = "A height cannot tell in from out",
     .text = "A height has no sign, so the mirror image of a shape is at rest too. Three bowls, open upwards at rest, "
             "start inside "
             "out: triangle bending as printed stays so, the signed height that section 6 proposes comes back, and so "
             "does the "
             "linear form. Set the stiffness of the signed one to 0.",
     .scene = "lessons/bowls.json",
     .controls = {"signed/triangle_signed.stiffness"},
     .turned = 0.0,
     .frames = 400,
     .read = pli_lesson_read_bowls,
     .begin = pli_lesson_begin_bowls,
     .claim = "With a sign it comes back",
     .paper = "section 6: \"a signed height\"",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 0.05},
    {.id = "figure-1",
     .title = "Figure 1: a plant stands by bending constraints",
     .text = "Stem and leaves stand by the inequality of triangle bending alone. The wind blows between 1 and 2.5 s, "
             "and the bend "
             "recovers. Set the stiffness to 0 and press Start over: edges alone let the plant fall.",
     .scene = "plant.json",
     .controls = {"plant/triangle.stiffness", "plant/triangle.kappa"},
     .turned = 0.0,
     .frames = 60,
     .read = pli_lesson_read_plant,
     .claim = "It stands after a second",
     .paper = "Fig. 1: it stands",
     .sense = PLI_LESSON_AT_LEAST,
     .limit = 0.95},
    {.id = "figure-2",
     .title = "Figure 2: kappa lowers and raises a bunny",
     .text =
         "A hollow bunny stands by the inequality at kappa = 0. Raise kappa to 0.02 and then to 0.1 \"to control the "
         "collapse\", and lower it to 0.01 \"to inflate it again\". Choose the relation as it is printed, at least: "
         "then "
         "the bunny does not stand.",
     .scene = "lessons/bunny.json",
     .controls = {"bunny/triangle.kappa", "bunny/triangle.relation"},
     .turned = 0.1,
     .frames = 150,
     .read = pli_lesson_read_bunny,
     .claim = "The bunny stands at kappa = 0",
     .paper = "Fig. 2: it stands",
     .sense = PLI_LESSON_AT_LEAST,
     .limit = 0.7},
    {.id = "figure-3",
     .title = "Figure 3: triangles recover from a crumpled state",
     .text =
         "Three fabrics start with every vertex displaced at random by up to an edge. From left to right they bend by "
         "triangles, by the dihedral angle as printed, and by sticks. Step through the first 17 frames, and look at "
         "what is flat at rest.",
     .scene = "lessons/crumpled.json",
     .controls = {"triangle/triangle.stiffness", "settings.iterations"},
     .turned = 0.0,
     .frames = 400,
     .read = pli_lesson_read_crumpled,
     .begin = pli_lesson_begin_crumpled,
     .claim = "Triangle bending is flat at rest",
     .paper = "Fig. 3: flat",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 0.05},
    {.id = "figure-8",
     .title = "Figure 8: kappa controls more finely than stiffness",
     .text = "A fabric of 5 m is held at the four vertices in its middle. The paper's kappas are 0.004, 0.01 and 0.06 "
             "at k = 1, "
             "and its stiffnesses 1, 0.999 and 0.8 at kappa = 0. The sag grows nearly in proportion to kappa; k gives "
             "\"a limited "
             "control\".",
     .scene = "lessons/fabric.json",
     .controls = {"fabric/triangle.kappa", "fabric/triangle.stiffness"},
     .turned = 0.004,
     .frames = 150,
     .read = pli_lesson_read_fabric,
     .claim = "At kappa = 0.06 it is a bent fabric, no strings",
     .paper = "Fig. 8 (c)",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 1.0 / 3.0},
    {.id = "figure-9",
     .title = "Figure 9: iterations decide how stiff a shell is",
     .text = "A hollow cow of edges and triangle bending, whose feet are held. With 64 iterations the shell is "
             "\"nearly stiff\"; "
             "lower them to 16, then to 2, and watch her sag.",
     .scene = "lessons/cow.json",
     .controls = {"settings.iterations"},
     .turned = 2.0,
     .frames = 120,
     .read = pli_lesson_read_cow,
     .claim = "With 64 iterations she stands",
     .paper = "Fig. 9: nearly stiff",
     .sense = PLI_LESSON_AT_LEAST,
     .limit = 0.95},
    {.id = "table-1",
     .title = "Table 1: what a projection costs",
     .text =
         "The time of a projection of the paper's fabric, in order of creation and without SIMD. The paper has 158 ns "
         "for a "
         "triangle and 503 ns for a dihedral angle on its machine of 2010; only ratios can be compared. Turn kappa: "
         "it costs nothing.",
     .scene = "lessons/fabric.json",
     .controls = {"fabric/triangle.kappa"},
     .turned = 0.004,
     .frames = 10,
     .steady = true,
     .read = pli_lesson_read_table1,
     .claim = "A dihedral projection takes at least twice as long",
     .paper = "3.18 times",
     .sense = PLI_LESSON_AT_LEAST,
     .limit = 2.0},
    {.id = "momentum",
     .title = "The printed algorithm does not keep momentum",
     .text = "Each projection keeps both momenta, and Mueller and others conclude that there are no ghost forces. This "
             "ball is "
             "blown up against its own edges and lies at rest in empty space, and Algorithm 1 as printed spins it. "
             "Switch on "
             "Keep momentum and press Start over.",
     .scene = "lessons/ball.json",
     .controls = {"settings.keep_momentum"},
     .turned = 1.0,
     .frames = 120,
     .read = pli_lesson_read_momentum,
     .claim = "As printed, it begins to spin",
     .paper = "0: \"no ghost forces\"",
     .sense = PLI_LESSON_AT_LEAST,
     .limit = 0.5},
    {.id = "yours",
     .title = "Ten lines make your own cloth",
     .text = "Drop a mesh or a scene on the window, or press Ctrl+O. Each control of the panel on the right explains "
             "itself when "
             "the pointer rests on it, and Advice names what will not act. Ctrl+S saves the scene with your values.",
     .scene = "first.json",
     .controls = {"settings.substeps"},
     .turned = 4.0,
     .frames = 30,
     .read = pli_lesson_read_yours,
     .claim = "The cloth keeps its edges",
     .paper = "not in the papers",
     .sense = PLI_LESSON_AT_MOST,
     .limit = 10.0},
};

int32_t pli_lesson_count(void) { return (int32_t)(sizeof lessons / sizeof *lessons); }
const pli_lesson *pli_lesson_at(int32_t i) { return &lessons[i]; }

const pli_lesson *pli_lesson_find(const char *id)
{
    for (int32_t i = 0; i < pli_lesson_count(); i++)
        if (strcmp(lessons[i].id, id) == 0)
            return &lessons[i];
    return NULL;
}

const pli_lesson *pli_lesson_step(const pli_lesson *lesson, int32_t by)
{
    const int32_t i = (int32_t)(lesson - lessons) + by;
    return i >= 0 && i < pli_lesson_count() ? &lessons[i] : NULL;
}
