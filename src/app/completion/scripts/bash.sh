# Completion of milepost for bash.
_milepost() {
  local candidate about row width=0 at
  local -a abouts
  COMPREPLY=()
  while IFS=$'\t' read -r candidate about; do
    case $candidate in
      # bash itself completes names of files, when there is no other candidate.
      :files) compopt -o default 2>/dev/null ;;
      :folders) compopt -o dirnames 2>/dev/null ;;
      *)
        COMPREPLY+=("$candidate")
        abouts+=("$about")
        ((${#candidate} > width)) && width=${#candidate}
        ;;
    esac
  done < <(command milepost complete --line "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
  # Where candidates are only listed (TAB twice), each gets its description; what bash inserts never has one.
  case $COMP_TYPE in 33 | 63 | 64) ;; *) return ;; esac
  row="${abouts[*]}"
  [[ ${#COMPREPLY[@]} -gt 1 && -n ${row// /} ]] || return
  local columns=${COLUMNS:-80}
  for at in "${!COMPREPLY[@]}"; do
    printf -v row "%-${width}s  %s" "${COMPREPLY[at]}" "${abouts[at]}"
    # More than half as long as the screen is wide: bash then lists one below the other.
    printf -v row "%-$((columns / 2 + 1))s" "${row:0:columns - 1}"
    COMPREPLY[at]=$row
  done
}
# Before 4.4 candidates are always sorted; the one of macOS (3.2) also offers files where nothing else is known.
complete -o nosort -F _milepost milepost 2>/dev/null || complete -o default -F _milepost milepost
