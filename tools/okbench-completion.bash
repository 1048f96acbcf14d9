# Bash completion for okbench: source this file, or install it as bash-completion/completions/okbench.
_okbench() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]-}
  local verbs="list plan run summary show compare merge migrate check data claims"
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$verbs --help --target" -- "$word")
    return
  fi
  case "$verb" in
    list) mapfile -t COMPREPLY < <(compgen -W "learners losses kernels datasets formats experiments revisions --json" -- "$word") ;;
    data)
      if [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "list show fetch verify path" -- "$word")
      else
        mapfile -t COMPREPLY < <(compgen -W "$(okbench list datasets 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$word")
      fi ;;
    run)
      case "${COMP_WORDS[COMP_CWORD - 1]}" in
        --tier) mapfile -t COMPREPLY < <(compgen -W "quick default paper" -- "$word") ;;
        *)
          mapfile -t COMPREPLY < <(compgen -W "--set --only --trial --tier --jobs --out --fresh --dry-run --timeout --quiet --tile --target" -- "$word"
            compgen -f -- "$word") ;;
      esac ;;
    plan) mapfile -t COMPREPLY < <(compgen -W "--tier --set --out --json" -- "$word"; compgen -f -- "$word") ;;
    claims) mapfile -t COMPREPLY < <(compgen -W "--results --json $(ls "${OKBENCH_HOME:-.}"/experiments 2>/dev/null)" -- "$word"; compgen -f -- "$word") ;;
    check) mapfile -t COMPREPLY < <(compgen -W "--update --reference --jobs" -- "$word"; compgen -f -- "$word") ;;
    compare) mapfile -t COMPREPLY < <(compgen -W "--json --level" -- "$word"; compgen -f -- "$word") ;;
    merge) mapfile -t COMPREPLY < <(compgen -W "--out" -- "$word"; compgen -f -- "$word") ;;
    summary) mapfile -t COMPREPLY < <(compgen -W "--json --folds" -- "$word"; compgen -f -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "--json" -- "$word"; compgen -f -- "$word") ;;
  esac
}
complete -o filenames -F _okbench okbench
