// SPDX-License-Identifier: Apache-2.0

import RestJSON

extension CallRunner {
    /// Takes what the caller wants out of an answer.
    ///
    /// A long one is read in a task beside the call. Ended early, the half-read values must be freed, a piece of memory
    /// for each of their texts, and a call that was ended does not wait for that.
    func content<Content>(
        of response: RestResponse, _ context: RequestContext,
        read: @escaping @Sendable (RestResponse) throws(RestError) -> sending Content
    ) async throws(RestError) -> Content {
        guard response.body.count >= JSONInterruption.minimumSize else { return try read(response) }
        let work = HostWork<Result<Content, RestError>>()
        let outcome = await context.life.whileInterruptible {
            work.end(.cancelled)
        } during: {
            await work.outcome(in: context.life, until: context.deadline, clock: clock) { _ in
                do throws(RestError) { return .success(try read(response)) } catch { return .failure(error) }
            }
        }
        switch outcome {
        case .value(let result): return try result.get()
        case .abandoned(let ending):
            throw RestError(ending, outcome: context.request.isWrite ? .applied : nil)
        }
    }
}
