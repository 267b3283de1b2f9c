// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestSDK
import RestTesting
import Synchronization

/// The calling styles, so that a test can go through all of them.
enum Front: CaseIterable {
    case async, delegate, delegateOnQueue, closure, closureOnQueue, twoClosures

    /// Sends the request in this style and gives every outcome that was delivered: one, if the SDK keeps its word.
    @MainActor
    func outcomes(
        of request: RestRequest, through client: RestClient, cancelling: Bool = false
    ) async -> [Result<RestPayload, RestError>] {
        let delivered = Delivered()
        let task: RestTask
        switch self {
        case .async:
            let call = Task {
                delivered.add(await Result { () async throws(RestError) in try await client.send(request) })
            }
            if cancelling { call.cancel() }
            await call.value
            return delivered.outcomes
        case .delegate, .delegateOnQueue:
            let delegate = RecordingDelegate()
            task =
                self == .delegate
                ? client.send(request, delegate: delegate) : client.send(request, delegate: delegate, on: .global())
            if cancelling { task.cancel() }
            _ = try? await task.value
            return delegate.callbacks.map(\.outcome)
        case .closure: task = client.send(request) { delivered.add($0) }
        case .closureOnQueue: task = client.send(request, on: .global()) { delivered.add($0) }
        case .twoClosures:
            task = client.send(
                request, success: { delivered.add(.success($0)) }, failure: { delivered.add(.failure($0)) })
        }
        if cancelling { task.cancel() }
        _ = try? await task.value
        return delivered.outcomes
    }
}

/// What call-backs delivered, from any thread.
private final class Delivered: Sendable {
    private let results = Mutex<[Result<RestPayload, RestError>]>([])

    var outcomes: [Result<RestPayload, RestError>] { results.withLock { $0 } }

    func add(_ result: Result<RestResponse, RestError>) {
        results.withLock { $0.append(result.map(\.payload)) }
    }
}

extension RecordingDelegate.Callback {
    /// The call-back as an outcome; the two that carry no error stand for their codes.
    var outcome: Result<RestPayload, RestError> {
        switch self {
        case .loaded(let payload, _): .success(payload)
        case .failed(let error): .failure(error)
        case .cancelled: .failure(RestError(.cancelled, ""))
        case .timedOut: .failure(RestError(.timedOut, ""))
        }
    }
}

extension Result where Failure == RestError {
    /// The error, unless it succeeded.
    var failure: RestError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// A `Result` of asynchronous work.
    init(catching body: () async throws(RestError) -> Success) async {
        do throws(RestError) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
