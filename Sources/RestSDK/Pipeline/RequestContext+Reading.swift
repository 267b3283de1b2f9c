// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension RequestContext {
    /// Reads an answer; of a long one, parsing and decoding let go when the call is ended or its time is up.
    ///
    /// - Parameters:
    ///   - body: the answer's body.
    ///   - clock: measures the call's time.
    ///   - read: makes something of the body.
    /// - Throws: what `read` throws; what ended the call, when that was ended meanwhile.
    func reading<Value>(
        _ body: [UInt8], _ clock: any MonotonicClock, _ read: () throws(RestError) -> Value
    ) throws(RestError) -> Value {
        guard body.count >= JSONInterruption.minimumSize else { return try read() }
        let isDue: @Sendable () -> Bool = { [life, deadline] in
            if clock.now >= deadline { life.end(.timedOut) }
            return life.ending != nil
        }
        let result = JSONInterruption.$isDue.withValue(isDue) { () -> Result<Value, RestError> in
            do throws(RestError) { return .success(try read()) } catch { return .failure(error) }
        }
        do throws(RestError) {
            return try result.get()
        } catch {
            throw life.ending.map(error.ended) ?? error
        }
    }
}
