# Writes the Swift blocks of a document as a source file that a compiler can check:
# awk -v name=DOCUMENT -v path=PATH -f snippets.awk PATH >FILE
#
# Statements are put in a function with a client and an embedded org, which a test runs. A block of only declarations is put in
# a type, and a block with an extension at the top of the file. Comments before a block declare what else it needs:
#
#   <!-- sample: id: String, query: SOQL -->  further parameters of the function; a `Stage` has functions of these names
#   <!-- sample: @MainActor -->               an attribute of the function, before the parameters
#   <!-- sample: continues -->                the block continues the block before it
#   <!-- sample: shared -->                   later blocks use the declarations, so they are at the top of the file
#   <!-- sample: if canImport(os) -->         the block is compiled only under this condition
#   <!-- not run: REASON -->                  the statements are only compiled
#   <!-- not compiled: REASON -->             the block cannot be part of an app
#
# Errors of the compiler name the line of the document. A `do` whose last `catch` has a pattern is rejected.

function fail(text) { print path ":" NR ": " text > "/dev/stderr"; failed = 1; exit 1 }

# The names that the statements bind are used at the end, as a user's code would use them.
function close_unit(   i) {
    if (!is_open) return
    if (is_function) for (i = 1; i <= bound_count; i++) print "_ = " bound[i]
    print is_function ? "}\n}" : is_member ? "}" : ""
    if (is_function && !is_only_compiled) print_test()
    if (condition != "") print "#endif"
    is_open = 0
}

# A test that calls the function with values of a stage.
function print_test(   count, i, all, parts) {
    count = split(unit_parameters, all, /, /)
    for (i = 1; i <= count; i++) { sub(/:.*/, "", all[i]); parts = parts ", " all[i] ": stage." all[i] "()" }
    print "@Test(\"" path " " unit_number "\")"
    print "func run" name unit_number "() async throws {"
    print "try await Stage.run { stage in try await " name unit_number ".sample(stage.client, stage.org" parts ") }"
    print "}"
}

function bind(line,   parts, count, i) {
    if (!sub(/^(let|var) /, "", line)) return
    if (!sub(/^\(/, "", line)) sub(/[^A-Za-z0-9_].*/, "", line)
    sub(/\).*/, "", line)
    count = split(line, parts, /, */)
    for (i = 1; i <= count; i++) if (parts[i] != "_") bound[++bound_count] = parts[i]
}

function emit(   i, line, declares, extends, attribute, parameters) {
    if (reason != "") return
    if (directive == "continues") {
        if (!is_open || !is_function) fail("this block has nothing to continue")
    } else {
        close_unit()
        attribute = condition = ""
        parameters = directive == "shared" ? "" : directive
        if (sub(/^if /, "", parameters)) {
            condition = parameters; sub(/;.*/, "", condition)
            if (!sub(/^[^;]*; */, "", parameters)) parameters = ""
        }
        if (match(parameters, /^@[A-Za-z]+(, |$)/)) {
            attribute = substr(parameters, 1, RLENGTH); sub(/(, )?$/, " ", attribute)
            parameters = substr(parameters, RLENGTH + 1)
        }
    }
    declares = 1; extends = directive == "shared"
    for (i = 1; i <= line_count; i++) {
        line = lines[i]
        if (line ~ /^extension /) extends = 1
        if (line !~ /^(@|struct |final class |class |actor |enum |func |static |extension |nonisolated |import |[ })]|\/\/|#(if|else|endif)|$)/) declares = 0
    }
    if (directive != "continues") {
        bound_count = 0; is_open = 1
        unit_parameters = parameters; unit_number = number; is_only_compiled = no_run != ""
        is_function = !declares; is_member = declares && !extends
        if (condition != "") print "#if " condition
        for (i = 1; i <= line_count; i++) if (lines[i] ~ /^import /) print lines[i]
        if (is_function) {
            print "enum " name number " {"
            print attribute "static func sample("
            print "_ client: RestClient, _ org: LocalOrg" (parameters == "" ? "" : ", " parameters)
            print ") async throws {"
        } else if (is_member) print "struct " name number " {"
    }
    printf "#sourceLocation(file: \"%s\", line: %d)\n", path, first
    for (i = 1; i <= line_count; i++) {
        print lines[i] ~ /^import / ? "" : lines[i]
        bind(lines[i])
    }
    print "#sourceLocation()"
}

/^ +```swift/ { fail("a block of Swift begins at the margin") }
/^<!-- sample: .* -->$/ { directive = substr($0, 14, length($0) - 17); next }
/^<!-- not run: .* -->$/ { no_run = $0; next }
/^<!-- not compiled: .* -->$/ { reason = substr($0, 20, length($0) - 23); next }
/^```swift$/ && !inside { inside = 1; number++; line_count = 0; first = NR + 1; next }
/^```$/ && inside { inside = 0; emit(); directive = reason = no_run = ""; next }
inside {
    lines[++line_count] = $0
    # Swift 6.3.1 crashes on other statements at the top level, and in functions with a `for try await`.
    match($0, /^ */)
    if ($0 ~ /^ *} catch/) catches_some[RLENGTH] = $0 !~ /^ *} catch {/
    else if ($0 ~ /^ *}$/ && catches_some[RLENGTH]) fail("the last catch of a do catches everything")
    next
}
!/^$/ { if (directive != "" || reason != "" || no_run != "") fail("a block of Swift comes right after its comment") }
END {
    if (failed) exit 1
    if (inside) fail("the block has no end")
    close_unit()
}
