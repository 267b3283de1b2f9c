// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTransport

extension FileWriter {
    private typealias Outcome = Result<Void, TransportError>

    /// Puts the complete file in its place on a thread that may wait for the disk; its caller's may not.
    func finishAside() async throws(TransportError) {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let context = unsafe Unmanaged.passRetained(Work { continuation.resume(returning: self.outcome) })
            let failure = unsafe ccurl_start_thread(
                { context in
                    guard let context = unsafe context else { return nil }
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, context.toOpaque())
            guard failure != 0 else { return }
            unsafe context.release()
            let reason = TransportError(
                .file, "the downloaded file cannot be moved into place: no thread could be started",
                mayHaveReachedServer: true)
            continuation.resume(returning: .failure(reason))
        }.get()
    }

    private var outcome: Outcome { Result { () throws(TransportError) in try finish() } }

    /// What the thread does.
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
