# Prints each line that compares, searches or cuts a string by `Character`, as `String` does by default. A quote and a
# combining mark after it are one `Character`, and so are CR and LF, so such code misses quotes, separators and line ends.
# Strings for machines use the helpers of RestBase, `utf8` or `unicodeScalars`.
#
# A rule over lines does not know types. It knows the methods, literals of one letter, and receivers that are not strings.
# A line for people, or the line before it, has the comment `// prose: REASON`.

BEGIN {
    letter = "\"(\\\\u\\{[0-9A-Fa-f]+\\}|\\\\.|[^\"\\\\])\""
    view = "(unicodeScalars|utf8|[sS]calars|bytes)"
    # Members of a view that return a view again.
    onward = "(\\.(reversed|dropFirst|dropLast|lazy|suffix|prefix|drop)(\\([^()]*\\))?|\\[[^]]*\\]|[?!])*$"
    # Lists of strings, which are searched for a member.
    count = split("all auth expected fields known labels match methods names noneMatch operands options prompt scopes " \
        "segments wanted words", list, " ")
    for (at = 1; at <= count; at++) isList[list[at]] = 1
}

function found(reason) { print FILENAME ":" FNR ": " reason ": " trimmed }

# The line without its comment, and with `@@` in place of literals of more than one letter.
function code(text,    place, sign, start, literal, result) {
    for (place = 1; place <= length(text); place++) {
        sign = substr(text, place, 1)
        if (sign == "/" && substr(text, place + 1, 1) == "/") break
        if (sign == "\"") {
            start = place++
            while (place <= length(text) && substr(text, place, 1) != "\"")
                place += substr(text, place, 1) == "\\" ? 2 : 1
            literal = substr(text, start, place - start + 1)
            sign = literal ~ ("^" letter "$") ? literal : "\"@@\""
        }
        result = result sign
    }
    return result
}

# Returns whether a call of this form has a receiver other than a view of scalars or bytes, or a list.
function calls(form,    rest, receiver) {
    rest = line
    while (match(rest, form)) {
        receiver = substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (receiver ~ (view onward) || receiver ~ /\]$|split\([^()]*\)$/) continue
        sub(/\?$/, "", receiver)
        sub(/^.*[^A-Za-z0-9_]/, "", receiver)
        if (!(receiver in isList)) return 1
    }
    return 0
}

FNR == 1 { coversNext = 0; inBlock = 0 }

{
    trimmed = $0
    sub(/^ +/, "", trimmed)
    isProse = coversNext || $0 ~ /\/\/ prose: [^ ]/
    coversNext = $0 ~ /^ *\/\/ prose: [^ ]/
    marks = gsub(/"""/, "&")
    if (inBlock) {
        if (marks % 2) inBlock = 0
        next
    }
    if (marks % 2) inBlock = 1
    line = code($0)
    if (isProse || line ~ /^ *$/ || line ~ /^ *(public |package )?import /) next

    if (line ~ /(^|[^A-Za-z])has(Prefix|Suffix)([^A-Za-z]|$)/ || calls("\\.starts\\(with: \"[^\"]*\"\\)"))
        found("a prefix or suffix by Character")
    else if (calls("\\.split\\((max[^\"]*)?separator: \""))
        found("a split by Character")
    else if (calls("\\.(replacing\\(|replacingOccurrences|components\\(separatedBy|trimmingCharacters|trimmingPrefix)") \
        && line !~ /\.replacing\(bytes: /)
        found("a replacement by Character")
    else if (calls("\\.(firstRange|ranges|range)\\(of: ") || calls("\\.(first|last)Index\\(of: " letter) \
        || calls("\\.contains\\(\""))
        found("a search by Character")
    else if (line ~ /\.is(Newline|Whitespace|Letter|HexDigit)([^A-Za-z]|$)/ && line !~ ("properties\\.is|Self\\.is|" view))
        found("a property of a Character")
    else if (line !~ (view "|Unicode.Scalar") && calls("\\.[A-Za-z]+ ?(\\(([a-zA-Z]+: )?)?\\{ *\\$0 [!=]= " letter))
        found("a comparison of Characters")
    else if (calls("\\.(first|last) [!=]= " letter))
        found("a comparison of Characters")
    else if (line ~ /(^|[^A-Za-z."])Character([^A-Za-z]|$)/ || line ~ /for (character|letter) in / && line !~ view)
        found("a Character")
}
