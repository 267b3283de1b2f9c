# Prints each line of standard input as zsh completes it when Tab is pressed at its end.
zmodload zsh/zpty
zpty z "TERM=dumb PS1= zsh -f -i"
zpty -w z "unsetopt zle_bracketed_paste prompt_cr prompt_sp; autoload -U compinit; compinit -u -D; source $1"
zpty -w z 'show() { print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }; zle -N show; bindkey "^X" show; bindkey "^I" complete-word; LISTMAX=100000; setopt no_beep; print READY""READY'
zpty -r z text '*READYREADY*'
while IFS= read -r line; do
    zpty -w -n z "$line"$'\t\x18'
    zpty -r z text '*<*>*'
    print -r -- "${${text##*<}%%>*}"
done
zpty -d z
