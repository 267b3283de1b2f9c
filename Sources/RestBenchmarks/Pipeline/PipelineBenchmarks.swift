// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalOrg

/// Small calls beside bare ones; then reading 200,000 records in pages through the whole client, beside
/// simple-salesforce's iterator, and the memory it takes.
func pipelineFigures() async throws {
    try await pipelineSpeedFigures()
    try await pipelineStepFigures()
    let most = extent(2_000_000, short: 2_000)
    let org = try await LocalOrg.start(LocalOrgConfiguration(records: most))
    let environment = ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken]
    let (few, columns) = (extent(200_000, short: 500), "Id, Name, Industry, Phone, AnnualRevenue")
    let query = "SELECT \(columns) FROM Account LIMIT \(few)"

    func read(_ kind: String, _ query: String) throws -> ReaderOutcome {
        let program = CommandLine.arguments[0]
        return try ReaderOutcome(of: try output(program, ["reader", kind, query], environment: environment))
    }
    if let python = PythonPeer() {
        try await Pairs(11) {
            _ = try python.read(query, environment: environment)
        } ours: {
            _ = try read("records", query)
        }.figure("pipeline.records.simple-salesforce", atLeast: 8).print()
        try await Pairs(11) {
            _ = try python.read(query, environment: environment)
        } ours: {
            _ = try read("typed", query)
        }.figure("pipeline.typed.simple-salesforce", atLeast: 5).print()
    } else {
        Figure.absent("pipeline.records.simple-salesforce", peer: "simple-salesforce")
        Figure.absent("pipeline.typed.simple-salesforce", peer: "simple-salesforce")
    }
    let short = try (0..<readerRuns).map { _ in try read("records", query) }
    let long = try (0..<readerRuns).map { _ in try read("records", "SELECT \(columns) FROM Account LIMIT \(most)") }
    let (shortPeak, longPeak) = (short.median(of: \.peakMemory), long.median(of: \.peakMemory))
    Figure(
        name: "pipeline.records.rate", value: short.median(of: \.thousandsPerSecond), unit: "k/s",
        note: "median of \(readerRuns) runs"
    ).print()
    Figure(
        name: "pipeline.records.memory", value: Double(longPeak) / 1_048_576, unit: "MiB", relation: .atMost,
        bound: 40, note: "\(long[0].records) records, median of \(readerRuns) runs"
    ).print()
    Figure(
        name: "pipeline.records.memory-growth", value: Double(longPeak) / Double(shortPeak), unit: "x",
        relation: .atMost, bound: 1.05,
        note: "\(long[0].records) records against \(short[0].records), medians of \(readerRuns) runs each"
    ).print()
    await org.stop()
}

/// Peaks and rates of one program differ from run to run by more than what is measured.
private let readerRuns = extent(5, short: 1)

/// What a reading process said when it ended.
private struct ReaderOutcome {
    let records: Int
    let seconds: Double
    let peakMemory: Int

    var thousandsPerSecond: Double { Double(records) / seconds / 1_000 }

    init(of line: String) throws {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let records = Int(words[0]), let seconds = Double(words[1]), let memory = Int(words[2])
        else { throw CommandFailed(command: "reader: \(line)", status: 1) }
        (self.records, self.seconds, peakMemory) = (records, seconds, memory)
    }
}

extension [ReaderOutcome] {
    fileprivate func median<Value: Comparable>(of value: (ReaderOutcome) -> Value) -> Value {
        map(value).sorted()[count / 2]
    }
}

/// The Python package simple-salesforce, reading the same query with its iterator.
private struct PythonPeer {
    private let program: String

    /// `nil` when Python or the package is not installed.
    init?() {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let programs = path.split(separator: ":").map { "\($0)/python3" }
        guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }),
            (try? run(program, ["-c", "import simple_salesforce"])) != nil
        else { return nil }
        self.program = program
    }

    func read(_ query: String, environment: [String: String]) throws -> String {
        try output(program, ["-c", Self.script, query], environment: environment)
    }

    /// The package forces https; the adapter sends its requests to the org all the same.
    private static let script = """
        import os, sys, requests
        from simple_salesforce import Salesforce
        url = os.environ["SF_INSTANCE_URL"]
        class Loopback(requests.adapters.HTTPAdapter):
            def send(self, request, **kw):
                request.url = url + "/" + request.url.split("/", 3)[3]
                return super().send(request, **kw)
        session = requests.Session()
        session.mount("https://", Loopback())
        sf = Salesforce(instance="localhost", session_id=os.environ["SF_ACCESS_TOKEN"], session=session)
        print(sum(1 for record in sf.query_all_iter(sys.argv[1]) if record["Name"] is not None))
        """
}
