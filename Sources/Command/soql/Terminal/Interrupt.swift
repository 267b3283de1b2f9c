// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
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
        let source = DispatchSource.makeReadSource(fileDescriptor: SignalPipe.descriptor)
        source.setEventHandler {
            while let number = SignalPipe.take() {
                guard number != SIGTSTP else {
                    stop()
                    continue
                }
                ending.withLock { $0 = $0 ?? number }
                StatusLine.leave(true)
                task.cancel()
            }
        }
        source.activate()
        let status = await task.value
        source.cancel()
        StatusLine.leave(true)
        // Who waits for the command sees what ended it.
        if let number = ending.withLock({ $0 }), number != SIGINT { SignalPipe.raiseByDefault(number) }
        exitProcess(task.isCancelled ? .interrupted : status)
    }

    /// Stops the process until it is continued; nothing is drawn meanwhile.
    static func stop() {
        StatusLine.makingRoom { SignalPipe.raiseByDefault(SIGTSTP) }
        SignalPipe.watch(SIGTSTP)
    }
}
