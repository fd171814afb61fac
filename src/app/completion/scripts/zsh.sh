#compdef milepost
# Completion of milepost for zsh.
_milepost() {
  local line candidate about
  local -a values abouts shown
  local -i width=0
  for line in "${(@f)$(command milepost complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}"; do
    candidate=${line%%$'\t'*}
    about=${line#*$'\t'}
    case $candidate in
      '') ;;
      :files | :folders)
        compset -P '--*='
        if [[ $candidate == :files ]]; then _files; else _files -/; fi
        return
        ;;
      *)
        values+=("$candidate")
        abouts+=("$about")
        ((${#candidate} > width)) && width=${#candidate}
        ;;
    esac
  done
  ((${#values})) || return 1
  local -i at
  for ((at = 1; at <= ${#values}; at++)); do
    shown+=("${(r:$width:)values[at]}${abouts[at]:+  $abouts[at]}")
  done
  # In the order they came: the newest first. Lines that are too long would be wrapped.
  if ((${#${(j::)abouts}})); then
    shown=("${(@mr:$((COLUMNS - 1)):)shown}")
    compadd -l -V milepost -d shown -a values
  else
    compadd -V milepost -a values
  fi
}
# From a file in $fpath this text is the function itself, and is run; otherwise it is only defined.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _milepost "$@"
elif (( $+functions[compdef] )); then
  compdef _milepost milepost
else
  autoload -Uz compinit && compinit -i && compdef _milepost milepost
fi
