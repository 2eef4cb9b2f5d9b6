# make install: libraries, headers, pkg-config file, CMake package, command, completions, manual.
include(CMakePackageConfigHelpers)
set(exported pliant_shared pliant_static)
foreach(target pliant_ode pliant_io pliant_render)
  if(TARGET ${target})
    list(APPEND exported ${target})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endforeach()
install(TARGETS ${exported} EXPORT pliant
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT pliant NAMESPACE pliant:: FILE pliant-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
configure_package_config_file(cmake/pliant-config.cmake.in pliant-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
write_basic_package_version_file(pliant-config-version.cmake COMPATIBILITY SameMinorVersion)
# Relative, so that `cmake --install --prefix` and moved trees are found.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/pliant.pc.in pliant.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pliant-config.cmake ${PROJECT_BINARY_DIR}/pliant-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
install(FILES ${PROJECT_BINARY_DIR}/pliant.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
if(TARGET pliant_cli)
  install(TARGETS pliant_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES scenes/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant OPTIONAL)
endif()
