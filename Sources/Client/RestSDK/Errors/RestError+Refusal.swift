// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension RestError {
    /// The error that a response stands for whose status is another than 2xx, or whose body says that the call failed.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - isWrite: whether the call changes something.
    ///   - outcome: what is known of a write; by the status when not given.
    package init(refusal response: HTTPResponse, isWrite: Bool, outcome: RestError.WriteOutcome? = nil) {
        let status = response.head.status
        let body = ErrorBody(of: response)
        let code = body.soap?.kind ?? Self.code(for: status, body.faults)
        // A SOAP API refuses with 500, and says by its fault that it did.
        let likely: RestError.WriteOutcome = code == .server ? .unknown : .notApplied
        let error = RestError(
            code, Self.message(status, body),
            faults: body.faults, matchingRecords: body.matchingRecords, response: response.head,
            outcome: isWrite ? outcome ?? likely : nil)
        self = error.keeping(response.body, root: body.root)
    }

    private static func code(for status: Int, _ faults: [APIFault]) -> Code {
        switch status {
        case 401: .unauthorized
        case 403 where faults.contains { $0.errorCode == .badOAuthToken }: .unauthorized
        case 403 where faults.contains { $0.errorCode == .requestLimitExceeded }: .rateLimited
        case 403: .forbidden
        case 404: .notFound
        case 413, 414, 431: .tooLarge
        case 416: .rangeNotSatisfiable
        case 429: .rateLimited
        case 301, 302, 303, 307, 308: .redirected
        case 500...: .server
        default: .api
        }
    }

    private static func message(_ status: Int, _ body: ErrorBody) -> String {
        if let first = body.faults.first {
            return body.faults.count == 1 ? "\(first)" : "\(first) (and \(body.faults.count - 1) more faults)"
        }
        if !body.matchingRecords.isEmpty {
            return "the external id matches \(body.matchingRecords.count) records: "
                + body.matchingRecords.prefix(3).joined(separator: ", ") + (body.matchingRecords.count > 3 ? " …" : "")
        }
        let answered = "the server answered \(status)" + (body.isPage ? " with a page instead of data" : "")
        return body.summary.map { "\(answered): \($0)" } ?? answered
    }
}

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
