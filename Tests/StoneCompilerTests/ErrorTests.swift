// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoneCompiler

/// Faults are found where they are, all in one run, and say what to do.
@Suite struct ErrorTests {
    @Test func aFaultIsPrintedWithItsLineAndACaret() {
        let faults = Specs.faults("struct A\n    \"é\" # x\n    name Strin\n")
        #expect(
            faults.map(\.description) == [
                """
                test.stone:4:10: error: There is no type 'Strin'; define it or correct the name.
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

    @Test func allFaultsOfAllFilesAreToldInOrder() {
        let first =
            "namespace one\nstruct A\n    a Nope\n    a String\n    b Int32(min_value=\"x\")\nimport two\nfoo bar\n"
        let second = "namespace two\nstruct B extends B\n    c String = 5\nunion U\n    other\n   bad\n"
        let faults = Specs.faults([("one.stone", first), ("two.stone", second)])
        #expect(
            faults.map { "\($0.file):\($0.line):\($0.column)" } == [
                "one.stone:3:7", "one.stone:4:5", "one.stone:5:13", "one.stone:7:1", "two.stone:2:18", "two.stone:3:5",
                "two.stone:5:5", "two.stone:6:4",
            ])
    }

    @Test func aBrokenDefinitionHidesNoneBehindItAndBlamesNobody() {
        let faults = Specs.faults(
            """
            struct Broken
                "Text" "again"
                a String
            struct User
                broken Broken
                other Nope
            route r (Broken, Void, Void)
                "See :type:`Broken` and :field:`Broken.a`."
            """)
        #expect(faults.map { "\($0.line):\($0.column)" } == ["3:12", "7:11"])
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
        #expect(faults.map(\.line).contains(5) && faults.map(\.line).contains(9) && faults.map(\.line).contains(15))
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
