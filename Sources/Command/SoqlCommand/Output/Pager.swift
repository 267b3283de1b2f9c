// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A running pager, such as `less`, which has the terminal until its user leaves it.
///
/// While it runs, Control-C is the pager's: leaving the pager ends the query.
struct Pager: Sendable {
    /// The exit status of the pager, once it has ended.
    let ended: AwaitedValue<Int32?>
    private let command: String
    private let input: Int32

    /// The command that the environment names; `nil` for none (`PAGER=`).
    static var command: String? {
        if Settings.isSet("PAGER") { return Settings.value("PAGER") }
        let folders = (Settings.value("PATH") ?? "").split(byte: ":")
        return ["less", "more"].first { name in folders.contains { unsafe access("\($0)/\(name)", X_OK) == 0 } }
    }

    /// Starts a pager.
    ///
    /// - Parameters:
    ///   - command: a line for the shell.
    ///   - ended: gets the exit status.
    /// - Throws: ``CommandFailure`` when nothing can be shown.
    init(_ command: String, telling ended: AwaitedValue<Int32?>) throws(CommandFailure) {
        (self.command, self.ended) = (command, ended)
        guard let pipe = PipeEnds() else { throw Self.notStarted(command) }
        input = pipe.writing
        let variables = Settings.all.merging(Settings.isSet("LESS") ? [:] : ["LESS": "FRX"]) { $1 }
        let isStarted = ShellProgram.run(command, reading: pipe.reading, environment: variables) {
            ended.resolve($0 ?? 0)
        }
        close(pipe.reading)
        guard isStarted else {
            close(input)
            throw Self.notStarted(command)
        }
    }

    /// Gives it more to show.
    ///
    /// - Throws: `StandardOutput.ReaderGone` when its user has left it.
    func write(_ bytes: [UInt8]) throws {
        try StandardOutput.write(bytes, to: input)
    }

    /// Tells it that this was all, and waits until its user leaves it.
    ///
    /// - Throws: ``CommandFailure`` when the shell did not find it.
    func finish() async throws {
        close(input)
        // The terminal is the pager's until it ends, also when the work was cancelled.
        let status = await ended.value()
        // 126 and 127 are the shell's: it cannot run the command, or there is none.
        if let status, [126, 127].contains(status) { throw Self.notStarted(command) }
    }

    private static func notStarted(_ command: String) -> CommandFailure {
        CommandFailure("the pager '\(command)' cannot be started; PAGER= does without one")
    }
}
