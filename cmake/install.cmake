# Installs the program and its data, and the CMake package okbench with the target okbench::learners:
#   find_package(okbench) ; target_link_libraries(app okbench::learners)
# Components: `learners` (library), `program` (with data), `completion`, and `plain` (Python packages in the data
# folder). Optional components: `extension` (Python module only), and `debian` instead of `plain`.
include(CMakePackageConfigHelpers)

set(data_folder ${CMAKE_INSTALL_DATADIR}/okbench)
set(library_folder ${CMAKE_INSTALL_LIBDIR}/cmake/okbench)
install(TARGETS okbench_base okbench_learners okbench_plugin EXPORT okbenchTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT learners)
install(DIRECTORY learners/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/okbench/learners COMPONENT learners
        FILES_MATCHING PATTERN "*.h" PATTERN "internal" EXCLUDE)
install(DIRECTORY base/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/okbench/base COMPONENT learners FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/learners/generated/learners/api/interface_digest.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/okbench/learners/api COMPONENT learners)
install(EXPORT okbenchTargets NAMESPACE okbench:: DESTINATION ${library_folder} COMPONENT learners)
configure_package_config_file(cmake/okbenchConfig.cmake.in ${PROJECT_BINARY_DIR}/okbenchConfig.cmake
                              INSTALL_DESTINATION ${library_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/okbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/plugin.cmake ${PROJECT_BINARY_DIR}/okbenchConfig.cmake ${PROJECT_BINARY_DIR}/okbenchConfigVersion.cmake
        DESTINATION ${library_folder} COMPONENT learners)
if(NOT TARGET okbench_program)
  return()
endif()

install(TARGETS okbench_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY experiments DESTINATION ${data_folder} COMPONENT program)
install(DIRECTORY results/reference DESTINATION ${data_folder}/results COMPONENT program)
install(FILES datasets/catalog.toml datasets/replacements.toml DESTINATION ${data_folder}/datasets COMPONENT program)
install(DIRECTORY plots DESTINATION ${data_folder} COMPONENT program FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)

# Installs the completion script printed by the program as FOLDER/NAME. ARGN: options of install(), such as COMPONENT.
function(okbench_install_completion shell folder name)
  install(CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
                file(MAKE_DIRECTORY \"\${folder}\")
                execute_process(COMMAND \"$<TARGET_FILE:okbench_program>\" completion ${shell}
                                OUTPUT_FILE \"\${folder}/${name}\" COMMAND_ERROR_IS_FATAL ANY)" ${ARGN})
endfunction()
okbench_install_completion(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions okbench COMPONENT completion)
okbench_install_completion(fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d okbench.fish COMPONENT completion)

# What a Debian package has elsewhere: COMPONENT, the folder of the package okbench, and that of zsh's completions.
function(okbench_install_in component okbench_folder zsh_folder)
  install(DIRECTORY python/okbench DESTINATION ${okbench_folder} COMPONENT ${component} ${ARGN}
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "*.html" PATTERN "*.css" PATTERN "*.js"
          PATTERN "__pycache__" EXCLUDE PATTERN "node_modules" EXCLUDE)
  if(OKBENCH_HAS_NATIVE)
    install(TARGETS okbench_native LIBRARY DESTINATION ${okbench_folder}/okbench COMPONENT ${component} ${ARGN} OPTIONAL)
  endif()
  okbench_install_completion(zsh ${zsh_folder} _okbench COMPONENT ${component} ${ARGN})
endfunction()
okbench_install_in(plain ${data_folder}/python ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
set(modules lib/python3/dist-packages)
okbench_install_in(debian ${modules} ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions EXCLUDE_FROM_ALL)
if(OKBENCH_HAS_NATIVE)
  # Installs into the prefix itself, which is the folder of the Python package in a wheel.
  install(TARGETS okbench_native LIBRARY DESTINATION . COMPONENT extension EXCLUDE_FROM_ALL OPTIONAL)
  # `make wheel`: LIBLINEAR, which is opened by name, and the licences of all libraries inside.
  set(OKBENCH_WHEEL_LIBRARIES "" CACHE PATH "Folder made by tools/wheel-libraries.sh, for wheels that need no library of the system")
  if(OKBENCH_WHEEL_LIBRARIES)
    install(FILES ${OKBENCH_WHEEL_LIBRARIES}/lib/${LIBLINEAR_SONAME} DESTINATION lib COMPONENT extension)
    install(DIRECTORY ${OKBENCH_WHEEL_LIBRARIES}/licences DESTINATION . COMPONENT extension)
    set_target_properties(okbench_native PROPERTIES INSTALL_RPATH $ORIGIN/lib)
    set_target_properties(okbench_program PROPERTIES INSTALL_RPATH $ORIGIN/../lib)
  endif()
  include(cmake/package.cmake)
endif()
