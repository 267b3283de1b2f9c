// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoneCompiler

/// All errors are found at their positions in one run, with advice.
@Suite struct ErrorTests {
    @Test func aFaultIsPrintedWithItsLineAndACaret() {
        let faults = Specs.faults("struct A\n    \"é\" # x\n    name Strin\n")
        #expect(
            faults.map(\.description) == [
                """
                test.stone:4:10: error: unknown type 'Strin'; define it or correct the name
                    name Strin
                         ^
                """
            ])
    }

    @Test func aColumnCountsCharactersAndACaretKeepsTabs() {
        let faults = Specs.faults("struct A\n    a String\n\n    example ä\n    b\t&String\n")
        #expect(faults.map(\.line).first == 5)
        let tabbed = Specs.faults("route a\t&(Void, Void, Void)\n")
        #expect(tabbed.first?.column == 9)
        #expect(tabbed.first?.description.hasSuffix("\nroute a\t&(Void, Void, Void)\n       \t^") == true)
    }

    /// Each stage reports all of its errors in file order, without errors that result from an earlier one.
    @Test(arguments: [
        // Syntax.
        ("struct A\n    a Nope\nfoo bar\n", "struct B extends B\n   bad\n", ["one:4:1", "two:3:4"]),
        ("struct A\n    \"x\" \"y\"\nstruct C\n    a String 5\n", "", ["one:3:9", "one:5:14"]),
        // Definitions.
        ("alias A = B\nalias A = String\n", "patch struct P\n    a Nope\n", ["one:3:7", "two:2:14"]),
        // Aliases and parents.
        ("alias A = Nope\nstruct S\n    a A\n", "struct B extends B\n    c Nope\n", ["one:2:11", "two:2:18"]),
        // Fields and tags.
        ("struct A\n    a Nope\n    a String\n", "union U\n    other\n", ["one:3:7", "two:3:5"]),
        // Further rules.
        (
            "struct A\n    a String\n    a String = 5\n", "route r (Void, Nope, Void)\n",
            ["one:4:5", "one:4:5", "two:2:16"]
        ),
    ])
    func allFaultsOfAStageAreToldInOrder(_ first: String, _ second: String, _ places: [String]) {
        let faults = Specs.faults([("one", "namespace one\n" + first), ("two", "namespace two\n" + second)])
        #expect(faults.map { "\($0.file):\($0.line):\($0.column)" } == places, "\(faults)")
    }

    @Test func whatExtendsAMemberOfACycleIsNotAtFault() {
        let faults = Specs.faults("struct A extends A\n    \"x\"\nstruct B extends A\n    \"x\"\n")
        #expect(faults.map(\.line) == [2])
        let unions = Specs.faults("union U extends V\n    a\nunion V extends U\n    b\nunion W extends V\n    c\n")
        #expect(unions.map(\.line) == [2, 4])
    }

    @Test func controlCharactersAreNotPrinted() {
        let faults = Specs.faults("alias A = Nope # \u{1B}[2J\u{7}\u{85}\n")
        #expect(faults.first?.description.contains("# \u{FFFD}[2J\u{FFFD}\u{FFFD}\n") == true)
    }

    @Test func aFaultyFieldHidesNoneBehindIt() {
        let faults = Specs.faults(
            """
            struct A
                union String
                b String = = 3
                c Nope
                d String
                    "one" 5
                    "two"
                e Nope
                example default
                    b = "x"
            union U
                a
                    b
                c Nope
            """)
        #expect(faults.map(\.line).contains(4) && faults.map(\.line).contains(7) && faults.map(\.line).contains(14))
    }

    @Test(arguments: ErrorCase.all) func theFaultIsFound(_ each: ErrorCase) {
        let faults = Specs.faults(each.text)
        #expect(faults.map { "\($0.line):\($0.column)" } == [each.place], "\(faults.map(\.description))")
        #expect(faults.first?.message.contains(each.message) == true, "\(faults.map(\.description))")
    }

    @Test func aFileWithoutNamespaceIsAFaultUnlessItIsEmpty() {
        #expect(Specs.faults([("a.stone", "struct A\n    \"x\"\n")]).first?.message.contains("namespace") == true)
        #expect(Specs.faults([("a.stone", ""), ("b.stone", "\n# nothing\n")]).isEmpty)
    }

    @Test func namespacesThatImportEachOtherAreAFaultButLongerRingsAreNot() {
        let two = [("a", "namespace a\nimport b\n"), ("b", "namespace b\nimport a\n")]
        #expect(Specs.faults(two).map(\.file) == ["b"])
        let three = [
            ("a", "namespace a\nimport b\n"), ("b", "namespace b\nimport c\n"), ("c", "namespace c\nimport a\n"),
        ]
        #expect(Specs.faults(three).isEmpty)
    }

    @Test func theRouteSchemaIsChecked() {
        let schema = "namespace stone_cfg\nstruct Route\n    auth String\n    level Int32?\n"
        let faults = Specs.faults([
            ("cfg", schema),
            ("a", "namespace a\nroute r (Void, Void, Void)\n    attrs\n        level = \"x\"\n        b = 1\n"),
        ])
        #expect(faults.map(\.line) == [2, 4, 5])
        let more = Specs.faults([("cfg", schema + "struct More\n    \"x\"\nroute r (Void, Void, Void)\n")])
        #expect(more.map(\.line) == [5, 7])
    }
}

