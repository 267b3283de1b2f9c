// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension RequestContext {
    /// Parses an answer; a long one is left when the call is ended or its time is up.
    ///
    /// - Throws: ``RestError/Code/decoding``, or what ended the call meanwhile.
    func parsed(_ response: HTTPResponse, _ clock: any MonotonicClock) throws(RestError) -> RestResponse {
        guard response.body.count >= JSONInterruption.minimumSize else {
            return try RestResponse(response, expecting: request.expectation, isWrite: request.isWrite)
        }
        do throws(RestError) {
            return try RestResponse(response, expecting: request.expectation, isWrite: request.isWrite) {
                [life, deadline] in
                if clock.now >= deadline { life.end(.timedOut) }
                return life.ending != nil
            }
        } catch {
            throw life.ending.map(error.ended) ?? error
        }
    }
}
