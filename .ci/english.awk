# Measures the English of comments and documents: docstring sentences with a semicolon, docstrings that begin with a
# question word, and words that stop a reader, per 1,000 words. With `-v list=1` it prints each place instead.
# Exits with 1 if a rate is above its limit: `-v semicolons=3 -v questions=2 -v markers=3`.

BEGIN {
    count = split("whoever|whatever it|anew|gone on with|goes on with|came of|became of|becomes of|come to is|" \
        "comes to is|is none|are none|nobody|somebody|anybody|stand|stands|stood|tell|tells|told|behind|beside|mend|" \
        "mends|under way|so many|so much|all the same|of its own|of their own|is to be|are to be|need not|lets go|" \
        "goes away|in the place of|at hand", list_, "|")
    for (at = 1; at <= count; at++) isMarker[list_[at]] = 1
}

function place(what) { if (list) print FILENAME ":" FNR ": " what ": " text }

# Counts the words of a line, and the marker words and phrases of one to four words among them.
function measure(    count, words, at, length_, phrase) {
    gsub(/`+[^`]*`+/, "x", text)
    total += split(text, words, /[ \t]+/)
    phrase = tolower(text)
    gsub(/[^a-z']+/, " ", phrase)
    count = split(phrase, words, " ")
    for (at = 1; at <= count; at++) {
        phrase = words[at]
        for (length_ = 1; ; length_++) {
            if (phrase in isMarker && !((phrase == "stand" || phrase == "stands") && words[at + 1] == "by")) {
                found++
                place(phrase)
            }
            if (length_ == 4 || at + length_ > count) break
            phrase = phrase " " words[at + length_]
        }
    }
}

FNR == 1 { fence = 0; before = "" }

FILENAME ~ /\.md$/ {
    text = $0
    sub(/^[ \t]+/, "", text)
    if (text ~ /^```/) fence = !fence
    else if (!fence && text != "") measure()
    next
}

{
    text = $0
    sub(/^[ \t]+/, "", text)
    if (text !~ /^\/\//) { before = ""; next }
    kind = text ~ /^\/\/\// ? "doc" : "comment"
    sub(/^\/\/\/?[ \t]?/, "", text)
    if (text ~ /^```/) { fence = !fence; before = kind; next }
    if (!fence) {
        measure()
        if (kind == "doc") {
            if (before != "doc") {
                docstrings++
                if (text ~ /^(What|How|Why|Where|When|Who|Whose|Which)([^A-Za-z]|$)/) { asked++; place("question word") }
            }
            hits = gsub(/;/, ";", text)
            chained += hits
            if (hits) place("semicolon")
            sentences += gsub(/[.!?]([ \t]|$)/, "&", text)
        }
    }
    before = kind
}

END {
    if (list) exit
    rates[1] = sentences ? 100 * chained / sentences : 0
    rates[2] = docstrings ? 100 * asked / docstrings : 0
    rates[3] = total ? 1000 * found / total : 0
    printf "english: semicolons %.1f %% of %d docstring sentences, question words %.1f %% of %d docstrings, markers " \
        "%.1f per 1,000 of %d words\n", rates[1], sentences, rates[2], docstrings, rates[3], total
    exit (semicolons != "" && rates[1] > semicolons) || (questions != "" && rates[2] > questions) ||
        (markers != "" && rates[3] > markers)
}
