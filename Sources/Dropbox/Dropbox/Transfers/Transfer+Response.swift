// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestSDK

/// Closures in place of `await`.
extension Transfer {
    /// Begins the transfer, unless it has begun, and calls closures on the caller's actor.
    ///
    /// - Parameters:
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closures touch.
    ///   - progress: is told how far it has come; not any more when `completion` was called.
    ///   - completion: gets what the transfer comes to, once, also when it is over already.
    /// - Returns: the transfer.
    @discardableResult
    public func response(
        isolation: isolated (any Actor)? = #isolation, progress: ((TransferUpdate) -> Void)? = nil,
        completion: @escaping (Result<Output, CallError<Failure>>) -> Void
    ) -> Transfer {
        Task(name: "transfer's response") {
            _ = isolation  // the task stays on the caller's actor, and so do the closures
            if let progress {
                for await update in started { progress(update) }
            }
            completion(await result)
        }
        return self
    }

    /// Begins the transfer, unless it has begun, and calls closures on a queue.
    ///
    /// - Parameters:
    ///   - queue: where the closures are called, one after another.
    ///   - progress: is told how far it has come; not any more when `completion` was called.
    ///   - completion: gets what the transfer comes to, once, also when it is over already.
    /// - Returns: the transfer.
    @discardableResult
    public func response(
        on queue: DispatchQueue, progress: (@Sendable (TransferUpdate) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Output, CallError<Failure>>) -> Void
    ) -> Transfer {
        Task(name: "transfer's response") {
            if let progress {
                for await update in started { await Self.call(on: queue) { progress(update) } }
            }
            let result = await result
            queue.async { completion(result) }
        }
        return self
    }

    /// The progress of the transfer, which begins now if nobody asked for it before.
    private var started: AsyncStream<TransferUpdate> {
        defer { begin() }
        return progress
    }

    private var result: Result<Output, CallError<Failure>> {
        get async {
            do throws(CallError<Failure>) { return .success(try await value) } catch { return .failure(error) }
        }
    }

    private static func call(on queue: DispatchQueue, _ closure: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { called in
            queue.async {
                closure()
                called.resume()
            }
        }
    }
}
