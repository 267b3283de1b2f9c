// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestBase
import RestTransport

/// Another program, started without a shell, that gets bytes on standard input and gives what it printed.
struct ChildProcess {
    /// What a program left behind.
    struct Result {
        /// The exit status; `nil` when a signal ended it.
        let status: Int32?
        let output: [UInt8]
        let errors: [UInt8]
    }

    /// Why there is no result.
    enum Failure: Error {
        /// It cannot be started; the system's error number.
        case notStarted(Int32)
        /// It did not end in time and was killed.
        case timedOut
        /// It printed more than anybody could want and was killed.
        case tooMuchOutput
        /// The caller gave up and it was killed.
        case cancelled
    }

    private static let maximumOutput = 8 << 20

    private let process: pid_t
    private var input: ChildStream
    private var output: ChildStream
    private var errors: ChildStream
    /// How it ended, once it was collected: from then on its number may be another process's.
    private var ending: Ending?

    private struct Ending { let status: Int32? }

    /// Runs a program to its end, without keeping a thread while it runs.
    ///
    /// `program` is its path; `environment` has `NAME=value` lines, all that it sees of ours.
    static func run(
        _ program: String, _ arguments: [String], environment: [String], input: [UInt8],
        until deadline: ContinuousClock.Instant, clock: any MonotonicClock
    ) async throws(Failure) -> Result {
        var child = try ChildProcess(program, arguments, environment, input)
        defer { child.close() }
        var pause = Duration.milliseconds(1)
        while true {
            // Looked at before its streams: all that it wrote is there then. A program that it left behind may go on
            // writing, so the limits of time and size hold after its end too.
            child.collect()
            let isMoving = child.pump()
            if child.output.received.count + child.errors.received.count > maximumOutput {
                throw child.killed(because: .tooMuchOutput)
            }
            if let ending = child.ending, !isMoving {
                return Result(status: ending.status, output: child.output.received, errors: child.errors.received)
            }
            guard clock.now < deadline else { throw child.killed(because: .timedOut) }
            if isMoving { continue }
            do {
                try await clock.sleep(until: min(clock.now + pause, deadline), tolerance: nil)
            } catch {
                throw child.killed(because: .cancelled)
            }
            pause = min(pause * 2, .milliseconds(16))
        }
    }

    private init(
        _ program: String, _ arguments: [String], _ environment: [String], _ bytes: [UInt8]
    ) throws(Failure) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var streams: [ChildStream] = []
        for number in STDIN_FILENO...STDERR_FILENO {
            guard let stream = ChildStream(sending: number == STDIN_FILENO ? bytes : []) else {
                let code = errno
                for stream in streams { stream.closeBoth() }
                throw .notStarted(code)
            }
            unsafe posix_spawn_file_actions_adddup2(&actions, stream.theirs, number)
            streams.append(stream)
        }
        defer { for stream in streams { stream.closeTheirs() } }
        var process = pid_t()
        let code = unsafe Self.withCStrings([program] + arguments) { words in
            unsafe Self.withCStrings(environment) { settings in
                unsafe posix_spawn(&process, program, &actions, nil, words, settings)
            }
        }
        guard code == 0 else {
            for stream in streams { stream.closeOurs() }
            throw .notStarted(code)
        }
        self.process = process
        (input, output, errors) = (streams[0], streams[1], streams[2])
    }

    /// The copies live for the call; a program that was started has its own by then.
    private static func withCStrings<Value>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
    ) -> Value {
        var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe body(&pointers)
    }

    /// Moves what can be moved now.
    ///
    /// - Returns: whether anything moved.
    private mutating func pump() -> Bool {
        let isSending = input.send()
        let isPrinting = output.receive()
        let isComplaining = errors.receive()
        return isSending || isPrinting || isComplaining
    }

    /// Notes how it ended; without effect while it runs.
    private mutating func collect() {
        guard ending == nil else { return }
        var status: Int32 = 0
        let answer = unsafe waitpid(process, &status, WNOHANG)
        if answer == 0 || (answer < 0 && errno == EINTR) { return }
        // An app that ignores the ends of its children gets no status, and so no claim of success.
        ending = Ending(status: answer == process && status & 0x7F == 0 ? status >> 8 & 0xFF : nil)
    }

    /// Ends it, and collects it so that no zombie stays.
    private func killed(because failure: Failure) -> Failure {
        guard ending == nil else { return failure }
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
        return failure
    }

    private func close() {
        for stream in [input, output, errors] { stream.closeOurs() }
    }
}
#endif
