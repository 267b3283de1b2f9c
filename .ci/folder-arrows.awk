# SPDX-License-Identifier: Apache-2.0
# Prints "FILE:LINE: FOLDER uses TYPE of FOLDER" for every use of a type that another folder declares at top level.
# Every file is read twice: first for its declarations, then for its uses. `values` has the files at the root that every
# folder may use, as " A.swift B.swift "; they count as a folder of that name.
# A name behind a dot is a nested type's, as is one that the same file declares inside of another type.
function folder(path,    rest, slash) {
    rest = substr(path, length(root) + 2)
    slash = index(rest, "/")
    if (slash) return substr(rest, 1, slash - 1)
    return index(values, " " rest " ") ? "values" : "root"
}
FNR == 1 { pass[FILENAME]++; here = folder(FILENAME); isText = 0 }
{
    line = $0
    quotes = gsub(/"""/, "\"\"\"", line)
    wasText = isText
    if (quotes % 2) isText = !isText
    if (wasText || quotes) next
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
}
pass[FILENAME] == 1 {
    if (match(line, /(struct|class|enum|protocol|actor|typealias|associatedtype) +[A-Z][A-Za-z0-9_]*/)) {
        name = substr(line, RSTART, RLENGTH)
        sub(/.* /, "", name)
        if (line ~ /^[a-z]/ && line !~ /^(private|fileprivate)/) owner[name] = here
        else own[FILENAME, name] = 1
    }
    next
}
{
    count = split(line, words, /[^A-Za-z0-9_.]+/)
    for (i = 1; i <= count; i++) {
        name = words[i]
        sub(/\..*/, "", name)
        if (!(name in owner) || owner[name] == here || (FILENAME, name) in own) continue
        print FILENAME ":" FNR ": " here " uses " name " of " owner[name]
    }
}
