# Debian packages, one a component of the install, by CPack: scripts/build-packages makes them. The version of the library's binary
# interface is in the names of its packages, as Debian's policy wants (chapter 8).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pliant)
set(CPACK_PACKAGE_VENDOR Pliant)
set(CPACK_PACKAGE_CONTACT "The Pliant authors <pliant@invalid>") # There is no address to write to.
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime formats development command lab python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY =)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/stage_packages.cmake)
file(WRITE ${PROJECT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
foreach(component RUNTIME FORMATS)
  set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
endforeach()
set(CPACK_PLIANT_LICENCE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PLIANT_CHANGES ${PROJECT_SOURCE_DIR}/CHANGELOG.md)

# What a component is called, its section, what it depends on, and what is said of it.
macro(pliant_package component name section depends summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
  set(CPACK_COMPONENT_${upper}_DEPENDS ${depends})
endmacro()
pliant_package(runtime libpliant0 libs "" "position-based dynamics of cloth, leaves and shells"
  "Pliant simulates what bends: cloth, plants, thin shells and inflated\nbodies, by position-based dynamics, with the bending models of the\nliterature side by side.\n.\nThis package has the solver, and the library of scenes and caches.")
pliant_package(formats libpliant-formats0 libs runtime "pictures, rigid bodies and more formats for Pliant"
  "Pliant simulates what bends, by position-based dynamics.\n.\nThis package has its libraries of pictures and video, of rigid bodies by\nODE, of VTKHDF caches, and of meshes in the formats that assimp reads.")
pliant_package(development libpliant-dev libdevel "runtime;formats" "headers and static library of Pliant"
  "Pliant simulates what bends, by position-based dynamics.\n.\nThis package has headers, a static library, and files for pkg-config and\nCMake.")
pliant_package(command pliant science formats "simulate cloth, plants and shells, and look at them"
  "Pliant simulates what bends, by position-based dynamics.\n.\nThis package has the command, which simulates scenes into caches,\npictures and video, and the window, with the shipped scenes.")
pliant_package(lab pliant-lab science command "experiments, validation and benchmarks of Pliant"
  "Pliant simulates what bends, by position-based dynamics.\n.\nThis package has the program that reproduces figures of papers, compares\nthe engine with closed-form solutions and measures times.")
pliant_package(python python3-pliant python "runtime" "position-based dynamics of cloth and shells in Python"
  "Pliant simulates what bends, by position-based dynamics.\n.\nThis package has the module for Python, with arrays of numpy over the\nmemory of the library.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS libpliant-formats0)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-cffi-backend, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS libpliant-formats0)
include(CPack)

# The wheel of scripts/build-python, with the system's libraries in the place of its own.
set(python_modules lib/python3/dist-packages)
install(CODE "set(destination \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${python_modules}\")
set(wheels \"${PROJECT_SOURCE_DIR}/build/python/wheel\")"
  COMPONENT python EXCLUDE_FROM_ALL)
install(SCRIPT cmake/install_wheel.cmake COMPONENT python EXCLUDE_FROM_ALL)
