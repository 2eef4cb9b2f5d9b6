# The operations that kernels are written in, compiled once for each back end as they are, for unit/test_wide.
foreach(backend scalar ${backends})
  add_library(wide_probe_${backend} OBJECT tests/unit/wide_probe.c)
  target_include_directories(wide_probe_${backend} PRIVATE src include)
  target_link_libraries(wide_probe_${backend} PRIVATE pliant_settings)
  target_compile_definitions(wide_probe_${backend} PRIVATE PLI_BACKEND=${backend})
  target_compile_options(wide_probe_${backend} PRIVATE ${flags_${backend}})
  target_sources(${wide_program} PRIVATE $<TARGET_OBJECTS:wide_probe_${backend}>)
endforeach()
