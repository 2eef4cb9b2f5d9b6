# What the Python package has beside the libraries: memory that arrays keep. scripts/build-python makes the package.
if(TARGET pliant_scene AND has_shared)
  file(GLOB python_sources CONFIGURE_DEPENDS bindings/python/native/*.c)
  add_library(pliant_python SHARED ${python_sources})
  target_link_libraries(pliant_python PRIVATE pliant_settings pliant_shared ${threads})
  target_compile_definitions(pliant_python PRIVATE PLI_SHARED PLI_BUILDING)
  set_target_properties(pliant_python PROPERTIES C_VISIBILITY_PRESET hidden)
  # A wheel has the libraries in one folder, where they find each other.
  foreach(library pliant_scene pliant_ode pliant_python)
    if(TARGET ${library})
      set_target_properties(${library} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
    endif()
  endforeach()
endif()
