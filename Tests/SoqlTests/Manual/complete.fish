# Prints what fish offers at the end of each line of standard input, without its descriptions.
source $argv[1]
while read -l --null line
    echo (complete -C $line | string split -f1 \t)
end
