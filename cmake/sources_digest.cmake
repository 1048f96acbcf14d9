# Writes NAME = a digest of SOURCES (file names, separated by commas) into the header OUTPUT. Touches it only if it changes.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(all "")
foreach(source ${SOURCES})
  file(SHA256 ${source} one)
  string(APPEND all ${one})
endforeach()
string(SHA256 DIGEST "${all}")
set(content
    "#pragma once\n// Generated: the digest of the sources that make rows of files.\nnamespace okbench {\ninline constexpr char ${NAME}[] = \"${DIGEST}\";\n}  // namespace okbench\n"
)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${content}" @ONLY)
