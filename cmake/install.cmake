# Installs the program and its data, and the package okbench with the target okbench::learners:
#   find_package(okbench) ; target_link_libraries(app okbench::learners)
include(CMakePackageConfigHelpers)

install(TARGETS okbench_learners EXPORT okbenchTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY learners/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/okbench/learners FILES_MATCHING PATTERN "*.h"
        PATTERN "internal" EXCLUDE)
install(EXPORT okbenchTargets NAMESPACE okbench:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/okbench)
configure_package_config_file(cmake/okbenchConfig.cmake.in ${PROJECT_BINARY_DIR}/okbenchConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/okbench)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/okbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/okbenchConfig.cmake ${PROJECT_BINARY_DIR}/okbenchConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/okbench)
if(TARGET okbench_program)
  install(TARGETS okbench_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/okbench)
  install(DIRECTORY results/reference DESTINATION ${CMAKE_INSTALL_DATADIR}/okbench/results)
  install(FILES datasets/catalog.toml datasets/fetch.py datasets/add.py DESTINATION ${CMAKE_INSTALL_DATADIR}/okbench/datasets)
  install(DIRECTORY datasets/adding DESTINATION ${CMAKE_INSTALL_DATADIR}/okbench/datasets FILES_MATCHING PATTERN "*.py")
  install(DIRECTORY python/okbench DESTINATION ${CMAKE_INSTALL_DATADIR}/okbench/python FILES_MATCHING PATTERN "*.py")
  install(DIRECTORY plots/okplots DESTINATION ${CMAKE_INSTALL_DATADIR}/okbench/plots FILES_MATCHING PATTERN "*.py"
          PATTERN "*.html" PATTERN "*.css" PATTERN "*.js")
  # What the program says of its own options.
  foreach(shell bash zsh fish)
    install(
      CODE "execute_process(COMMAND \"$<TARGET_FILE:okbench_program>\" completion ${shell}
            OUTPUT_FILE \"${PROJECT_BINARY_DIR}/okbench.${shell}\" COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
  install(FILES ${PROJECT_BINARY_DIR}/okbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME okbench)
  install(FILES ${PROJECT_BINARY_DIR}/okbench.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          RENAME _okbench)
  install(FILES ${PROJECT_BINARY_DIR}/okbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
