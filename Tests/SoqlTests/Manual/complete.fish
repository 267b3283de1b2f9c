# Prints the completions of fish at the end of each line of standard input, without descriptions.
source $argv[1]
while read -l --null line
    echo (complete -C $line | string split -f1 \t)
end