/// A spec with one error, whose text begins on line 2.
struct ErrorCase: Sendable, CustomTestStringConvertible {
    let text: String
    let place: String
    let message: String

    var testDescription: String { message }

    init(_ text: String, _ place: String, _ message: String) {
        self.text = text
        self.place = place
        self.message = message
    }

    static let all: [ErrorCase] = lexical + definitions + types + members + values + docs

    static let lexical = [
        ErrorCase("struct A\n\ta String\n", "3:1", "tab"),
        ErrorCase("struct A\n    \"x\"\n   # fine\n  b String\n", "5:3", "divisible by 4"),
        ErrorCase("struct A\n    a String(\n    min_length=1)\n", "4:5", "one level more"),
        ErrorCase("alias A = String & \n", "2:18", "'&'"),
        ErrorCase("union* U\n    a\n", "2:6", "union_closed"),
        ErrorCase("alias A = String(pattern=\"x\n", "2:26", "closing quotation mark"),
        ErrorCase("alias A = Int32(min_value=\(String(repeating: "9", count: 50)))\n", "2:27", "128 bits"),
        ErrorCase("alias A = Float64(min_value=1e999)\n", "2:29", "too large"),
    ]

    static let definitions = [
        ErrorCase("alias struct = String\n", "2:7", "keyword"),
        ErrorCase("struct A\nstruct B\n    \"x\"\n", "3:1", "body"),
        ErrorCase("namespace again\n", "2:1", "only one"),
        ErrorCase("import test\n", "2:8", "itself"),
        ErrorCase("import nowhere\n", "2:8", "no file defines"),
        ErrorCase("struct A\n    \"x\"\nunion A\n    a\n", "4:7", "already defined (test.stone:2)"),
        ErrorCase("struct Some_A\n    \"x\"\nalias somea = String\n", "4:7", "too similar"),
        ErrorCase("struct Test\n    \"x\"\n", "2:8", "namespace"),
        ErrorCase("struct String\n    \"x\"\n", "2:8", "built-in type"),
        ErrorCase("annotation_type Preview\n    \"x\"\n", "2:17", "built-in annotation type"),
        ErrorCase("route r (Void, Void, Void)\nroute r:1 (Void, Void, Void)\n", "3:7", "already has a version 1"),
        ErrorCase("route r:0 (Void, Void, Void)\n", "2:9", "from 1"),
        ErrorCase("route r (Void, Void, Void) deprecated by s\n", "2:42", "no route 's'"),
        ErrorCase("patch struct A\n    a String\n", "2:14", "to patch"),
        ErrorCase("struct A\n    a String\npatch union A\n    b\n", "4:1", "same kind"),
        ErrorCase("struct A\n    a String\npatch struct A\n    a String\n", "5:5", "only add"),
        ErrorCase("annotation A = Omitted()\n", "2:12", "caller"),
        ErrorCase("annotation A = Nope()\n", "2:16", "unknown annotation type"),
    ]

