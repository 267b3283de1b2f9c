// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Prints the metrics of the areas on the command line, or by default the speed metrics of all areas.
///
/// With `--short`, each metric, including those of reliability, is measured once with little data, which only shows
/// that it works. `--runs N` makes complete runs and judges each metric by their median. `--json FILE` writes the
/// metrics. `compare A B` prints the changes between two such files, and `draw FILE DIRECTORY README` draws one.
@main
enum RestBenchmarks {
    private typealias Area = (name: String, run: @Sendable () async throws -> Void)

    private static let speed: [Area] = [
        ("json", jsonFigures),
        ("csv", csvFigures),
        ("transport", transportFigures),
        ("http2.speed", framedSpeedFigures),
        ("tls", resumptionFigures),
        ("command", commandFigures),
        ("pipeline", pipelineFigures),
        ("allocations", callAllocationFigures),
        ("records", recordFigures),
        ("growth.calls", callGrowthFigures),
        ("growth.records", recordGrowthFigures),
        ("stone", stoneFigures),
        ("dropbox", dropboxFigures),
        ("bulk", bulkFigures),
        ("org", orgFigures),
        ("events", eventFigures),
        ("sync", syncFigures),
    ]
    private static let trust: [Area] = [
        ("auth", authReliabilityFigures),
        ("delivery", pipelineReliabilityFigures),
        ("outcomes", interceptorFigures),
        ("http2", framedReliabilityFigures),
        ("responses", responseReliabilityFigures),
        ("auth.key", relinkingFigures),
        ("org.queries", orgQueryFigures),
        ("logins", loginFigures),
        ("hostile", hostileFigures),
        ("grammar", grammarFigures),
        ("json.differential", jsonDifferenceFigures),
        ("dropbox.kills", uploadKillFigures),
        ("dropbox.faults", transferFaultFigures),
        ("bulk.kills", bulkKillFigures),
        ("events.kills", eventKillFigures),
        ("events.faults", eventFaultFigures),
        ("sync.converges", syncConvergenceFigures),
        ("sync.kills", syncKillFigures),
        ("session.keys", sessionKeyFigures),
        ("files.full", fullDiskFigures),
    ]

    static func main() async throws {
        if let counter = AllocationCounter() { return try await counter.countCalls() }
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "reader": try await readRecords()
        case "listener": try await readEvents()
        case "compare": compare(Array(arguments.dropFirst()))
        case "draw": draw(Array(arguments.dropFirst()))
        case let area where FigureJournal.ofRun != nil:
            // The signal ends an area that waits forever.
            alarm(AreaProcess.limit)
            try await (speed + trust).first { $0.name == area }?.run()
        default: try bench(arguments)
        }
    }

    /// Runs the areas, prints the table of all metrics, and writes it as JSON.
    private static func bench(_ words: some Sequence<String>) throws {
        let all = (speed + trust).map(\.name)
        let arguments = orRefuse { try BenchArguments(words, known: all) }
        let usual = Extent.isShort ? all : speed.map(\.name)
        let areas = arguments.areas.isEmpty ? usual : arguments.areas
        let report = try BenchRun(areas: areas, runs: arguments.runs).perform()
        print("\n" + FigureTable(report: report).text)
        if let file = arguments.file { try report.write(to: file) }
        if !report.failedAreas.isEmpty { exit(1) }
    }

    /// Prints the changes between two files of metrics, and exits with 1 if a metric became short.
    private static func compare(_ files: [String]) {
        guard files.count == 2 else { refuse("compare needs two files that the bench wrote") }
        let reports = orRefuse { try files.map { try FigureReport(file: $0) } }
        let comparison = FigureComparison(reports[0], reports[1])
        print(comparison.text)
        if !comparison.names(.becameShort).isEmpty { exit(1) }
    }

    /// Draws a file of metrics: charts and tables in a directory, and a table in the README.
    private static func draw(_ words: [String]) {
        guard words.count == 3 else { refuse("draw needs a file that the bench wrote, a directory and a README") }
        orRefuse { try FigurePages(report: FigureReport(file: words[0])).write(to: words[1], readme: words[2]) }
    }

    private static func orRefuse<Value>(_ work: () throws -> Value) -> Value {
        do { return try work() } catch { refuse("\(error)") }
    }

    private static func refuse(_ message: String) -> Never {
        FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
        exit(2)
    }
}
