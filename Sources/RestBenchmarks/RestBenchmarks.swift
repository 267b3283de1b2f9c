// SPDX-License-Identifier: Apache-2.0

/// Prints the figures of the areas named on the command line; the speed figures of all areas when none is named.
///
/// With `--short` each figure is made once from little, the trust figures too: that shows that it works, and no more.
@main
enum RestBenchmarks {
    private typealias Area = (name: String, run: @Sendable () async throws -> Void)

    private static let speed: [Area] = [
        ("json", jsonFigures),
        ("csv", csvFigures),
        ("transport", transportFigures),
        ("command", commandFigures),
        ("pipeline", pipelineFigures),
        ("records", recordFigures),
        ("stone", stoneFigures),
        ("dropbox", dropboxFigures),
        ("bulk", bulkFigures),
        ("org", orgFigures),
    ]
    private static let trust: [Area] = [
        ("auth", authReliabilityFigures),
        ("delivery", pipelineReliabilityFigures),
        ("http2", framedReliabilityFigures),
        ("answers", answersReliabilityFigures),
        ("auth.key", relinkingFigures),
        ("org.slow", orgSlowFigures),
        ("org.queries", orgQueryFigures),
        ("org.hostile", orgHostileFigures),
        ("logins", loginFigures),
        ("hostile", hostileFigures),
        ("grammar", grammarFigures),
        ("json.differential", jsonDifferenceFigures),
        ("dropbox.kills", uploadKillFigures),
        ("dropbox.faults", transferFaultFigures),
        ("bulk.kills", bulkKillFigures),
        ("session.keys", sessionKeyFigures),
    ]

    static func main() async throws {
        guard CommandLine.arguments.dropFirst().first != "reader" else { return try await readRecords() }
        let wanted = CommandLine.arguments.dropFirst().filter { $0 != Extent.argument }
        let all = speed + trust
        let areas = wanted.isEmpty ? (Extent.isShort ? all : speed) : all.filter { wanted.contains($0.name) }
        guard areas.count != 1 else { return try await areas[0].run() }
        // Each in a process of its own, so that no area pays for the memory of another.
        let form = Extent.isShort ? [Extent.argument] : []
        for area in areas { try run(CommandLine.arguments[0], [area.name] + form, output: nil) }
    }
}
