# Draws the output of a terminal session as SVG: reads the bytes with their escape sequences, keeps a screen as a terminal
# does, and prints it in a window frame. Needs LC_ALL=C, and these variables:
#   theme         light or dark
#   columns rows  the size of the terminal
#   name          the title of the window
#   title description  the text alternatives of the picture
# Fails on escape sequences and characters that it does not know, and if the session has more rows than the terminal.
function fail(message) {
    print "terminal-picture: " message >"/dev/stderr"
    failed = 1
    exit 1
}

function set_colors() {
    if (theme == "dark") {
        window = "#161b22"; bar = "#21262d"; border = "#3d444d"; line = "#565e68"
        text = "#e6edf3"; strong = "#ffffff"; faint = "#9198a1"
        split("#8b949e #ff7b72 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #e6edf3", palette, " ")
    } else if (theme == "light") {
        window = "#ffffff"; bar = "#f3f5f7"; border = "#d1d9e0"; line = "#b1b9c1"
        text = "#24292f"; strong = "#0b1016"; faint = "#59636e"
        split("#24292f #cf222e #116329 #7d4e00 #0550ae #6639ba #1b6b72 #59636e", palette, " ")
    } else fail("unknown theme '" theme "'")
}

# The screen: rows and columns count from 0, `cell` contains characters, `look` their classes in SVG.
function put(character) {
    if (column == columns) { column = 0; feed() }
    cell[row, column] = character
    look[row, column++] = style
}

function feed() {
    if (++row >= rows) fail("more than " rows " rows")
}

# Follows the control sequence that begins after `ESC [`, and returns the position of its last byte.
function control(input, position,    start, parameters, final, number) {
    for (start = position; substr(input, position, 1) ~ /[0-9;?]/; position++);
    parameters = substr(input, start, position - start)
    final = substr(input, position, 1)
    number = parameters + 0 > 0 ? parameters + 0 : 1
    if (final == "m") set_style(parameters)
    else if (final == "K" && parameters + 0 == 0) for (start = column; start < columns; start++) delete cell[row, start]
    else if (final == "C") column = column + number < columns ? column + number : columns - 1
    else if (final == "D") column = column > number ? column - number : 0
    else if (final == "G") column = number - 1
    else if (final == "A") row = row > number ? row - number : 0
    else if (parameters !~ /^\?/ || final !~ /^[hl]$/) fail("unknown sequence ESC [ " parameters final)
    return position
}

function set_style(parameters,    list, count, i) {
    count = split(parameters == "" ? "0" : parameters, list, ";")
    for (i = 1; i <= count; i++) {
        if (list[i] + 0 == 0) bold = dim = color = ""
        else if (list[i] == 1) bold = " b"
        else if (list[i] == 2) dim = " d"
        else if (list[i] == 22) bold = dim = ""
        else if (list[i] >= 30 && list[i] <= 37) color = " c" (list[i] - 29)
        else if (list[i] == 39) color = ""
        else fail("unknown style " list[i])
    }
    style = substr(bold dim color, 2)
}

function read(input,    position, byte) {
    for (position = 1; position <= length(input); position++) {
        byte = substr(input, position, 1)
        if (byte == "\r") column = 0
        else if (byte == "\n") feed()
        else if (byte == "\b") column -= column > 0
        else if (byte ~ /[ -~]/) put(byte)
        else if (byte != "\033") position = put_unicode(input, position)
        else if (substr(input, ++position, 1) == "[") position = control(input, position + 1)
        else fail("unknown sequence ESC " substr(input, position, 1))
    }
}

# Puts the character that begins at the position in UTF-8, if it has one column: Latin letters, punctuation, lines of tables.
function put_unicode(input, position,    size, character, scalar, i) {
    size = code[substr(input, position, 1)] >= 224 ? 3 : 2
    character = substr(input, position, size)
    scalar = code[substr(character, 1, 1)] % (size == 3 ? 16 : 32)
    for (i = 2; i <= size; i++) scalar = scalar * 64 + code[substr(character, i, 1)] % 64
    if (scalar in directions) put("line " directions[scalar])
    else if (scalar >= 160 && scalar < 768 || scalar >= 8208 && scalar < 8232) put(character)
    else fail("unknown character " scalar)
    return position + size - 1
}

