// SPDX-License-Identifier: Apache-2.0

import Foundation
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
                for statement in block.imports { #expect(text.contains("\n\(statement)\n"), "\(file): \(statement)") }
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

    @Test("the README's sample runs")
    func readmeRuns() async throws {
        try await readmeSample()
    }

    @Test("the articles' samples run")
    func articlesRun() async throws {
        try await ArticleSamples.run()
    }

    @Test("the sample on Combine runs")
    func combineRuns() async throws {
        try await CombineSamples.run()
    }

    @Test("the samples on models run")
    func modelsRun() async throws {
        try await ModelSamples.run()
    }

    @Test("the samples on several calls in one run")
    func manyRecordsRun() async throws {
        try await ManyRecordsSamples.run()
    }

    @Test("the samples on single records run")
    func recordsRun() async throws {
        try await RecordSamples.run()
    }

    @Test("the samples on bound values run")
    func bindingRuns() async throws {
        try await BindingSamples.run()
    }

    @Test("the samples on checked queries run")
    func queriesRun() async throws {
        try await QuerySamples.run()
    }

    @Test("the samples on bulk work and CSV run")
    func bulkRuns() async throws {
        try await BulkSamples.run()
    }

    @Test("the samples on events run")
    func eventsRun() async throws {
        try await EventSamples.run()
    }

    @Test("the samples on callbacks run")
    func callbacksRun() async throws {
        try await CallbackSamples.run()
    }

    @Test("the samples on connections run")
    func connectionsRun() async throws {
        try await ConnectionSamples.run()
    }

    @Test("the samples on the embedded org run")
    func orgRuns() async throws {
        try await OrgSamples.run()
    }

    @Test("the samples on graphs and GraphQL run")
    func graphsRun() async throws {
        try await GraphSamples.run()
    }

    @Test("the samples on descriptions run")
    func objectsRun() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("objects-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ObjectSamples.run(in: folder.path)
    }

    @Test("the samples on signing in run")
    func signingInRuns() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await SigningInSamples.run(in: folder.path)
        try await ExistingLoginSamples.run(in: "\(folder.path)/home")
    }
}
