# Prints what zsh's own completion system offers for a command line, one word per line.
# Arguments: this file, the file of the completion script, the command line up to the cursor.
if [[ $1 == inner ]]; then
  PROMPT=
  unsetopt zle_bracketed_paste prompt_cr prompt_sp
  autoload -Uz compinit; compinit -D -u
  eval "$(<$2)"
  bindkey '^I' complete-word
  zstyle ':completion:*' insert-tab false
  zstyle ':completion:*' list-grouped false
  # The offers stand between two lines with a null character each.
  null_line() { print -r -- $'\0' }
  compprefuncs=(null_line)
  comppostfuncs=(null_line exit)
  compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
    local -a hits
    builtin compadd -A hits "$@"
    (( $#hits )) && print -rl -- $hits
  }
  print ready
else
  zmodload zsh/zpty || exit 1
  zpty shell zsh -f -i
  zpty -w shell "source ${(q)1} inner ${(q)2}"
  while zpty -r shell line; do [[ $line == ready* ]] && break; done
  zpty -w -n shell "$3"$'\t'
  integer nulls=0
  while zpty -r shell line; do
    if [[ $line == *$'\0'* ]]; then (( nulls += 1 )); (( nulls == 2 )) && break; continue; fi
    (( nulls == 1 )) && print -r -- "${line%%$'\r'*}"
  done
  zpty -d shell
fi
