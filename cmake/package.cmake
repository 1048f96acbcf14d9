# `make package`: makes a Debian package of the program, its data and the Python packages with CPack. The Python modules are
# installed for the system interpreter only.
set(debian ${PROJECT_SOURCE_DIR}/cmake/debian)
set(OKBENCH_MAINTAINER "The okbench authors <okbench@lists.example.org>" CACHE STRING "Maintainer of the Debian package")

set(changelog ${PROJECT_BINARY_DIR}/debian/changelog.gz)
configure_file(${debian}/METADATA.in ${PROJECT_BINARY_DIR}/debian/METADATA @ONLY)
install(
  CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" -DVERSION=${PROJECT_VERSION} \"-DMAINTAINER=${OKBENCH_MAINTAINER}\"
        \"-DOUTPUT=${changelog}\" -P \"${debian}/changelog.cmake\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT debian EXCLUDE_FROM_ALL)
find_program(OKBENCH_HELP2MAN help2man DOC "Makes the manual page of the Debian package from --help")
install(
  CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/man/man1\")
        file(MAKE_DIRECTORY \"\${folder}\")
        execute_process(COMMAND \"${OKBENCH_HELP2MAN}\" --no-info \"--name=${PROJECT_DESCRIPTION}\"
                                --version-string=${PROJECT_VERSION} $<TARGET_FILE:okbench_program>
                        COMMAND gzip -9n OUTPUT_FILE \"\${folder}/okbench.1.gz\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${debian}/copyright ${changelog} DESTINATION share/doc/okbench COMPONENT debian EXCLUDE_FROM_ALL)
# Metadata of the installed Python package.
install(FILES ${PROJECT_BINARY_DIR}/debian/METADATA ${debian}/INSTALLER DESTINATION ${modules}/okbench-${PROJECT_VERSION}.dist-info
        COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME okbench)
set(CPACK_PACKAGE_CONTACT "${OKBENCH_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program completion debian)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_NAME okbench)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The extension module needs exactly this Python version. LIBLINEAR is loaded by name. shlibdeps adds the other libraries.
math(EXPR next "${Python_VERSION_MINOR} + 1")
string(JOIN ", " CPACK_DEBIAN_PACKAGE_DEPENDS
       "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}~)" "python3 (<< ${Python_VERSION_MAJOR}.${next}~)"
       python3-numpy python3-scipy python3-sklearn python3-pandas liblinear4)
# For figures, downloads of data, and results as labelled arrays.
string(JOIN ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-matplotlib python3-jinja2 python3-pooch python3-requests
       python3-tqdm python3-xarray python3-tomli-w)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS snakemake)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "The program okbench runs online support vector machines and their relatives
on streams of data, counts every kernel evaluation, and writes traces that are
bit-identical on every machine. Experiments are declarative. okbench judges
the claims of papers on the traces.

The Python package okbench reads results, judges claims, draws
figures, and contains the learners as estimators.")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${debian}/postinst ${debian}/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
