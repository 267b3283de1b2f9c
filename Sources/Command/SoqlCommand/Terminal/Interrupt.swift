// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import RestSDK
import Synchronization

/// Signals that stop the command: the first cancels the work, and the second terminates the process immediately.
enum Interrupt {
    /// Runs the work, cancels it on an interrupt, a hang-up or SIGTERM, and exits with its status.
    ///
    /// The status line is removed at the end of the work, and before the process is suspended (Control-Z).
    @concurrent
    static func endProcess(after work: @escaping @Sendable () async -> ExitStatus) async -> Never {
        SignalPipe.watch(SIGINT)
        for number in [SIGTERM, SIGHUP, SIGTSTP] { SignalPipe.watchUnlessIgnored(number) }
        let ending = Mutex<Int32?>(nil)
        let task = Task { await work() }
        let source = source { number in
            guard number != SIGTSTP else { return stop() }
            ending.withLock { $0 = $0 ?? number }
            StatusLine.leave(true)
            task.cancel()
        }
        let status = await task.value
        source.cancel()
        StatusLine.leave(true)
        // The parent process sees the signal that ended the command.
        if let number = ending.withLock({ $0 }), number != SIGINT { SignalPipe.raiseByDefault(number) }
        exit((task.isCancelled ? .interrupted : status).rawValue)
    }

    /// Suspends the process until it is continued, without drawing in the meantime.
    static func stop() {
        StatusLine.makingRoom { SignalPipe.raiseByDefault(SIGTSTP) }
        SignalPipe.watch(SIGTSTP)
    }
}

extension Interrupt {
    /// Runs cancellable work of a session, reports its error, and returns whether it succeeded.
    @MainActor
    static func cancelling(_ work: @escaping @MainActor () async throws -> Void) async -> Bool {
        SignalPipe.keepWatching(SIGINT)
        SignalPipe.watchUnlessIgnored(SIGTSTP)
        let task = Task { try await work() }
        let source = source { number in
            switch number {
            case SIGINT: task.cancel()
            case SIGTSTP: stop()
            case SIGTERM, SIGHUP:
                StatusLine.leave(true)
                SignalPipe.raiseByDefault(number)
            default: break
            }
        }
        defer { source.cancel() }
        do {
            try await task.value
            return true
        } catch {
            _ = Diagnostics.report(task.isCancelled ? RestError(.cancelled, "interrupted") : error)
            return false
        }
    }

    /// Handles signals on a separate queue until the source is cancelled.
    private static func source(_ handle: @escaping @Sendable (Int32) -> Void) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.descriptor)
        source.setEventHandler {
            while let number = SignalPipe.take() { handle(number) }
        }
        source.activate()
        return source
    }
}

/// The pipe by which the signal handler reports signals, because a handler may do little more than write to it.
///
/// A signal that arrives before anything listens is not lost, because its byte waits in the pipe. A dispatch source
/// would lose a signal during its registration.
enum SignalPipe {
    /// A signal handler, where `nil` is the system's default action.
    typealias Action = @convention(c) (Int32) -> Void

    private static let ends = PipeEnds()

    /// Readable after a signal has arrived.
    static var descriptor: Int32 { ends?.reading ?? -1 }

    /// Writes the next occurrence of a signal to the pipe, restores its default action, and returns the previous
    /// handler.
    @discardableResult
    static func watch(_ number: Int32) -> Action? {
        // The pipe is created here, not in the handler.
        guard ends != nil else { return nil }
        return signal(number) { number in
            signal(number, SIG_DFL)
            SignalPipe.report(number)
        }
    }

    private static func report(_ number: Int32) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(ends?.writing ?? -1, &byte, 1)
        errno = before
    }

    /// The number in the pipe that is not a signal: a session has notices to show.
    static let notice: Int32 = 0

    /// Wakes the reader of the keys, which then shows the notices.
    static func wake() { report(notice) }

    /// Listens for a signal permanently, so that each one is written to the pipe.
    static func keepWatching(_ number: Int32) {
        guard ends != nil else { return }
        signal(number) { SignalPipe.report($0) }
    }

    /// Listens for a signal, unless the parent process has disabled it (`nohup`).
    static func watchUnlessIgnored(_ number: Int32) {
        guard let before = watch(number), isIgnoring(before) else { return }
        signal(number, SIG_IGN)
    }

    private static func isIgnoring(_ action: Action) -> Bool {
        // SIG_IGN is a number in place of a function, and is only compared.
        unsafe unsafeBitCast(action as Action?, to: Int.self) == unsafeBitCast(SIG_IGN as Action?, to: Int.self)
    }

    /// Raises a signal with the default action on this thread, even if blocked, and returns if the process survives.
    static func raiseByDefault(_ number: Int32) {
        signal(number, SIG_DFL)
        var (one, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&one)
        unsafe sigaddset(&one, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &one, &before)
        raise(number)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// The next signal that has not been taken.
    static func take() -> Int32? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
    }
}

/// The two ends of a pipe, which child processes do not inherit.
struct PipeEnds: Sendable {
    let reading: Int32
    let writing: Int32

    /// Creates a pipe, or returns `nil` if that fails.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}
