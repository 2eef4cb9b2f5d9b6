#!/usr/bin/env bash
# Outside programs use the installed scene library through CMake's components, pkg-config, and the names of before; it
# needs no library but libpliant and the JSON library, and says which one is missing when a file asks for it.
set -euo pipefail
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$PLIANT_BUILD_DIR" --prefix "$prefix/usr" >/dev/null
libraries=$(dirname "$(find "$prefix/usr" -name libpliant.a)")
export PKG_CONFIG_PATH=$libraries/pkgconfig
cd "$prefix"

cat >scene.c <<'CODE'
#include <pliant/cache.h>
#include <pliant/scene.h>
#include <stdio.h>
#include <string.h>

static const char square[] = "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3 4\n";
static const char cloth[] = "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"file\": \"square.obj\"}}]}";
static const char body[] =
    "{\"pliant\": 1, \"deformables\": [{\"mesh\": {\"grid\": {}}}], \"bodies\": [{\"name\": \"b\", \"shape\": \"sphere\"}]}";

static bool read_file(void *user, const char *name, const void **data, size_t *size)
{
    (void)user;
    *data = square;
    *size = sizeof square - 1;
    return strcmp(name, "square.obj") == 0;
}

static void load(const char *text)
{
    const pli_file_source files = {read_file, NULL, NULL};
    pli_scene_load_def def = pli_scene_load_def_default();
    pli_scene *scene;
    pli_error error;
    def.text = text;
    def.text_size = strlen(text);
    def.files = &files;
    if (pli_scene_load(&def, &scene, &error) == PLI_STATUS_OK)
        printf("scene %016llx\n", (unsigned long long)pli_scene_hash(scene));
    else
        printf("%s\n", error.message);
    pli_scene_destroy(scene);
}

static void open_recorder(const char *folder)
{
    pli_mesh *mesh;
    pli_error error;
    if (pli_mesh_create_sphere(1, 1.0f, &mesh, &error) != PLI_STATUS_OK)
        return;
    pli_cache_object object = {"ball", mesh, {1, 1, 1}};
    pli_recorder_def def = pli_recorder_def_default();
    pli_recorder *recorder;
    def.directory = folder;
    def.name = "r";
    def.format = "vtkhdf";
    def.objects = &object;
    def.object_count = 1;
    def.frames_per_second = 24.0;
    if (pli_recorder_open(&def, &recorder, &error) == PLI_STATUS_OK)
        printf("recorder %s\n", pli_status_name(pli_recorder_close(recorder, &error)));
    else
        printf("%s\n", error.message);
    pli_mesh_destroy(mesh);
}

static void read_mesh(void)
{
    pli_mesh *mesh;
    pli_error error;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    static const char off[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    if (pli_mesh_read_memory(off, sizeof off - 1, "off", &import, &mesh, NULL, &error) == PLI_STATUS_OK)
        printf("mesh %d\n", (int)pli_mesh_topology(mesh)->vertex_count);
    else
        printf("%s\n", error.message);
    pli_mesh_destroy(mesh);
}

int main(int count, char **arguments)
{
    load(cloth);
    if (count > 1) {
        load(body);
        open_recorder(arguments[1]);
        read_mesh();
    }
    return 0;
}
CODE
sed -i 's/#include <pliant\/scene.h>/#include <pliant\/mesh_file.h>\n#include <pliant\/scene.h>/' scene.c

cc -std=c17 -Wall -Werror scene.c $(pkg-config --cflags --libs pliant-scene) -o by_package
LD_LIBRARY_PATH=$libraries ./by_package >results
# Nothing but these, in the program and in what the library needs itself.
LD_LIBRARY_PATH=$libraries ldd "$libraries/libpliant_scene.so" | awk '{print $1}' |
  grep -vE '^(libpliant|libjansson|libc|libm|libdl|linux-vdso|/lib.*ld-linux.*)\b' >others || true
test ! -s others

cat >CMakeLists.txt <<'CODE'
cmake_minimum_required(VERSION 3.22)
project(outside LANGUAGES C)
find_package(pliant 0.1 REQUIRED COMPONENTS scene)
find_package(pliant 0.1 QUIET COMPONENTS nonsense)
if(pliant_FOUND)
  message(FATAL_ERROR "a component that is not there was found")
endif()
add_executable(by_scene scene.c)
target_link_libraries(by_scene PRIVATE pliant::scene)
CODE
cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix/usr" >/dev/null
cmake --build build >/dev/null
./build/by_scene >>results
cat results
test "$(wc -l <results)" = 2
test "$(sort -u results | wc -l)" = 1
grep -q '^scene ' results

# With all libraries, and without those that are loaded: each is named, and nothing else fails.
mkdir out
./build/by_scene out | tee all
test "$(grep -c '^scene ' all)" = 2
grep -q '^recorder ' all
grep -q '^mesh 3' all
for name in ode hdf5 assimp; do rm -f "$libraries"/libpliant_$name.so*; done
./build/by_scene out | tee without
test "$(grep -c '^scene ' without)" = 1
for name in ode hdf5 assimp; do grep -q "needs the library libpliant_$name" without; done
grep -q libode-dev without
