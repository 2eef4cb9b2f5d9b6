# The benchmark.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.c)
if(bench_sources)
  add_executable(pliant_bench ${bench_sources})
  target_link_libraries(pliant_bench PRIVATE pliant_settings pliant_static)
  target_compile_definitions(pliant_bench PRIVATE
    BENCH_FLAGS="${CMAKE_BUILD_TYPE} ${CMAKE_C_FLAGS_RELEASE} -ffp-contract=off")
endif()
