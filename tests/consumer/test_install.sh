#!/usr/bin/env bash
# Outside programs build against the installed library, through pkg-config and through CMake, shared
# and static, from C and from C++, and all reach the same state.
set -euo pipefail
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$PLIANT_BUILD_DIR" --prefix "$prefix/usr" >/dev/null
libraries=$(dirname "$(find "$prefix/usr" -name libpliant.a)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries

cat >"$prefix/cloth.c" <<'CODE'
#include <pliant/pliant.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    pli_error error;
    pli_mesh *mesh;
    pli_world *world;
    pli_constraints set;
    pli_world_def world_def = pli_world_def_default();
    pli_deformable_def cloth = pli_deformable_def_default();
    pli_constraints_def sets = pli_constraints_def_default();
    pli_deformable flag;
    if (pli_mesh_create_grid(20, 20, 1.0f, 1.0f, PLI_GRID_ALTERNATING, &mesh, &error) != PLI_STATUS_OK)
        return 1;
    cloth.mesh = mesh;
    cloth.velocity.x = 1.0f;
    sets.type = "distance";
    if (pli_world_create(&world_def, &world, &error) != PLI_STATUS_OK ||
        pli_deformable_create(world, &cloth, &flag, &error) != PLI_STATUS_OK)
        return 1;
    sets.deformable = flag;
    if (pli_constraints_create(world, &sets, &set, &error) != PLI_STATUS_OK)
        return 1;
    for (int i = 0; i < 10; i++)
        if (pli_world_step(world, 1.0f / 60.0f, &error) != PLI_STATUS_OK)
            return 1;
    printf("%s %016llx\n", pli_version(), (unsigned long long)pli_world_hash(world));
    pli_world_destroy(world);
    pli_mesh_destroy(mesh);
    return 0;
}
CODE
cp "$prefix/cloth.c" "$prefix/cloth.cpp"
cd "$prefix"
: >results
cc -std=c17 -Wall -Werror cloth.c $(pkg-config --cflags --libs pliant) -o shared_c
./shared_c >>results
c++ -std=c++17 -Wall -Werror cloth.cpp $(pkg-config --cflags --libs pliant) -o shared_cpp
./shared_cpp >>results
cc -std=c17 -static cloth.c $(pkg-config --static --cflags --libs pliant) -o static_c
./static_c >>results
ldd shared_c >linked
grep -q libpliant linked
if ldd static_c >linked 2>&1; then echo 'static_c needs shared libraries:'; cat linked; exit 1; fi

cat >CMakeLists.txt <<'CODE'
cmake_minimum_required(VERSION 3.22)
project(outside LANGUAGES C CXX)
find_package(pliant 0.1 REQUIRED)
add_executable(found_shared cloth.c)
target_link_libraries(found_shared PRIVATE pliant::pliant)
add_executable(found_static cloth.cpp)
target_link_libraries(found_static PRIVATE pliant::pliant_static)
CODE
cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix/usr" >/dev/null
cmake --build build >/dev/null
./build/found_shared >>results
./build/found_static >>results

# A component that is not there is named.
mkdir lacking
printf 'cmake_minimum_required(VERSION 3.22)\nproject(lacking C)\nfind_package(pliant REQUIRED COMPONENTS rendering)\n' >lacking/CMakeLists.txt
if cmake -S lacking -B lacking/build -DCMAKE_PREFIX_PATH="$prefix/usr" >lacking/log 2>&1; then echo 'a component that is nowhere was found'; exit 1; fi
tr -s ' \n' ' ' <lacking/log | grep -q "The library 'rendering' is not installed in $prefix/usr"

# The same bytes come of every folder: what is installed has no name of one in it, and had none where paths to libraries are changed.
for file in "$PLIANT_BUILD_DIR"/pliant "$PLIANT_BUILD_DIR"/pliant-view "$PLIANT_BUILD_DIR"/libpliant*.so; do
  if [ -e "$file" ] && grep -qF -e "$PLIANT_BUILD_DIR" -e "$PLIANT_SOURCE_DIR" "$file"; then echo "$file has the name of its folder in it"; exit 1; fi
done

cat results
test "$(wc -l <results)" = 5
test "$(sort -u results | wc -l)" = 1
test -x "$prefix/usr/bin/pliant"
"$prefix/usr/bin/pliant" --version
test -s "$prefix/usr/share/man/man1/pliant.1"

# The tree is moved: the command still finds shipped scenes by their names, with their meshes, and no path of the sources is in it.
mv "$prefix/usr" "$prefix/moved"
libraries=${libraries/"$prefix/usr"/"$prefix/moved"}
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
"$prefix/moved/bin/pliant" run first.json -n 1 -o out --quiet --json >summary.json
grep -q "\"scene\": \"$prefix/moved/.*share/pliant/scenes/first.json\"" summary.json
"$prefix/moved/bin/pliant" check scenes/bunny-drape.json
if "$prefix/moved/bin/pliant" check missing.json 2>/dev/null; then echo 'a scene that is nowhere was found'; exit 1; fi
for program in "$prefix/moved/bin/"*; do
  if grep -qF "$PLIANT_SOURCE_DIR/scenes" "$program"; then echo "$program names the sources"; exit 1; fi
done
test -s "$prefix/moved/share/bash-completion/completions/pliant"

# A plugin is built with what is installed, and the installed command runs a scene with it.
cc -std=c17 -Wall -Wextra -Werror -shared -fPIC "$PLIANT_SOURCE_DIR/examples/plugins/ropes.c" -o ropes.so \
  $(pkg-config --cflags --libs pliant) -lm
"$prefix/moved/bin/pliant" run "$PLIANT_SOURCE_DIR/examples/plugins/ropes.json" --plugin ropes.so -n 2 -f none -o out/ropes --quiet

# The README's program builds as printed.
awk '/^```c$/{on=1;next} /^```$/{on=0} on' "$PLIANT_SOURCE_DIR/README.md" >readme.c
cc -std=c17 -Wall -Wextra -Werror readme.c $(pkg-config --cflags --libs pliant) -o readme
./readme
