// SPDX-License-Identifier: Apache-2.0

/// A call under way that was started by a delegate or closure front.
public struct RestTask: Sendable {
    private let task: Task<Result<RestResponse, RestError>, Never>

    init(_ task: Task<Result<RestResponse, RestError>, Never>) {
        self.task = task
    }

    /// Asks the call to end.
    ///
    /// If it was not over yet, it ends as cancelled; the call-back comes all the same, once.
    public func cancel() {
        task.cancel()
    }

    /// What the call came to; its call-back has returned by then.
    ///
    /// - Throws: the call's ``RestError``.
    public var value: RestResponse {
        get async throws(RestError) { try await task.value.get() }
    }
}

extension RestClient {
    /// The outcome of a call as a value, for the fronts that hand it on.
    func outcome(of request: RestRequest) async -> Result<RestResponse, RestError> {
        do throws(RestError) {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }
}
