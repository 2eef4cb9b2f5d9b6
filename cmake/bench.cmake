# The benchmark behind `pliant-lab bench`. Kernels of the machine's limit are compiled for each width.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.c lab/bench/scenarios/*.c)
list(REMOVE_ITEM bench_sources ${PROJECT_SOURCE_DIR}/bench/machine_limit_kernel.c)
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
  target_link_libraries(pliant_limit_${variant} PRIVATE pliant_settings)
  list(APPEND bench_sources $<TARGET_OBJECTS:pliant_limit_${variant}>)
endforeach()

# The bunny's file, put into the program, so that the benchmark needs no other file where it is installed.
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
list(APPEND bench_sources ${CMAKE_CURRENT_BINARY_DIR}/bench_bunny.c)

add_library(pliant_bench STATIC ${bench_sources})
target_include_directories(pliant_bench PUBLIC bench)
target_link_libraries(pliant_bench PRIVATE pliant_settings pliant_scene m Threads::Threads)
target_link_libraries(pliant_bench PUBLIC pliant_shared)
target_compile_definitions(pliant_bench PRIVATE
  BENCH_FLAGS="${CMAKE_BUILD_TYPE} ${CMAKE_C_FLAGS_RELEASE} -ffp-contract=off"
  $<$<BOOL:${limit_flags_avx2}>:LIMIT_HAVE_X86>)

# Other engines on the same scenes, where they are installed.
if(PLIANT_PEERS)
  pkg_check_modules(BULLET QUIET IMPORTED_TARGET bullet)
  if(BULLET_FOUND)
    enable_language(CXX) # Nothing else of ours is C++.
    set(CMAKE_CXX_STANDARD 17)
    add_executable(peer_bullet lab/bench/peers/bullet.cpp)
    target_include_directories(peer_bullet SYSTEM PRIVATE ${BULLET_INCLUDE_DIRS})
    target_link_libraries(peer_bullet PRIVATE pliant_settings pliant_bench PkgConfig::BULLET)
  endif()
endif()
