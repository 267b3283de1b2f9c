// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A running pager, such as `less`, which owns the terminal and Control-C until its user quits it.
struct Pager: Sendable {
    /// The exit status of the pager, after it has exited.
    let ended: AwaitedValue<Int32?>
    private let command: String
    private let input: Int32

    /// The command from the environment, or `nil` if the user wants no pager (`PAGER=`).
    static var command: String? {
        if Settings.isSet("PAGER") { return Settings.value("PAGER") }
        let folders = (Settings.value("PATH") ?? "").split(byte: ":")
        return ["less", "more"].first { name in folders.contains { unsafe access("\($0)/\(name)", X_OK) == 0 } }
    }

    /// Starts a pager by a shell command, and passes its exit status to `ended`.
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

    /// Writes text to the pager, or throws `StandardOutput.ReaderGone` if its user has quit it.
    func write(_ bytes: [UInt8]) throws { try StandardOutput.write(bytes, to: input) }

    /// Closes the pager's input, and waits until its user quits it.
    func finish() async throws {
        close(input)
        // The pager owns the terminal until it exits, even if the work was cancelled.
        let status = await ended.value()
        // The shell returns 126 if it cannot run the command, and 127 if the command does not exist.
        if let status, [126, 127].contains(status) { throw Self.notStarted(command) }
    }

    private static func notStarted(_ command: String) -> CommandFailure {
        CommandFailure("the pager '\(command)' cannot be started; use --no-pager or change PAGER")
    }
}
