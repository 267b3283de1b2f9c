// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A program whose standard streams are a terminal.
public final class TerminalProcess {
    /// A program that could not be started.
    public struct NotStarted: Error {
        /// The number of the error.
        public let number: Int32
    }

    /// How a program ended.
    public enum Reason {
        case exit, uncaughtSignal
    }

    private let process: ChildProcess
    private var ending: ChildProcess.Ending?

    /// Starts it, by choice as the leader of a session that the terminal controls.
    ///
    /// The end of a leader resets its terminal, which hides what a program has left of its settings.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], at terminal: String, leads: Bool
    ) throws {
        // The first terminal that the leader of a new session opens becomes the session's own.
        let input = ChildProcess.Stream.file(terminal, flags: leads ? O_RDWR : O_RDWR | O_NOCTTY)
        let same = ChildProcess.Stream.descriptor(STDIN_FILENO)
        do throws(ChildProcess.NotStarted) {
            process = try ChildProcess(
                program, arguments, environment: environment, streams: (input, same, same),
                group: leads ? .session : .own)
        } catch {
            throw NotStarted(number: error.code)
        }
    }

    deinit {
        guard ending == nil else { return }
        process.kill()
        waitUntilExit()
    }

    /// The id of the process.
    public var processIdentifier: Int32 { process.id }

    /// Whether it has not ended.
    public var isRunning: Bool {
        ending = ending ?? process.endingIfOver()
        return ending == nil
    }

    /// Waits for the end.
    public func waitUntilExit() { ending = ending ?? process.wait() }

    /// How it ended.
    public var terminationReason: Reason { ending?.signal == nil ? .exit : .uncaughtSignal }

    /// The exit status, or the signal that ended it.
    public var terminationStatus: Int32 { ending?.status ?? ending?.signal ?? 0 }
}
