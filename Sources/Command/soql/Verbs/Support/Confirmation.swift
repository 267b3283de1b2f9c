// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestText

extension Option {
    static let yes = Option("--yes", short: "-y", "do it without a question")
    static let dryRun = Option("--dry-run", "print what would be sent, and write nothing")
}

/// The question that stands before what cannot be undone.
struct Confirmation {
    /// Whether there is anything to ask: not with `--yes`, and not where nothing is written.
    private let isNeeded: Bool

    /// Refuses early what nobody could be asked about.
    ///
    /// - Parameters:
    ///   - arguments: with `--yes` or `--dry-run`, nobody is asked.
    ///   - isDestructive: whether records that are there are changed or deleted.
    /// - Throws: ``UsageError`` where standard input is no terminal.
    init(_ arguments: Arguments, isDestructive: Bool) throws(UsageError) {
        isNeeded = isDestructive && !arguments.has(.yes) && !arguments.has(.dryRun)
        guard !isNeeded || StandardInput.isTerminal else {
            throw UsageError("nobody can be asked here; give --yes to go on, or --dry-run to see what would be sent")
        }
    }

    /// Asks on the terminal.
    ///
    /// - Parameters:
    ///   - question: what is to be done, such as `delete 3 records of Account`.
    ///   - client: the client of the org that it is done to, which the question names.
    /// - Throws: ``CommandFailure`` for any other answer than yes.
    func ask(_ question: String, of client: RestClient) async throws {
        guard isNeeded else { return }
        let place = try await client.signedRequest(for: .limits).url.origin
        StandardOutput.prompt("soql: \(question) at \(place)? [y/N] ".singleLine + " ")
        var answer: [UInt8] = []
        while !answer.contains(UInt8(ascii: "\n")) {
            try StandardInput.waitForInput()
            guard let piece = StandardInput.piece() else { break }
            answer += piece
        }
        let word = String(decoding: answer, as: UTF8.self).trimmingBlanks.lowercased()
        guard ["y", "yes"].contains(word) else { throw CommandFailure("nothing was done") }
    }
}
