// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Samples in the documentation")
@MainActor
struct SampleTests {
    private var root: URL {
        sequence(first: URL(fileURLWithPath: #filePath)) { $0.deletingLastPathComponent() }.dropFirst(4).first { _ in
            true
        }
            ?? URL(fileURLWithPath: "/")
    }

    @Test("the README's sample runs")
    func runs() async throws {
        try await readmeSample()
    }

    @Test("the README's sample is the one that is compiled")
    func isCurrent() throws {
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let sample = try #require(blocks.first { $0.hasPrefix("import LocalOrg") })
        let statements = sample.split(separator: "\n").filter { !$0.hasPrefix("import ") }
        let compiled = try String(
            contentsOf: root.appendingPathComponent("Tests/RestSDKTests/Samples/ReadmeSample.swift"), encoding: .utf8)
        let lines = Set(compiled.split(separator: "\n").map { $0.dropFirst(4) })
        #expect(!statements.isEmpty)
        for statement in statements { #expect(lines.contains(statement)) }
    }
}