function escape(words) {
    gsub(/&/, "\\&amp;", words)
    gsub(/</, "\\&lt;", words)
    gsub(/>/, "\\&gt;", words)
    return words
}

function x(position) { return sprintf("%.1f", side + position * width) }

# A run is text of one style without two spaces in a row. It is as long in every font, so that columns stay aligned.
function draw_row(    i) {
    for (i = 0; i < columns; i++) {
        if (!((row, i) in cell) || cell[row, i] == " ") continue
        if (cell[row, i] ~ /^line /) { end_run(); draw_line(i); continue }
        if (run != "" && (look[row, i] != run_style || i > run_end + 1)) end_run()
        if (run == "") { run_start = i; run_style = look[row, i] } else if (i > run_end) run = run " "
        run = run cell[row, i]
        run_end = i + 1
    }
    end_run()
}

function end_run() {
    if (run == "") return
    printf "<text x=\"%s\" y=\"%d\" textLength=\"%.1f\"", x(run_start), top + row * height + 14, (run_end - run_start) * width
    printf "%s>%s</text>\n", run_style == "" ? "" : " class=\"" run_style "\"", escape(run)
    run = ""
}

# Draws the lines of tables without gaps. A horizontal line is drawn once, from its first cell.
function draw_line(i,    y, size) {
    y = top + row * height
    if (cell[row, i] ~ /down/) path = path sprintf("M%s %dv%d", x(i + 0.5), y, height)
    if (cell[row, i] !~ /right/ || i > 0 && cell[row, i - 1] ~ /right/) return
    for (size = 1; cell[row, i + size] ~ /right/; size++);
    path = path sprintf("M%s %dh%.1f", x(i), y + height / 2, size * width)
}

function draw_window(wide, high,    i, frame) {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", wide, high, wide, high
    printf " role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">%s</title>\n", escape(title)
    printf "<desc id=\"description\">%s</desc>\n<style>\n", escape(description)
    print "text{font:14px ui-monospace,SFMono-Regular,\"SF Mono\",Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:" text "}"
    print ".b{font-weight:700;fill:" strong "}\n.d{fill:" faint "}"
    for (i = 1; i <= 8; i++) print ".c" i "{fill:" palette[i] "}"
    print ".name{font-size:13px;fill:" faint ";text-anchor:middle}\n</style>"
    frame = sprintf("<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"10\"", wide - 1, high - 1)
    print frame " fill=\"" window "\"/>"
    printf "<path d=\"M.5 36.5v-26a10 10 0 0 1 10-10h%da10 10 0 0 1 10 10v26z\" fill=\"%s\"/>\n", wide - 21, bar
    printf "<path d=\"M.5 36.5h%d\" stroke=\"%s\"/>\n", wide - 1, border
    print frame " fill=\"none\" stroke=\"" border "\"/>"
    print "<circle cx=\"22\" cy=\"18.5\" r=\"6\" fill=\"#ff5f57\"/>"
    print "<circle cx=\"42\" cy=\"18.5\" r=\"6\" fill=\"#febc2e\"/>"
    print "<circle cx=\"62\" cy=\"18.5\" r=\"6\" fill=\"#28c840\"/>"
    printf "<text class=\"name\" x=\"%d\" y=\"23\">%s</text>\n", wide / 2, escape(name)
}

BEGIN {
    RS = "\001"
    for (i = 128; i < 256; i++) code[sprintf("%c", i)] = i
    directions[9472] = "right"; directions[9474] = "down"; directions[9532] = "right down"
    row = column = 0
    width = 8.4; height = 20; side = 22; top = 54
    set_colors()
}

{ read($0) }

END {
    if (failed) exit 1
    last = row
    draw_window(int(side * 2 + columns * width), top + (last + 1) * height + 18)
    for (row = 0; row <= last; row++) draw_row()
    printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\"/>\n</svg>\n", path, line
}
