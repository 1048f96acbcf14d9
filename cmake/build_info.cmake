# Runs in every build. Writes build_info.h, and touches it only if something changed.
execute_process(COMMAND git -C ${SOURCE_FOLDER} rev-parse HEAD OUTPUT_VARIABLE GIT_COMMIT ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND git -C ${SOURCE_FOLDER} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes
                ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
# Untracked files count in folders where the build finds sources by itself, since user-defined learners are compiled in.
execute_process(COMMAND git -C ${SOURCE_FOLDER} ls-files --others --exclude-standard -- base learners boxes datasets harness cmake
                OUTPUT_VARIABLE untracked ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT GIT_COMMIT)
  set(GIT_COMMIT "unknown")
endif()
# Learners outside the source folder also mark the build as modified.
if(NOT "${changes}${untracked}${OWN}" STREQUAL "")
  set(GIT_DIRTY true)
else()
  set(GIT_DIRTY false)
endif()
configure_file(${SOURCE_FOLDER}/harness/system/build_info.h.in ${OUTPUT} @ONLY)
