# Prints the completions of bash at the end of each line of standard input: the words of COMPREPLY.
source "$1"
while IFS= read -r line; do
    # Readline splits words at `=`.
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMP_LINE=$line COMP_POINT=${#line}
    _soql 2>/dev/null
    echo "${COMPREPLY[*]}"
done
