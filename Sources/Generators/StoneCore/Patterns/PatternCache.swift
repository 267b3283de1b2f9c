// SPDX-License-Identifier: Apache-2.0

/// The regular expressions of specs, each parsed once.
struct PatternCache: Sendable {
    private enum Entry: Sendable {
        case fault(String)
        /// Valid; without a program it is not matched.
        case valid(PatternProgram?)
    }

    private var entries: [String: Entry] = [:]
    /// How many instructions may still be looked at, for all texts together.
    private var budget = 20_000_000

    /// Why a pattern is no regular expression; nil if it is one.
    mutating func fault(in pattern: String) -> String? {
        guard case .fault(let fault) = entry(pattern) else { return nil }
        return fault
    }

    /// Whether a pattern is found at the beginning of a text.
    ///
    /// What cannot be found out, because the pattern is faulty, beyond automata or too much work, counts as yes.
    mutating func matches(_ text: String, _ pattern: String) -> Bool {
        guard case .valid(let program?) = entry(pattern), budget > 0 else { return true }
        var run = PatternRun(program, text, budget: budget)
        let found = run.matchesPrefix()
        budget = run.budget
        return found ?? true
    }

    private mutating func entry(_ pattern: String) -> Entry {
        if let known = entries[pattern] { return known }
        var parser = PatternParser(pattern)
        let entry: Entry
        do throws(PatternFault) {
            entry = .valid(PatternProgram(try parser.parse()))
        } catch {
            entry = .fault(error.message)
        }
        entries[pattern] = entry
        return entry
    }
}
