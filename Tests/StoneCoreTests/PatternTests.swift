// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoneCore

/// Regular expressions and timestamps of specs are checked as Python does it.
@Suite struct PatternTests {
    @Test(
        arguments: [
            ("^a+b?$", "aab", true), ("^a+b?$", "b", false), ("a", "ab", true), ("b", "ab", false), ("a$", "a\n", true),
            ("a\\Z", "a\n", false), ("(ab|cd){2}", "abcd", true), ("(ab|cd){2,3}$", "ab", false), ("[^/]*", "", true),
            ("[a-c\\d_-]+$", "b3_-", true), ("[]x]+$", "]x", true), ("(?:\\.|x)\\w", ".é", true), (".*", "\n", true),
            (".+", "\n", false), ("\\bfoo\\b", "foo bar", true), ("\\bfoo\\b", "food", false), ("a{,2}$", "aaa", false),
            ("a{x", "a{x", true), ("\\x41\\u0042", "AB", true), ("(?P<n>a)(?=b)", "c", true), ("x*?y", "xxy", true),
            ("\\S\\s\\D\\W", "a b!", true), ("()*", "", true),
        ] as [(String, String, Bool)])
    func aPatternIsFoundAtTheBeginning(_ pattern: String, _ text: String, _ isFound: Bool) {
        var patterns = PatternCache()
        let (fault, found) = (patterns.fault(in: pattern), patterns.matches(text, pattern))
        #expect(fault == nil)
        #expect(found == isFound)
    }

    @Test(arguments: [
        "[", "(", ")", "*a", "a**", "a{3,2}", "[b-a]", "\\", "\\q", "(?<x)", "(?P<n>a)(?P<n>b)", "\\2", "(?y)",
        "[a-\\d]",
        "^*", "\\x4", String(repeating: "(", count: 1_000),
    ])
    func aFaultyPatternIsRefused(_ pattern: String) {
        var patterns = PatternCache()
        let fault = patterns.fault(in: pattern)
        #expect(fault != nil)
    }

    @Test func patternsThatExplodeElsewhereEndSoon() {
        var patterns = PatternCache()
        let nested = patterns.matches(String(repeating: "a", count: 5_000) + "!", "(a|aa|a?)*(a*)*$")
        let tooLarge = patterns.matches("x", "((a{900}){900}){900}")
        let stars = patterns.matches("b", "(((((a*)*)*)*)*)*c{0,9}$")
        #expect(!nested && tooLarge && !stars)
    }

    @Test(
        arguments: [
            ("%Y-%m-%dT%H:%M:%SZ", "2026-02-28T23:59:59Z", true), ("%Y-%m-%dT%H:%M:%SZ", "2026-02-28T24:00:00Z", false),
            ("%Y-%m-%d", "2024-2-9", true), ("%Y-%m-%d", "2023-02-29", false), ("%Y-%m-%d", "0000-01-01", false),
            ("%a, %d %b %Y %H:%M:%S %z", "Sat, 21 Aug 2010 22:31:20 +0000", true), ("%H:%M:%S.%f", "1:2:3.25", true),
            ("%d%m", "0102", true), ("%d%m", "1", false), ("%Y", "20260", false), ("%I %p", "12 pm", true),
            ("%%", "%", true),
            ("%q", "q", false), ("%", "", false), ("%z", "+01:30", true), ("%z", "+0", false),
            ("%A %B", "MONDAY may", true),
        ] as [(String, String, Bool)])
    func aTimestampIsWrittenInItsFormat(_ format: String, _ text: String, _ fits: Bool) {
        #expect((TimestampFormat(format).problem(with: text) == nil) == fits)
    }
}
