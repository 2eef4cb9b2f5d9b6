# make install: libraries, headers, pkg-config files, CMake package, command, completions, manual. What is installed belongs to a
# component, and each component is a Debian package (cmake/packages.cmake).
include(CMakePackageConfigHelpers)
set(light_libraries pliant_shared pliant_scene) # Need libc and the JSON library.
set(exported "")
foreach(target pliant_shared pliant_static pliant_ode pliant_scene pliant_render pliant_video ${format_libraries})
  if(NOT TARGET ${target})
    continue()
  endif()
  list(APPEND exported ${target})
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL SHARED_LIBRARY AND NOT target STREQUAL pliant_shared)
    # From the beginning: CMake would leave room for another one by empty elements, which are the folder where a program is started.
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  endif()
endforeach()
foreach(target ${exported})
  set(component formats)
  if(target IN_LIST light_libraries)
    set(component runtime)
  endif()
  install(TARGETS ${target} EXPORT pliant
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endforeach()
# From here on, until the command's rules.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(DIRECTORY include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT pliant NAMESPACE pliant:: FILE pliant-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
set(jansson_beside OFF) # A static scene library takes its JSON library along.
if(TARGET pliant_scene AND NOT has_shared)
  set(jansson_beside ON)
  install(FILES ${jansson_prefix}/lib/libjansson.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
configure_package_config_file(cmake/pliant-config.cmake.in pliant-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
write_basic_package_version_file(pliant-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pliant-config.cmake ${PROJECT_BINARY_DIR}/pliant-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)

# One pkg-config file a library. The prefix is relative, so that `cmake --install --prefix` and moved trees are found.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
function(pliant_pkg_config name description libraries requires)
  set(private_libraries "")
  if(name STREQUAL pliant)
    set(private_libraries "-lm -pthread")
  endif()
  configure_file(cmake/pliant.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
pliant_pkg_config(pliant "Position-based dynamics for cloth, plants, shells and balloons" "-L\${libdir} -lpliant" "")
if(TARGET pliant_scene)
  set(json "")
  if(jansson_beside)
    set(json " -ljansson")
  endif()
  pliant_pkg_config(pliant-scene "Pliant: scenes, mesh files and caches" "-L\${libdir} -lpliant_scene${json}" pliant)
endif()
if(TARGET pliant_ode)
  pliant_pkg_config(pliant-ode "Pliant: rigid bodies by ODE" "-L\${libdir} -lpliant_ode" pliant)
endif()
if(TARGET pliant_render)
  pliant_pkg_config(pliant-render "Pliant: pictures and video" "-L\${libdir} -lpliant_render" pliant)
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME command)
# The pages and pictures that the README links are in the sources alone: as installed it has their names in brackets.
if(EXISTS ${PROJECT_SOURCE_DIR}/README.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)
  file(READ ${PROJECT_SOURCE_DIR}/README.md readme)
  string(REGEX REPLACE "!\\[[^]]*\\]\\([^)]*\\)\n*" "" readme "${readme}")
  string(REGEX REPLACE "\\[([a-zA-Z]+[/.][^]]*)\\]\\([^):]*\\)" "\\1" readme "${readme}") # Texts that are names.
  string(REGEX REPLACE "\\[([^]]*)\\]\\(([^):]*)\\)" "\\1 (\\2)" readme "${readme}")
  file(WRITE ${PROJECT_BINARY_DIR}/share/README.md "${readme}")
endif()
install(FILES LICENSE ${PROJECT_BINARY_DIR}/share/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
if(TARGET pliant_cli)
  # The command that has just been built writes the schema of scenes, for editors.
  if(NOT CMAKE_CROSSCOMPILING)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/share/scene.schema.json
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/share
      COMMAND pliant_cli schema > ${PROJECT_BINARY_DIR}/share/scene.schema.json DEPENDS pliant_cli)
    add_custom_target(pliant_schema ALL DEPENDS ${PROJECT_BINARY_DIR}/share/scene.schema.json)
    install(FILES ${PROJECT_BINARY_DIR}/share/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant OPTIONAL)
  endif()
  # The command looks for scenes by names here, and the window for its gallery, whose pictures lie as in the sources.
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant)
  install(DIRECTORY docs/pictures/gallery DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/docs/pictures)
  # Verdicts of experiments, and pictures of their reports if scripts/build-reports has written them.
  install(DIRECTORY lab/verdicts DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant)
  install(DIRECTORY build/reports/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/reports OPTIONAL FILES_MATCHING
    PATTERN "*-01.png")
endif()
unset(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME)
if(PLIANT_TOP AND has_shared AND NOT CMAKE_CROSSCOMPILING)
  include(cmake/packages.cmake)
endif()
