// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import Synchronization

/// A running pager, such as `less`, which has the terminal until its user leaves it.
///
/// While it runs, Control-C is the pager's: leaving the pager ends the query.
struct Pager: Sendable {
    /// The pager could not be started, so that nothing was shown.
    struct NotStarted: Error, CustomStringConvertible {
        let command: String
        var description: String { "the pager '\(command)' cannot be started; PAGER= does without one" }
    }

    /// Happens when the pager has ended, with its exit status.
    let ended: Event
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
    ///   - ended: happens when it has ended.
    /// - Throws: ``NotStarted``.
    init(_ command: String, telling ended: Event) throws(NotStarted) {
        (self.command, self.ended) = (command, ended)
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw NotStarted(command: command) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends[1]
        StatusLine.leave(true)
        let before = signal(SIGINT, SIG_IGN)
        let variables = Settings.all.merging(Settings.isSet("LESS") ? [:] : ["LESS": "FRX"]) { $1 }
        let child = ShellProgram(command, reading: ends[0], environment: variables)
        close(ends[0])
        guard let child else {
            close(input)
            Self.takeBackTerminal(before)
            throw NotStarted(command: command)
        }
        DispatchQueue(label: "pager").async {
            let status = child.wait()
            Self.takeBackTerminal(before)
            ended.happen(status ?? 0)
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
    /// - Throws: ``NotStarted`` when the shell did not find it.
    func finish() async throws {
        close(input)
        var status: Int32?
        // The terminal is the pager's until it ends, also when the work was cancelled.
        while status == nil { status = await Task { await ended.wait() }.value }
        // 126 and 127 are the shell's: it cannot run the command, or there is none.
        if let status, [126, 127].contains(status) { throw NotStarted(command: command) }
    }

    /// Interrupts are handled as before again: a session outlives any number of them, another command the first one.
    private static func takeBackTerminal(_ action: SignalPipe.Action?) {
        signal(SIGINT, action)
        StatusLine.leave(false)
    }
}

/// Something that happens once, with a number that tells how, and that tasks wait for.
final class Event: Sendable {
    private struct State {
        var outcome: Int32?
        var next = 0
        var waiting: [Int: CheckedContinuation<Int32?, Never>] = [:]
    }

    private let state = Mutex(State())

    /// How it happened; `nil` as long as it did not.
    var outcome: Int32? { state.withLock(\.outcome) }

    /// Lets it happen; only the first time counts.
    func happen(_ outcome: Int32) {
        let waiting = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    /// Waits until it happens; `nil` when the task was cancelled before.
    func wait() async -> Int32? {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Int32?? in
                    if let outcome = state.outcome { return .some(outcome) }
                    if Task.isCancelled { return .some(nil) }
                    state.waiting[number] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
        }
    }
}
