# Prints each line that uses an untrusted number without a range: a number that was read from a string or a decoded value
# without `Int(outside:in:)`, or memory that is reserved by an untrusted size.
#
# A rule over lines does not know types. It knows the forms in which such numbers are read. If a line is safe, it or the line
# before it has the comment `// bounded: REASON`.

function found(reason) { print FILENAME ":" FNR ": " reason ": " trimmed }

# Returns the content of the bracket that was opened just before the text.
function behind(text,    depth, place, letter) {
    depth = 1
    for (place = 1; place <= length(text) && depth > 0; place++) {
        letter = substr(text, place, 1)
        if (letter == "(") depth++
        if (letter == ")") depth--
    }
    return substr(text, place)
}

# Returns whether the conversion between these two texts can fail, which means that it reads a string.
function reads(before, rest,    after) {
    if (before ~ /outside:|clamped\(/) return 0
    after = behind(rest)
    if (before ~ /(flatMap|compactMap) *[({][^}]*$/ && before !~ /\[$/) return 1
    if (before ~ /(guard|if|while) (.*, *)?(case )?(let|var) [A-Za-z_]+ = $/) return 1
    if (before ~ /, let [A-Za-z_]+ = $/) return 1
    if (before ~ /^ *let [A-Za-z_]+ = $/ && after ~ /^,|(,|else \{|^ *\{)$/) return 1
    if (before ~ /\.map *[({]+ *$/ && rest ~ /^\$0\) *[})]/) return 1
    return rest ~ /radix:/ || after ~ /^ *(\?\?|\?\.|\.map|\.flatMap|[!=]= nil)/
}

FNR == 1 { coversNext = 0 }

{
    trimmed = $0
    sub(/^ +/, "", trimmed)
    isBounded = coversNext || $0 ~ /\/\/ bounded: [^ ]/
    coversNext = $0 ~ /^ *\/\/ bounded: [^ ]/
    line = $0
    gsub(/"[^"]*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
    sub(/ +$/, "", line)
    if (isBounded) next

    if (line ~ /\.reserveCapacity\(/) {
        argument = line
        sub(/.*\.reserveCapacity\(/, "", argument)
        if (argument !~ /^[0-9_]+( << [0-9]+)?\)/ && argument !~ /^(Swift\.)?min\(/ && argument !~ /^literalCapacity/ \
            && argument !~ /\.count[^A-Za-z0-9_]/)
            found("memory is reserved on somebody's word")
    }

    before = ""
    text = " " line
    while (match(text, /[^A-Za-z0-9_.]U?Int(8|16|32|64)?\(/)) {
        before = before substr(text, 1, RSTART)
        rest = substr(text, RSTART + RLENGTH)
        isLabelled = rest ~ /^[a-z][A-Za-z]*:/
        if (!isLabelled && reads(substr(before, 2), rest)) found("a number is read out of a text without a range")
        if (!isLabelled && rest ~ /^.*\.rounded\(/) found("a number is rounded to whole ones without a range")
        before = before substr(text, RSTART + 1, RLENGTH - 1)
        text = rest
    }

    if (line !~ /outside:/ && line ~ /[])?A-Za-z0-9_]\.(int|double)([^A-Za-z0-9_(]|$)/)
        found("a number is taken out of a decoded value without a range")
    if (line !~ /outside:|clamped\(/ && line ~ /decode(IfPresent)?\(U?Int(8|16|32|64)?\.self, forKey:/)
        found("a number is decoded without a range")
}
