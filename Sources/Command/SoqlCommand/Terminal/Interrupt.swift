// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
import RestSDK
import Synchronization

/// Signals that end or stop the command: the first one cancels the work, so that it cleans up, and the second one ends
/// the process at once.
enum Interrupt {
    /// Runs the work so that an interrupt, a hang-up or SIGTERM cancels it, and ends the process with its status.
    ///
    /// The status line is taken away whatever ends the work, and before the process is stopped (Control-Z).
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
        // Who waits for the command sees what ended it.
        if let number = ending.withLock({ $0 }), number != SIGINT { SignalPipe.raiseByDefault(number) }
        exit((task.isCancelled ? .interrupted : status).rawValue)
    }

    /// Stops the process until it is continued; nothing is drawn meanwhile.
    static func stop() {
        StatusLine.makingRoom { SignalPipe.raiseByDefault(SIGTSTP) }
        SignalPipe.watch(SIGTSTP)
    }
}

extension Interrupt {
    /// Does one thing of a session, so that an interrupt cancels it and the session goes on.
    ///
    /// - Returns: whether it was done; a failure is reported.
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

    /// Handles signals on a queue of its own until it is cancelled.
    private static func source(_ handle: @escaping @Sendable (Int32) -> Void) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.descriptor)
        source.setEventHandler {
            while let number = SignalPipe.take() { handle(number) }
        }
        source.activate()
        return source
    }
}

/// The pipe by which the signal handler reports signals; a handler may do little more than write to it.
///
/// A signal that arrives before anything listens is not lost, because its byte waits in the pipe. A dispatch source
/// would lose it while it is being registered.
enum SignalPipe {
    /// How a signal is handled; `nil` is the system's default action.
    typealias Action = @convention(c) (Int32) -> Void

    private static let ends = PipeEnds()

    /// Readable once a signal has arrived.
    static var descriptor: Int32 { ends?.reading ?? -1 }

    /// Listens for a signal: the first one goes to the pipe, the next one has the system's default action.
    ///
    /// - Returns: how it was handled before.
    @discardableResult
    static func watch(_ number: Int32) -> Action? {
        // The pipe is made here, not in the handler.
        guard ends != nil else { return nil }
        return signal(number) { number in
            signal(number, SIG_DFL)
            SignalPipe.report(number)
        }
    }

    /// What a handler does.
    private static func report(_ number: Int32) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(ends?.writing ?? -1, &byte, 1)
        errno = before
    }

    /// Listens for a signal for good: each one goes to the pipe.
    static func keepWatching(_ number: Int32) {
        guard ends != nil else { return }
        signal(number) { SignalPipe.report($0) }
    }

    /// Listens for a signal, unless whoever started the command ignores it (`nohup`).
    static func watchUnlessIgnored(_ number: Int32) {
        guard let before = watch(number), isIgnoring(before) else { return }
        signal(number, SIG_IGN)
    }

    private static func isIgnoring(_ action: Action) -> Bool {
        // SIG_IGN is a number in the place of a function, and only compared.
        unsafe unsafeBitCast(action as Action?, to: Int.self) == unsafeBitCast(SIG_IGN as Action?, to: Int.self)
    }

    /// Lets a signal have the system's default action on this thread, whatever the thread blocks, and goes on after it
    /// when the process does.
    static func raiseByDefault(_ number: Int32) {
        signal(number, SIG_DFL)
        var (one, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&one)
        unsafe sigaddset(&one, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &one, &before)
        raise(number)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// The first signal that has not been taken yet.
    static func take() -> Int32? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
    }
}

/// The two ends of a pipe, which no program that is started gets.
struct PipeEnds: Sendable {
    let reading: Int32
    let writing: Int32

    /// Makes a pipe; `nil` when that does not work.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}
