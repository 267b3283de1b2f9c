// SPDX-License-Identifier: Apache-2.0

/// Prints the figures of the areas named on the command line; the speed figures of all areas when none is named.
@main
enum RestBenchmarks {
    private typealias Area = (name: String, run: @Sendable () async throws -> Void)

    private static let speed: [Area] = [
        ("json", jsonFigures),
        ("transport", transportFigures),
        ("command", commandFigures),
        ("pipeline", pipelineFigures),
    ]
    private static let trust: [Area] = [("auth", authReliabilityFigures)]

    static func main() async throws {
        guard CommandLine.arguments.dropFirst().first != "reader" else { return try await readRecords() }
        let wanted = CommandLine.arguments.dropFirst()
        for area in wanted.isEmpty ? speed : (speed + trust).filter({ wanted.contains($0.name) }) {
            try await area.run()
        }
    }
}
