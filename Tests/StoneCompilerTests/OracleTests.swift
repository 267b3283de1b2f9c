// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoneCompiler

/// What Python's Stone understands of specs is what this one understands.
@Suite struct OracleTests {
    @Test func theNotesSpecMeansTheSame() throws {
        try compare(Specs.notes, least: 30)
    }

    @Test(.enabled(if: Specs.hasDropbox)) func theDropboxSpecMeansTheSame() throws {
        try compare(Specs.dropbox, least: 2_700)
    }

    private func compare(_ folder: URL, least: Int) throws {
        let expected = try StonePython.lines("dump_ir.py", Specs.files(in: folder).map(\.path))
        let found = SpecDump(api: try StoneAPI(compiling: Specs.sources(in: folder))).lines
        #expect(expected.count >= least)
        #expect(expected.count == found.count)
        for (expected, found) in zip(expected, found) {
            #expect(expected == found)
        }
    }
}

/// The specs of Stone's own tests, with the verdicts of Python's Stone.
///
/// Examples, redactions and annotation types are passed, so a fault in them is not found.
@Suite struct StoneSuiteTests {
    struct Case: Decodable, CustomStringConvertible {
        let specs: [[String]]
        let parserOnly: Bool
        let accepted: Bool
        let message: String?
        let line: Int?
        let file: String?

        var description: String {
            "\(message ?? "accepted") (line \(line ?? 0))\n" + specs.map { $0[1] }.joined(separator: "\n----\n")
        }

        var sources: [StoneSource] { specs.map { StoneSource(path: $0[0], text: $0[1]) } }

        /// Whether the fault is in what this compiler passes: examples, redactions and annotation types.
        var isPassed: Bool {
            [
                "xample", "edactor", "Unexpected BOOLEAN", "Parameter 's' must", "parameters of annotation types",
                "either positional or keyword",
            ].contains { message?.contains($0) == true }
        }

        /// The faults that we find; of the parser alone where only that was tried.
        var faults: [StoneDiagnostic] {
            if !parserOnly { return Specs.faults(specs.map { ($0[0], $0[1]) }) }
            let files = sources.map { SourceLines($0) }
            var all = Diagnostics()
            for (index, source) in sources.enumerated() {
                var parser = Parser(source, file: index)
                _ = parser.parse()
                all.add(parser.diagnostics)
            }
            return all.error(in: files)?.diagnostics ?? []
        }
    }

    static func cases() throws -> [Case] {
        try JSONDecoder().decode([Case].self, from: Data(contentsOf: StonePython.suite))
    }

    @Test func everyVerdictIsTheSame() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 250)
        for each in cases {
            let faults = each.faults
            #expect(faults.isEmpty == (each.accepted || each.isPassed), "\(each)\nours: \(faults.map(\.description))")
        }
    }

    @Test func faultsStandWhereStoneSeesThem() throws {
        let refused = try Self.cases().filter { !$0.accepted && !$0.isPassed && $0.line != nil }
        #expect(refused.count >= 85)
        for each in refused {
            let lines = each.faults.map(\.line)
            #expect(lines.contains(each.line ?? 0), "\(each)\nours: \(each.faults.map(\.description))")
        }
    }
}
