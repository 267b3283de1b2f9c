// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// What failures say in places of their own.
extension RestError {
    /// The fields in which servers name a request, in the order they are asked for.
    private static let requestIDFields = ["X-Request-Id", "X-SFDC-Request-Id", "X-Dropbox-Request-Id"]

    /// The server's id of the request, where it named one.
    static func requestID(in head: HTTPResponse.Head) -> String? {
        requestIDFields.lazy.compactMap { head.fields[$0] }.first
    }

    /// The wait that the body asks for, in seconds: `retry_after` at its root or below `error`.
    ///
    /// More than a century counts as no answer, and so does a time that is past.
    var delayInBody: Duration? {
        guard body.count <= Self.maximumBodySize, let root = bodyRoot,
            // bounded: by the longest span, below
            let seconds = (root["retry_after"] ?? root["error"]?["retry_after"])?.double,
            (0...Duration.longest / .seconds(1)).contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }
}
