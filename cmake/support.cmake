# What io, render, the command and experiments share without being in one library: a private static leaf that needs
# libc alone. The core's nearest name is compiled into it once more, since the core does not export it.
file(GLOB support_sources CONFIGURE_DEPENDS support/*.c)
add_library(pliant_support STATIC ${support_sources} src/base/nearest_name.c)
target_include_directories(pliant_support PUBLIC ${PROJECT_SOURCE_DIR} PRIVATE src)
target_link_libraries(pliant_support PRIVATE pliant_settings)
set_target_properties(pliant_support PROPERTIES C_VISIBILITY_PRESET hidden)
