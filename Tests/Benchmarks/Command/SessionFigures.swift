// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTesting
import RestTransport
import Terminals

/// Measures the time to a session's prompt, and the time to a key's echo while it loads the names of a large org.
func sessionFigures() async throws {
    let stage = try SessionStage()
    defer { stage.close() }
    // No server listens, because the prompt must not wait for an org.
    let absent = ["SF_INSTANCE_URL": "http://127.0.0.1:\(try Socket.portForLater())", "SF_ACCESS_TOKEN": "x"]
    try startFigure("session.start", try starts { try stage.start(absent) })
    try startFigure("session.start.embedded", try starts { try stage.start([:], ["--sample"]) })
    try await echoFigure(stage)
}

/// Returns the milliseconds from the program's start to its prompt, sorted.
private func starts(_ start: () throws -> TerminalSession) throws -> [Double] {
    try (0..<extent(31, short: 1)).map { _ in
        let clock = ContinuousClock()
        let begin = clock.now
        let session = try start()
        try session.wait(for: "=> ")
        let time = clock.now - begin
        session.type("\u{4}")
        session.finish()
        return time / .milliseconds(1)
    }.sorted()
}

private func startFigure(_ name: String, _ times: [Double]) throws {
    Figure(
        name: name, value: times[times.count / 2], unit: "ms", relation: .atMost, bound: 50,
        note: "median of \(times.count), worst \(rounded(times.last ?? 0)) ms"
    ).print()
}

/// Measures the time from a key to its echo while a list of 100,000 objects arrives and is parsed.
private func echoFigure(_ stage: SessionStage) async throws {
    let count = extent(100_000, short: 1_000)
    let objects = (0..<count).map { #"{"name":"Object\#($0)__c","label":"Object \#($0)","queryable":true}"# }
    let response = #"{"encoding":"UTF-8","maxBatchSize":200,"sobjects":[\#(objects.joined(separator: ","))]}"#
    let json = [("Content-Type", "application/json")]
    let server = try ScriptServer([.readRequest, .hold, .respond(fields: json, response)])
    let session = try stage.start(["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"])
    try session.wait(for: "=> ")
    await server.wait { !$0.requests.isEmpty }
    server.proceed()
    var times: [Double] = []
    let clock = ContinuousClock()
    for number in 0..<extent(600, short: 20) {
        if number % 60 == 59 { session.type("\u{15}") }
        session.takeWhatIsThere()
        let (before, begin) = (session.count, clock.now)
        session.type("a")
        while session.count == before {
            guard session.takeOutput(within: 5_000) else { throw CommandFailed(command: "soql", status: -1) }
        }
        times.append((clock.now - begin) / .milliseconds(1))
        try await Task.sleep(for: .milliseconds(2))
    }
    session.type("\u{15}\u{4}")
    session.finish()
    let sent = await server.stop().connections.map(\.sentBytes).max() ?? 0
    guard sent > response.utf8.count else { throw CommandFailed(command: "soql", status: -1) }
    times.sort()
    Figure(
        name: "session.echo", value: times[times.count * 99 / 100], unit: "ms", relation: .atMost, bound: 16,
        note: "p99 of \(times.count) keys, worst \(rounded(times.last ?? 0)) ms, while \(count) objects are read"
    ).print()
}
