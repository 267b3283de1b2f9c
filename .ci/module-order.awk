# Prints every module of Package.swift that uses a module from further down in the manifest.
/^let modules/ { inside = 1 }
/^]/ { inside = 0 }
!inside { next }
/^    (module|program|library|\.systemLibrary|\.plugin)\(/ { if (name != "") seen[name] = 1; name = ""; uses = 0 }
{
    line = $0
    while (match(line, /uses:|"[A-Za-z0-9]+"/)) {
        word = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (word == "uses:") { uses = 1; continue }
        gsub(/"/, "", word)
        if (name == "") name = word
        else if (uses && !(word in seen)) print name " uses " word ", which is further down"
    }
}