    static let types = [
        ErrorCase("alias A = Int32(min_value=5, max_value=4)\n", "2:11", "no value"),
        ErrorCase("alias A = UInt32(min_value=-1)\n", "2:18", "between 0"),
        ErrorCase("alias A = Int64(max_value=9223372036854775808)\n", "2:17", "9223372036854775807"),
        ErrorCase("alias A = String(max_length=true)\n", "2:18", "whole number"),
        ErrorCase("alias A = String(length=1)\n", "2:18", "no argument 'length'"),
        ErrorCase("alias A = String(1)\n", "2:18", "too many"),
        ErrorCase("alias A = String(min_length=1, min_length=2)\n", "2:32", "twice"),
        ErrorCase("alias A = Timestamp\n", "2:11", "needs an argument"),
        ErrorCase("alias A = List(\"x\")\n", "2:16", "type of the elements"),
        ErrorCase("alias A = Map(Int32, String)\n", "2:15", "String"),
        ErrorCase("alias A = Void?\n", "2:11", "Void"),
        ErrorCase("alias A = B\nalias B = String?\nalias C = A?\n", "4:11", "already nullable"),
        ErrorCase("alias A = other.B\n", "2:11", "not imported"),
        ErrorCase("struct A\n    \"x\"\nalias B = A(min=1)\n", "4:13", "only built-in types"),
        ErrorCase("route r (Void, Void, Void)\nalias B = r\n", "3:11", "is a route"),
        ErrorCase("alias A = List(A)\n", "2:7", "refers to itself"),
    ]

    static let members = [
        ErrorCase("struct A\n    a String\n    a String\n", "4:5", "already defined"),
        ErrorCase("struct A\n    a String\nstruct B extends A\n    a Int32\n", "5:5", "hides a field of 'A'"),
        ErrorCase("struct A extends A\n    \"x\"\n", "2:18", "extends itself"),
        ErrorCase("struct A extends B\n    \"x\"\nalias B = A\n", "2:18", "alias"),
        ErrorCase("struct A extends B?\n    \"x\"\nstruct B\n    \"x\"\n", "2:10", "nullable"),
        ErrorCase("struct A extends B\n    \"x\"\nunion B\n    x\n", "2:18", "only extend a struct"),
        ErrorCase("struct A\n    a\n", "3:5", "other than Void"),
        ErrorCase("union A\n    a Void\n", "3:7", "without a type"),
        ErrorCase("union A\n    a\nunion_closed B extends A\n    b\n", "4:1", "open"),
        ErrorCase("union A\n    other\n", "3:5", "unknown values"),
        ErrorCase("struct A\n    union\n        b B\n    a String\nstruct B\n    \"x\"\n", "4:11", "must extend"),
        ErrorCase(
            "struct A\n    union\n        b B\nstruct B extends A\n    \"x\"\nstruct C extends A\n    \"x\"\n", "2:1",
            "add 'C'"),
        ErrorCase(
            "struct A\n    union\n        b B\nstruct B extends A\n    \"x\"\nstruct C extends B\n    \"x\"\n", "5:1",
            "cannot be extended"),
        ErrorCase("struct A\n    union\n        b B\n    b String\nstruct B extends A\n    \"x\"\n", "5:5", "tag"),
        ErrorCase("annotation O = Deprecated()\nalias A = String\n    @O\n", "3:7", "an alias cannot be"),
        ErrorCase(
            "annotation O = Deprecated()\nannotation P = Preview()\nstruct A\n    a String\n        @O\n        @P\n",
            "5:5",
            "Deprecated or Preview"),
    ]

    static let values = [
        ErrorCase("struct A\n    a Int32 = 2147483648\n", "3:5", "greater than 2147483647"),
        ErrorCase("struct A\n    a Boolean = 1\n", "3:5", "true or false"),
        ErrorCase("struct A\n    a String? = \"x\"\n", "3:5", "nullable"),
        ErrorCase("struct A\n    a U = c\nunion U\n    b\n", "3:5", "no 'c'"),
        ErrorCase("struct A\n    a U = b\nunion U\n    b String\n", "3:5", "without payload"),
        ErrorCase("struct A\n    a List(String) = \"y\"\n", "3:5", "primitive"),
    ]

    static let docs = [
        ErrorCase("struct A\n    \"First line,\n    then :type:`Nope`.\"\n", "4:10", "unknown type 'Nope'"),
        ErrorCase("struct A\n    \"See :field:`b`.\"\n", "3:10", "no field 'b'"),
        ErrorCase("struct A\n    \"See :route:`b`.\"\n", "3:10", "unknown route 'b'"),
        ErrorCase("route r (Void, Void, Void)\n    \"See :route:`r:2`.\"\n", "3:10", "no version 2"),
        ErrorCase("struct A\n    \"See :link:`title`.\"\n", "3:10", "is not a link"),
        ErrorCase("struct A\n    \"See :val:`nope`.\"\n", "3:10", "not a literal"),
        ErrorCase("struct A\n    \"See :what:`nope`.\"\n", "3:10", "unknown reference ':what:'"),
        ErrorCase("route r (Void, Void, Void)\n    \"See :field:`a`.\"\n", "3:10", "needs a type"),
    ]
}
