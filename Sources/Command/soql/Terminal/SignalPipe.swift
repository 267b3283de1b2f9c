// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The pipe by which the signal handler reports signals; a handler may do little more than write to it.
///
/// A signal that arrives before anything listens is not lost, because its byte waits in the pipe. A dispatch source
/// would lose it while it is being registered.
enum SignalPipe {
    /// How a signal is handled; `nil` is the system's default action.
    typealias Action = @convention(c) (Int32) -> Void

    private static let ends: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Readable once a signal has arrived.
    static var descriptor: Int32 { ends.reading }

    /// Listens for a signal: the first one goes to the pipe, the next one has the system's default action.
    ///
    /// - Returns: how it was handled before.
    @discardableResult
    static func watch(_ number: Int32) -> Action? {
        // The pipe is made here, not in the handler.
        guard ends.writing >= 0 else { return nil }
        return signal(number) { number in
            signal(number, SIG_DFL)
            SignalPipe.report(number)
        }
    }

    /// What a handler does.
    private static func report(_ number: Int32) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(ends.writing, &byte, 1)
        errno = before
    }

    /// Listens for a signal for good: each one goes to the pipe.
    static func keepWatching(_ number: Int32) {
        guard ends.writing >= 0 else { return }
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
        var entry = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(ends.reading, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
