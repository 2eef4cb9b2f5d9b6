# The program `pliant-lab`: experiments, validation and benchmarks, over the parts of the command that read studies and print.
file(GLOB_RECURSE lab_sources CONFIGURE_DEPENDS lab/*.c)
list(REMOVE_ITEM lab_sources ${PROJECT_SOURCE_DIR}/lab/main.c ${PROJECT_SOURCE_DIR}/lab/bench/machine_limit_kernel.c)

# The loops that measure the machine's limit are compiled for each width.
set(limit_flags_plain "")
set(limit_flags_avx2 -mavx2)
set(limit_flags_avx512 -mavx512f -mavx512vl -mavx512dq -mprefer-vector-width=512)
set(limit_variants plain)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND limit_variants avx2 avx512)
endif()
foreach(variant ${limit_variants})
  add_library(pliant_limit_${variant} OBJECT lab/bench/machine_limit_kernel.c)
  target_compile_definitions(pliant_limit_${variant} PRIVATE LIMIT_NAME=${variant})
  target_compile_options(pliant_limit_${variant} PRIVATE ${limit_flags_${variant}})
  target_include_directories(pliant_limit_${variant} PRIVATE lab)
  target_link_libraries(pliant_limit_${variant} PRIVATE pliant_settings)
  list(APPEND lab_sources $<TARGET_OBJECTS:pliant_limit_${variant}>)
endforeach()

# The bunny's file, compiled into the program: the benchmark needs no other file where it is installed.
set(bunny ${PROJECT_SOURCE_DIR}/scenes/meshes/bunny.obj)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${bunny})
file(READ ${bunny} bunny_bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bunny_bytes "${bunny_bytes}")
file(CONFIGURE OUTPUT bench_bunny.c @ONLY CONTENT "#include <stddef.h>
extern const unsigned char bench_bunny[];
extern const size_t bench_bunny_size;
const unsigned char bench_bunny[] = {@bunny_bytes@};
const size_t bench_bunny_size = sizeof bench_bunny;
")

add_library(pliant_lab_parts STATIC ${lab_sources} ${CMAKE_CURRENT_BINARY_DIR}/bench_bunny.c)
target_include_directories(pliant_lab_parts PUBLIC lab)
target_link_libraries(pliant_lab_parts PRIVATE pliant_settings)
target_link_libraries(pliant_lab_parts PUBLIC pliant_cli_parts pliant_support pliant_scene pliant_render pliant_jansson pliant_shared m
  Threads::Threads)
target_compile_definitions(pliant_lab_parts PRIVATE
  BENCH_FLAGS="${CMAKE_BUILD_TYPE} ${CMAKE_C_FLAGS_RELEASE} -ffp-contract=off"
  $<$<BOOL:${limit_flags_avx2}>:LIMIT_HAVE_X86>)
pkg_check_modules(SQLITE QUIET IMPORTED_TARGET sqlite3)
if(SQLITE_FOUND)
  target_link_libraries(pliant_lab_parts PRIVATE PkgConfig::SQLITE)
  target_compile_definitions(pliant_lab_parts PRIVATE PLIANT_SQLITE)
endif()
add_executable(pliant_lab lab/main.c)
target_link_libraries(pliant_lab PRIVATE pliant_settings pliant_lab_parts)
pliant_program(pliant_lab pliant-lab lab)

# Other engines on the same scenes, where they are installed.
if(PLIANT_PEERS)
  pkg_check_modules(BULLET QUIET IMPORTED_TARGET bullet)
  if(BULLET_FOUND)
    enable_language(CXX) # Nothing else of ours is C++.
    set(CMAKE_CXX_STANDARD 17)
    add_executable(peer_bullet lab/bench/peers/bullet.cpp)
    target_include_directories(peer_bullet SYSTEM PRIVATE ${BULLET_INCLUDE_DIRS})
    target_link_libraries(peer_bullet PRIVATE pliant_settings pliant_lab_parts PkgConfig::BULLET)
  endif()
endif()
