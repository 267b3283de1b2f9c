// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension RequestContext {
    /// Whether the call was ended, for work on its answer that asks now and then; says so too when its time is up.
    func isOver(by clock: any MonotonicClock) -> @Sendable () -> Bool {
        { [life, deadline] in
            if clock.now >= deadline { life.end(.timedOut) }
            return life.ending != nil
        }
    }

    /// Parses an answer; a long one is left when the call is ended or its time is up.
    ///
    /// - Parameter tapes: lends its memory to the content of the answer.
    /// - Throws: ``RestError/Code/decoding``, or what ended the call meanwhile.
    func parsed(
        _ response: HTTPResponse, on tapes: JSONTapePool, _ clock: any MonotonicClock
    ) throws(RestError) -> RestResponse {
        guard response.body.count >= JSONInterruption.minimumSize else {
            return try RestResponse(
                response, expecting: request.expectation, isWrite: request.isWrite, tapes: tapes)
        }
        do throws(RestError) {
            return try RestResponse(
                response, expecting: request.expectation, isWrite: request.isWrite, tapes: tapes,
                unless: isOver(by: clock))
        } catch {
            throw life.ending.map(error.ended) ?? error
        }
    }
}
