// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import SOQLStore

extension OrgError {
    static let sessionExpired = OrgError("INVALID_SESSION_ID", "Session expired or invalid")
    static let sessionWithoutAPI = OrgError(
        "INVALID_SESSION_ID", "This session is not valid for use with the REST API")
    /// Returns the error for a missing resource, with another message.
    static func missing(_ message: String) -> OrgError { OrgError("NOT_FOUND", message) }
    static let deadLocator = OrgError("INVALID_QUERY_LOCATOR", "invalid query locator")

    static func methodNotAllowed(_ method: String, _ allowed: [String]) -> OrgError {
        let shown = method.utf8.count <= 20 && method.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? method : "?"
        var error = OrgError(
            "METHOD_NOT_ALLOWED", "HTTP Method '\(shown)' not allowed. Allowed are \(allowed.joined(separator: ","))")
        error.choices = allowed
        return error
    }

    /// The HTTP status of the error on Salesforce.
    var status: Int {
        switch code {
        case "INVALID_SESSION_ID": 401
        case "NOT_FOUND": 404
        // The record in the URL is deleted, not a record that a field refers to.
        case "ENTITY_IS_DELETED" where fields.isEmpty: 404
        case "METHOD_NOT_ALLOWED": 405
        case "INVALIDVERSION": 409
        case "UNSUPPORTED_API_VERSION": 410
        case "PRECONDITION_FAILED", "JOB_NOT_COMPLETE", "BATCH_PROCESSING_HALTED": 412
        case "REQUEST_TOO_LARGE": 413
        case "URI_TOO_LONG": 414
        case "UNSUPPORTED_MEDIA_TYPE": 415
        case "APEX_ERROR": 500
        case "UNKNOWN_EXCEPTION": 503
        default: 400
        }
    }

    var response: ServerResponse { response(status) }

    func response(_ status: Int) -> ServerResponse {
        var response = ServerResponse.list([self], status: status) { writer, error in
            writer.object { writer in
                writer.member("message", error.message)
                writer.member("errorCode", error.code)
                if !error.fields.isEmpty { writer.member("fields", list: error.fields) }
            }
        }
        // The cause may be temporary.
        if status == 503 { response.fields.append(("Retry-After", "1")) }
        if status == 401, let challenge = choices.first { response.fields.append(("WWW-Authenticate", challenge)) }
        if status == 405 { response.fields.append(("Allow", choices.joined(separator: ", "))) }
        return response
    }
}
