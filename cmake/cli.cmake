# The command `pliant`.
file(GLOB cli_sources CONFIGURE_DEPENDS cli/*.c)
if(cli_sources)
  add_executable(pliant_cli ${cli_sources})
  target_include_directories(pliant_cli PRIVATE cli)
  target_link_libraries(pliant_cli PRIVATE pliant_settings pliant_io pliant_render PkgConfig::JANSSON m)
  set_target_properties(pliant_cli PROPERTIES OUTPUT_NAME pliant
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
