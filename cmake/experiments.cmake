# The experiments: tables and figures of the papers, run by `pliant-lab experiment`.
file(GLOB_RECURSE experiment_sources CONFIGURE_DEPENDS experiments/*.c)
add_library(pliant_experiments STATIC ${experiment_sources})
target_include_directories(pliant_experiments PUBLIC experiments)
target_link_libraries(pliant_experiments PRIVATE pliant_settings m)
target_link_libraries(pliant_experiments PUBLIC pliant_support)
target_link_libraries(pliant_experiments PUBLIC pliant_scene pliant_render)
