#!/usr/bin/env bash
# An engine written in C alone takes the library in with add_subdirectory: it gets the core and nothing
# else (no tests, no files, no install rules), and steps a world.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >engine.c <<'CODE'
#include <pliant/pliant.h>
#include <stdio.h>

int main(void)
{
    pli_error error;
    pli_world *world;
    pli_world_def def = pli_world_def_default();
    if (pli_world_create(&def, &world, &error) != PLI_STATUS_OK ||
        pli_world_step(world, 1.0f / 60.0f, &error) != PLI_STATUS_OK)
        return 1;
    printf("stepped %s\n", pli_version());
    pli_world_destroy(world);
    return 0;
}
CODE
cat >CMakeLists.txt <<CODE
cmake_minimum_required(VERSION 3.22)
project(engine LANGUAGES C)
add_subdirectory("$PLIANT_SOURCE_DIR" pliant)
get_property(targets DIRECTORY "$PLIANT_SOURCE_DIR" PROPERTY BUILDSYSTEM_TARGETS)
foreach(target \${targets})
  if(target MATCHES "pliant_(scene|io|hdf5|assimp|render|cli|bench)|test")
    message(FATAL_ERROR "an embedder gets \${target} too")
  endif()
endforeach()
add_executable(engine engine.c)
target_link_libraries(engine PRIVATE pliant::pliant_static)
CODE
cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -DPLIANT_SIMD=OFF >/dev/null
cmake --build build --target engine -j 2 >/dev/null
./build/engine | tee output
grep -q '^stepped ' output
! find build -name pliant-config.cmake | grep -q .
