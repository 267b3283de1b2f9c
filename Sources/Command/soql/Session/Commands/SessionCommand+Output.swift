// SPDX-License-Identifier: Apache-2.0

extension SessionCommand {
    /// How results are shown, and where.
    static let output = [expanded, format, destination, timing]

    private static let expanded = SessionCommand(
        "x", "[on|off|auto]", "a line for each value: always, never, or when rows do not fit", .choice(expansions)
    ) { session, call in
        let word = try call.word(of: "x") ?? (session.output.expanded == .on ? "off" : "on")
        guard let expanded = Expansion(rawValue: word) else {
            throw UsageError("\\x takes \(expansions.joined(separator: ", ")), not '\(word)'", near: word, expansions)
        }
        session.output.expanded = expanded
        StandardOutput.note("Expanded display is \(expanded.rawValue).")
    }

    private static let timing = SessionCommand(
        "timing", "[on|off]", "tells how long each query takes", .choice(["on", "off"])
    ) { session, call in
        session.isTiming = try call.isOn(else: !session.isTiming, of: "timing")
        StandardOutput.note("Timing is \(session.isTiming ? "on" : "off").")
    }

    private static let expansions = Expansion.allCases.map(\.rawValue)
    private static let formats = OutputFormat.allCases.map(\.rawValue)

    private static let format = SessionCommand(
        "format", "[FORMAT]", "the format of results: \(formats.joined(separator: ", "))", .choice(formats)
    ) { session, call in
        if let word = try call.word(of: "format") {
            guard let format = OutputFormat(rawValue: word) else {
                throw UsageError(
                    "there is no format '\(word)': use \(formats.joined(separator: ", "))", near: word, formats)
            }
            session.output.format = format
        }
        StandardOutput.note("The format is \(session.output.format?.rawValue ?? "table").")
    }

    private static let destination = SessionCommand(
        "o", "[FILE]", "writes results to a file, which is whole at the next \\o or at the end", .file
    ) { session, call in
        try await session.send(to: try call.word(of: "o").map(SessionFiles.expanded))
    }
}

extension SessionCommand.Call {
    /// Whether a switch is on now.
    fileprivate func isOn(else other: Bool, of command: String) throws(UsageError) -> Bool {
        switch try word(of: command) {
        case "on": true
        case "off": false
        case nil: other
        case let word?: throw UsageError("\\\(command) takes on or off, not '\(word)'")
        }
    }
}
