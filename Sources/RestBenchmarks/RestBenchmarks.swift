// SPDX-License-Identifier: Apache-2.0

/// Prints the speed figures of the areas named on the command line, or of all of them.
@main
enum RestBenchmarks {
    private static let areas: [(name: String, run: @Sendable () async throws -> Void)] = [
        ("json", jsonFigures),
        ("transport", transportFigures),
        ("command", commandFigures),
        ("pipeline", pipelineFigures),
    ]

    static func main() async throws {
        guard CommandLine.arguments.dropFirst().first != "reader" else { return try await readRecords() }
        let wanted = CommandLine.arguments.dropFirst()
        for area in areas where wanted.isEmpty || wanted.contains(area.name) {
            try await area.run()
        }
    }
}
