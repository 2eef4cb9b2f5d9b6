// A walking character of capsules, as games and films put beneath cloth.
#ifndef BENCH_CHARACTER_H
#define BENCH_CHARACTER_H

#include <pliant/pliant.h>

// The size of a character: eleven capsules, or the four that a cape in a crowd needs.
typedef enum bench_build_of { BENCH_HERO, BENCH_EXTRA } bench_build_of;

typedef struct bench_character bench_character;

// Creates its colliders in the world, standing over `place` and rotated by `heading` about y [rad]. Free with free().
pli_status bench_character_create(pli_world *world, bench_build_of build, pli_vec3 place, double heading,
                                  bench_character **character, pli_error *error);
// Moves the capsules to their poses at `time` [s]; the character walks around a circle.
pli_status bench_character_move(const bench_character *character, pli_world *world, double time, pli_error *error);
// The frame of the chest at `time`, with its origin between the hips.
pli_transform bench_character_chest(const bench_character *character, double time);
// The product of two poses: `inner` is given in the frame of `outer`.
pli_transform bench_transform_product(pli_transform outer, pli_transform inner);

#endif
