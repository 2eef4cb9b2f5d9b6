// The edges scenes of `pliant-lab bench` in Bullet's btSoftBody (Debian: libbullet-dev), as one substep of 16 iterations:
// it knows nothing else. Prints the same columns. Built only where Bullet is installed; nothing else needs it.
//
//   build/release/peer_bullet > lab/bench/results/bullet.csv     (other sizes than 10 40 100 320 as arguments; 1000
//                                                             takes minutes before the first frame)
//   build/release/pliant-lab bench --filter 1x16 --compare lab/bench/results/bullet.csv
//
// Last come rows of `pliant-lab bench --filter strain`: the strain that is left with ever more iterations, and the time of a frame.
extern "C" {
#include "bench/bench_run.h"
#include "bench/machine.h"
#include "bench/measure_kinds.h"
#include "bench/repeat.h"
}

#include <btBulletDynamicsCommon.h>

#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace {

constexpr int usual_iterations = 16;
constexpr float spacing = 0.02f, frame = 1.0f / 60.0f;

struct Cloth {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btSoftBody *body = nullptr;

    Cloth(int size, bool bending, int iterations)
    {
        const btVector3 gravity(0, -9.81f, 0);
        world.setGravity(gravity);
        world.getWorldInfo().m_gravity = gravity;
        std::vector<btVector3> places;
        std::vector<btScalar> masses(static_cast<size_t>(size) * static_cast<size_t>(size), 1.0f);
        for (int row = 0; row < size; row++)
            for (int column = 0; column < size; column++)
                places.emplace_back(spacing * static_cast<float>(column), 0.0f, spacing * static_cast<float>(row));
        body = new btSoftBody(&world.getWorldInfo(), size * size, places.data(), masses.data());
        body->m_cfg.piterations = iterations;
        body->m_cfg.viterations = 0;
        body->m_materials[0]->m_kLST = 1.0f;
        add_links(size, bending);
        body->setMass(0, 0.0f);
        body->setMass(size - 1, 0.0f);
        world.addSoftBody(body);
    }

    ~Cloth()
    {
        world.removeSoftBody(body);
        delete body;
    }

    Cloth(const Cloth &) = delete;
    Cloth &operator=(const Cloth &) = delete;

    // Edges vertex by vertex: right, down, diagonal; then the vertices opposite to each inner edge.
    void add_links(int size, bool bending)
    {
        const auto link = [&](int row, int column, int down, int across, int from_row, int from_column) {
            const int a_row = row + from_row, a_column = column + from_column, b_row = row + down,
                      b_column = column + across;
            if (std::min({a_row, a_column, b_row, b_column}) >= 0 &&
                std::max({a_row, a_column, b_row, b_column}) < size)
                body->appendLink(a_row * size + a_column, b_row * size + b_column);
        };
        for (int row = 0; row < size; row++)
            for (int column = 0; column < size; column++) {
                link(row, column, 0, 1, 0, 0);
                link(row, column, 1, 0, 0, 0);
                link(row, column, 1, 1, 0, 0);
            }
        for (int row = 0; row < size && bending; row++)
            for (int column = 0; column < size; column++) {
                link(row, column, 0, 1, 1, 0);  // Opposite to the diagonal.
                link(row, column, 1, 1, -1, 0); // Opposite to the edge along the row.
                link(row, column, 1, 1, 0, -1); // Opposite to the edge down the column.
            }
    }

    void stretch(double *rms, double *most) const
    {
        double sum = 0.0;
        *most = 0.0;
        for (int i = 0; i < body->m_links.size(); i++) {
            const btSoftBody::Link &link = body->m_links[i];
            const double length = static_cast<double>((link.m_n[0]->m_x - link.m_n[1]->m_x).length());
            const double part = std::fabs(length / static_cast<double>(link.m_rl) - 1.0);
            sum += part * part;
            *most = std::max(*most, part);
        }
        *rms = std::sqrt(sum / std::max(body->m_links.size(), 1));
    }
};

double run_frames(void *user, int32_t count, pli_error *)
{
    const double start = bench_seconds();
    for (int32_t i = 0; i < count; i++)
        static_cast<Cloth *>(user)->world.stepSimulation(frame, 0);
    return bench_seconds() - start;
}

void print_head()
{
    bench_fact facts[BENCH_FACTS];
    bench_describe(facts);
    std::snprintf(facts[0].value, sizeof facts[0].value, "Bullet %d.%02d btSoftBody as installed", btGetVersion() / 100,
                  btGetVersion() % 100);
    for (const bench_fact &fact : facts)
        if (std::strcmp(fact.key, "flags") != 0 && std::strcmp(fact.key, "widths") != 0)
            std::printf("# %s: %s\n", fact.key, fact.value);
    std::puts("case,unit,median,least,most,vertices,projections,stretch_rms,stretch_max,repetitions");
}

bool print_case(const bench_run *run, int size, bool bending)
{
    const auto cloth = std::make_unique<Cloth>(size, bending, usual_iterations);
    double rms, most;
    bench_sample sample;
    pli_error error;
    run_frames(cloth.get(), size >= 1000 ? 1 : size >= 320 ? 3 : 20, &error);
    cloth->stretch(&rms, &most);
    if (!bench_repeat(run, run_frames, cloth.get(), &sample, &error))
        return false;
    std::printf("scene/distance%s/%d/1x%d/1-thread,ms,%.7g,%.7g,%.7g,%d,%d,%.6g,%.6g,%d\n",
                bending ? "+opposite_distance" : "", size, usual_iterations, 1e3 * sample.median, 1e3 * sample.least,
                1e3 * sample.most, size * size, cloth->body->m_links.size() * usual_iterations, rms, most,
                sample.repetitions);
    std::fflush(stdout);
    return true;
}

// The root mean square of strains over frames 61 to 120, as bench_measure_strain has it.
void print_strain(int size, int iterations)
{
    const auto cloth = std::make_unique<Cloth>(size, false, iterations);
    double times[BENCH_STRAIN_FRAMES], squares = 0.0, largest = 0.0;
    pli_error error;
    run_frames(cloth.get(), BENCH_STRAIN_FRAMES, &error);
    for (double &time : times) {
        double rms, most;
        time = run_frames(cloth.get(), 1, &error);
        cloth->stretch(&rms, &most);
        squares += rms * rms, largest = std::max(largest, most);
    }
    const bench_sample sample = bench_sample_of(times, BENCH_STRAIN_FRAMES);
    std::printf("strain/grid-10k/1x%d/swept,ms,%.7g,%.7g,%.7g,%d,%d,%.6g,%.6g,%d\n", iterations, 1e3 * sample.median,
                1e3 * sample.least, 1e3 * sample.most, size * size, cloth->body->m_links.size() * iterations,
                std::sqrt(squares / BENCH_STRAIN_FRAMES), largest, sample.repetitions);
    std::fflush(stdout);
}

} // namespace

int main(int count, char **arguments)
{
    std::vector<int> sizes = {10, 40, 100, 320};
    if (count > 1)
        sizes.clear();
    for (int i = 1; i < count; i++)
        sizes.push_back(std::clamp(std::atoi(arguments[i]), 2, 2000));
    bench_run *run = bench_run_create(7, 0.03, nullptr);
    bool done = run != nullptr;
    print_head();
    for (const bool bending : {false, true})
        for (const int size : sizes)
            done = done && print_case(run, size, bending);
    for (const int iterations : {8, 16, 32, 64, 128, 256})
        print_strain(100, iterations);
    bench_run_destroy(run);
    return done ? 0 : 1;
}
