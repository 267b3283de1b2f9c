// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Prints the figures of the areas named on the command line; the speed figures of all areas when none is named.
///
/// With `--short` each figure is made once from little, the trust figures too: that shows that it works, and no more.
/// `--runs N` makes whole runs and judges each figure by their median; `--json FILE` writes the figures.
/// `compare A B` tells what changed between two such files.
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
        ("records", recordFigures),
        ("growth.calls", callGrowthFigures),
        ("growth.records", recordGrowthFigures),
        ("stone", stoneFigures),
        ("dropbox", dropboxFigures),
        ("bulk", bulkFigures),
        ("org", orgFigures),
    ]
    private static let trust: [Area] = [
        ("auth", authReliabilityFigures),
        ("delivery", pipelineReliabilityFigures),
        ("outcomes", interceptorFigures),
        ("http2", framedReliabilityFigures),
        ("answers", answersReliabilityFigures),
        ("auth.key", relinkingFigures),
        ("org.queries", orgQueryFigures),
        ("logins", loginFigures),
        ("hostile", hostileFigures),
        ("grammar", grammarFigures),
        ("json.differential", jsonDifferenceFigures),
        ("dropbox.kills", uploadKillFigures),
        ("dropbox.faults", transferFaultFigures),
        ("bulk.kills", bulkKillFigures),
        ("session.keys", sessionKeyFigures),
        ("files.full", fullDiskFigures),
    ]

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "reader": try await readRecords()
        case "compare": compare(Array(arguments.dropFirst()))
        case let area where FigureJournal.ofRun != nil:
            // The signal ends an area that waits for ever.
            alarm(AreaProcess.limit)
            try await (speed + trust).first { $0.name == area }?.run()
        default: try bench(arguments)
        }
    }

    /// Runs the areas, prints the table of all figures, and writes it as JSON.
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

    /// Prints what changed from one file of figures to another; ends with 1 when a figure became short.
    private static func compare(_ files: [String]) {
        guard files.count == 2 else { refuse("compare needs two files that the bench wrote") }
        let reports = orRefuse { try files.map { try FigureReport(file: $0) } }
        let comparison = FigureComparison(reports[0], reports[1])
        print(comparison.text)
        if !comparison.names(.becameShort).isEmpty { exit(1) }
    }

    private static func orRefuse<Value>(_ work: () throws -> Value) -> Value {
        do { return try work() } catch { refuse("\(error)") }
    }

    private static func refuse(_ message: String) -> Never {
        FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
        exit(2)
    }
}
