// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response body on its way from URLSession's callbacks to its reader.
///
/// The task is suspended and resumed under the lock, so that both happen in the order in which they were decided.
final class BodyReader: Sendable {
    typealias Waiter = CheckedContinuation<Result<[UInt8]?, TransportError>, Never>

    fileprivate struct State {
        var buffer: StreamBuffer<Waiter>
        var spool = SpoolFile()
        var task: URLSessionTask?
        var metrics: TransferMetrics?
    }

    private let state: Mutex<State>

    init(overflow: StreamBuffer<Waiter>.Overflow = .platform) {
        state = Mutex(State(buffer: StreamBuffer(overflow: overflow)))
    }

    /// The task to suspend when the reader is slow.
    func attach(_ task: URLSessionTask) {
        state.withLock { $0.task = task }
    }

    /// Offers a piece.
    func offer(_ bytes: [UInt8]) -> ResponseCollector.Verdict {
        state.withLock { state in
            switch state.buffer.offer(bytes) {
            case .taken: return .accepted
            case .resume(let waiter, let piece):
                waiter.resume(returning: piece)
                return .accepted
            case .pause:
                state.task?.suspend()
                return .suspended
            case .spool:
                do throws(TransportError) {
                    try state.spool.append(bytes)
                    return .accepted
                } catch {
                    return .refused(error)
                }
            case .refuse:
                return .refused(
                    TransportError(.cancelled, "nobody reads the body any more", mayHaveReachedServer: true))
            }
        }
    }

    /// The next piece; suspends while there is none.
    func next(onResume: @Sendable () -> Void) async -> Result<[UInt8]?, TransportError> {
        await withCheckedContinuation { waiter in
            guard let (piece, wasSuspended) = state.withLock({ $0.next(waiter) }) else { return }
            if wasSuspended { onResume() }
            waiter.resume(returning: piece)
        }
    }

    /// What the transfer cost; `nil` before its end, and when nobody measures.
    var metrics: TransferMetrics? { state.withLock { $0.metrics } }

    /// Ends the body: complete without an error, broken off with one.
    func finish(_ error: TransportError?, _ metrics: TransferMetrics?) {
        let result = state.withLock { state in
            state.task = nil
            state.metrics = metrics
            return state.buffer.finish(error)
        }
        guard let (waiters, piece) = result else { return }
        for waiter in waiters { waiter.resume(returning: piece) }
    }
}

extension BodyReader.State {
    /// What the reader gets now, and whether the task goes on because of it.
    fileprivate mutating func next(
        _ waiter: BodyReader.Waiter
    ) -> (piece: Result<[UInt8]?, TransportError>, wasSuspended: Bool)? {
        switch buffer.next(waiter) {
        case .wait: return nil
        case .piece(let piece, let wasPaused):
            if wasPaused { task?.resume() }
            return (piece, wasPaused)
        case .unspool(let count):
            do throws(TransportError) {
                return (.success(try spool.take(count)), false)
            } catch {
                buffer.breakOff(error)
                return (.failure(error), false)
            }
        }
    }
}

extension StreamBuffer.Overflow {
    /// The platform's way: a task that is suspended by FoundationNetworking starts its request anew when it goes on.
    static var platform: Self {
        #if canImport(FoundationNetworking)
        .spool
        #else
        .suspend
        #endif
    }
}
