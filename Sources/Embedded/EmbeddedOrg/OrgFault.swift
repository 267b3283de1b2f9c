// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// A refusal in the platform's words: a status and `[{"message", "errorCode", "fields"}]`.
struct OrgFault: Error, Sendable, Hashable {
    let status: Int
    let code: String
    var message: String
    var fields: [String] = []
    /// The records that an external id fits, when it is not of one alone.
    var choices: [String] = []
    /// The methods of the `Allow` field, for 405.
    var allowed: [String] = []

    init(_ status: Int, _ code: String, _ message: String, fields: [String] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields
    }
}

extension OrgFault {
    static let sessionExpired = OrgFault(401, "INVALID_SESSION_ID", "Session expired or invalid")
    static let sessionWithoutAPI = OrgFault(
        401, "INVALID_SESSION_ID", "This session is not valid for use with the REST API")
    static let notFound = OrgFault(404, "NOT_FOUND", "The requested resource does not exist")
    static let deleted = OrgFault(404, "ENTITY_IS_DELETED", "entity is deleted")
    static let requestLimit = OrgFault(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.")
    static let deadLocator = OrgFault(400, "INVALID_QUERY_LOCATOR", "invalid query locator")
    static let queryTimeout = OrgFault(400, "QUERY_TIMEOUT", "Your query request was running for too long.")

    /// A query that had no more time where it ran: asked anew elsewhere, unless something was written before.
    static let outgrown = OrgFault(
        400, "QUERY_TIMEOUT", "Your query request was running for too long beside other requests.")

    static func methodNotAllowed(_ method: String, _ allowed: [String]) -> OrgFault {
        let shown = method.utf8.count <= 20 && method.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? method : "?"
        var fault = OrgFault(
            405, "METHOD_NOT_ALLOWED",
            "HTTP Method '\(shown)' not allowed. Allowed are \(allowed.joined(separator: ","))")
        fault.allowed = allowed
        return fault
    }

    static func parser(_ message: String) -> OrgFault { OrgFault(400, "JSON_PARSER_ERROR", message) }

    static func unknownColumn(_ name: String, of object: String) -> OrgFault {
        OrgFault(
            400, "INVALID_FIELD",
            "No such column '\(name.prefix(100))' on sobject of type \(object)")
    }

    static func ambiguous(_ key: FieldSchema, _ ids: [String]) -> OrgFault {
        var fault = OrgFault(
            400, "DUPLICATE_EXTERNAL_ID", "More than one record has this value of \(key.name)", fields: [key.name])
        fault.choices = ids
        return fault
    }

    static let notInBin = OrgFault(400, "UNDELETE_FAILED", "Entity is not in the recycle bin")

    static func malformedID(_ text: String) -> OrgFault {
        OrgFault(400, "MALFORMED_ID", "malformed id \(text.prefix(40))")
    }
}

extension OrgFault {
    /// The refusal as an answer.
    var response: ServerResponse {
        var response = ServerResponse.list([self], status: status) { writer, fault in
            writer.object { writer in
                writer.member("message", fault.message)
                writer.member("errorCode", fault.code)
                if !fault.fields.isEmpty { writer.member("fields", list: fault.fields) }
            }
        }
        // What is in the way now may have gone in a moment.
        if status == 503 { response.fields.append(("Retry-After", "1")) }
        if !allowed.isEmpty { response.fields.append(("Allow", allowed.joined(separator: ", "))) }
        return response
    }
}

extension OrgFault {
    /// What the server refuses by itself, in the platform's words.
    init(_ refusal: ServerRefusal) {
        self.init(refusal.status, refusal.code, refusal.message)
    }
}
