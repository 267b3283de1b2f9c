// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@Suite("Samples in the documentation")
@MainActor
struct SampleTests {
    private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func files(in folder: String, suffix: String) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
        return paths.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }

    /// README and every article.
    private static func documents() throws -> [String] {
        try ["README.md"] + files(in: "docs", suffix: ".md")
    }

    @Test("every sample that runs here is a block of Swift in README or an article, as it stands there")
    func areBlocks() throws {
        let blocks = try Self.documents().flatMap { DocumentedSample.blocks(of: $0, in: try Self.text($0)) }
        var places: Set<String> = []
        for file in try Self.files(in: "Tests/RestSDKTests/Samples", suffix: ".swift") {
            let text = try Self.text(file)
            for region in DocumentedSample.regions(in: text) {
                #expect(places.insert(region.place).inserted, "two regions for \(region)")
                let block = try #require(blocks.first { $0.place == region.place }, "\(region)")
                #expect(region.lines == block.lines, "\(region)")
                // The file may import more of a module than the block does.
                for statement in block.imports {
                    #expect(
                        text.split(separator: "\n").contains { $0 == statement || $0.hasSuffix(" \(statement)") },
                        "\(file): \(statement)")
                }
            }
        }
        #expect(places.count >= 100)
    }

    @Test("a block that differs in one letter from what is compiled is found")
    func differences() {
        let document = "text\n```swift\nimport A\n\nlet x = 1\n\nif x {\n    y()\n}\n```\n"
        let source = "    // sample: D.md 1\n    let x = 1\n\n    if x {\n        y()\n    }\n    // end\n"
        let block = DocumentedSample.blocks(of: "D.md", in: document)
        #expect(block.map(\.lines) == DocumentedSample.regions(in: source).map(\.lines))
        #expect(block.map(\.place) == DocumentedSample.regions(in: source).map(\.place))
        let other = DocumentedSample.regions(in: source.replacingOccurrences(of: "y()", with: "z()"))
        #expect(block.map(\.lines) != other.map(\.lines))
    }

    /// The samples of one article or of several, and a way to run them in a folder of their own.
    struct Samples: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let run: @MainActor @Sendable (_ folder: String) async throws -> Void

        init(_ subject: String, _ run: @escaping @MainActor @Sendable (_ folder: String) async throws -> Void) {
            testDescription = subject
            self.run = run
        }
    }

    nonisolated static let samples = [
        Samples("the README") { _ in try await readmeSample() },
        Samples("the articles") { _ in try await ArticleSamples.run() },
        Samples("Combine") { _ in try await CombineSamples.run() },
        Samples("models") { _ in try await ModelSamples.run() },
        Samples("several calls in one") { _ in try await ManyRecordsSamples.run() },
        Samples("single records") { _ in try await RecordSamples.run() },
        Samples("bound values") { _ in try await BindingSamples.run() },
        Samples("checked queries") { _ in try await QuerySamples.run() },
        Samples("bulk work and CSV") { _ in try await BulkSamples.run() },
        Samples("events") { _ in try await EventSamples.run() },
        Samples("callbacks") { _ in try await CallbackSamples.run() },
        Samples("connections") { _ in try await ConnectionSamples.run() },
        Samples("the embedded org") { _ in try await OrgSamples.run() },
        Samples("graphs and GraphQL") { _ in try await GraphSamples.run() },
        Samples("descriptions") { try await ObjectSamples.run(in: $0) },
        Samples("signing in") { folder in
            try await SigningInSamples.run(in: folder)
            try await ExistingLoginSamples.run(in: "\(folder)/home")
        },
    ]

    @Test("the samples run", arguments: samples)
    func run(samples: Samples) async throws {
        let folder = try TemporaryFolder()
        try await samples.run(folder.path)
    }
}

/// One ```` ```swift ```` block of a document, or the region of a test that must equal it.
///
/// `.ci/user-package` compiles every block; the regions are those that the tests also run.
///
/// A region stands in a source file of this folder between `// sample: README.md 1` (the document, and which of its
/// blocks) and `// end`, indented as its surroundings need it.
struct DocumentedSample: Hashable, CustomStringConvertible {
    /// The document's path and the number of the block in it, from 1.
    let place: String
    /// The text without indentation, without leading imports and blank lines around.
    let lines: [String]
    /// The modules that the block imports.
    let imports: [String]

    var description: String { place }

    private init(place: String, lines: [String], indent: Int) {
        self.place = place
        let dedented = lines.map { String($0.dropFirst(min(indent, $0.prefix { $0 == " " }.count))) }
        let head = dedented.prefix { $0.hasPrefix("import ") || $0.isEmpty }
        imports = head.filter { !$0.isEmpty }
        self.lines = dedented.dropFirst(head.count).reversed().drop(while: \.isEmpty).reversed()
    }

    /// The blocks of a document.
    static func blocks(of document: String, in text: String) -> [DocumentedSample] {
        parts(of: text, from: { $0 == "```swift" }, to: "```").enumerated().map { position, part in
            DocumentedSample(place: "\(document) \(position + 1)", lines: part.lines, indent: 0)
        }
    }

    /// The regions of a source file.
    static func regions(in text: String) -> [DocumentedSample] {
        let marker = "// sample: "
        return parts(of: text, from: { $0.hasPrefix(marker) }, to: "// end").map { part in
            DocumentedSample(
                place: String(part.opening.dropFirst(marker.count)), lines: part.lines, indent: part.indent)
        }
    }

    private static func parts(
        of text: String, from isOpening: (String) -> Bool, to closing: String
    ) -> [(opening: String, indent: Int, lines: [String])] {
        var parts: [(opening: String, indent: Int, lines: [String])] = []
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if isOpen, trimmed == closing {
                isOpen = false
            } else if isOpen {
                parts[parts.count - 1].lines.append(line)
            } else if isOpening(trimmed) {
                parts.append((trimmed, line.prefix { $0 == " " }.count, []))
                isOpen = true
            }
        }
        return parts
    }
}
