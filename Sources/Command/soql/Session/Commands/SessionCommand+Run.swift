// SPDX-License-Identifier: Apache-2.0

import RestSDK
import SOQLCheck

extension SessionCommand {
    static let go = SessionCommand("g", "", "runs the statement, or the last one again") { session, call in
        try await session.run(try session.statement(for: call))
    }

    static let goExpanded = SessionCommand("gx", "", "the same, with a line for each value") { session, call in
        try await session.run(try session.statement(for: call), isExpanded: true)
    }

    static let watch = SessionCommand(
        "watch", "[SECONDS]", "runs the statement again and again, every 2 seconds or so often, until Control-C"
    ) { session, call in
        let word = try call.word(of: "watch")
        // bounded: here
        guard let seconds = word.map({ Double($0) }) ?? 2, (0.1...86_400).contains(seconds) else {
            throw UsageError("\\watch takes seconds from 0.1 to 86400, not '\(word ?? "")'")
        }
        let statement = try session.statement(for: call)
        while true {
            StandardOutput.note("\(SessionClock.now) (every \(word ?? "2") s)")
            try await session.run(statement)
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    static let explain = SessionCommand(
        "explain", "[QUERY]", "shows how the org would run the statement, or the last one", .query
    ) { session, call in
        let statement = try session.statement(for: call, in: call.line.rest)
        try await session.show(PlanDrawing(try await session.plans(of: statement)).text)
    }

    static let edit = SessionCommand(
        "e", "", "edits the statement, or the last one, in $VISUAL or $EDITOR; a whole one runs"
    ) { session, call in
        let text = try await EditorProgram.edit(call.statement?.written ?? session.lastStatement?.written ?? "")
        try await session.take(edited: text)
    }

    static let include = SessionCommand("i", "FILE", "runs the statements and commands of a file", .file) {
        session, call in
        guard let path = try call.word(of: "i") else { throw UsageError("\\i needs a file") }
        try await session.include(SessionFiles.expanded(path))
    }
}
