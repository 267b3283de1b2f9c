// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

extension RESTRouter {
    /// A request below `/services/data/vXX.0` with its path taken apart.
    struct Call {
        let request: ServerRequest
        let path: RequestPath
        let version: APIVersion
        /// The segments below the version.
        let rest: [String]
        /// The caller, because a query's pages are for its maker only.
        let caller: String

        init(_ request: ServerRequest, _ path: RequestPath, _ version: APIVersion, caller: String) {
            self.request = request
            self.path = path
            self.version = version
            self.caller = caller
            rest = Array(path.segments.dropFirst(3))
        }

        /// The call with other segments in place of its own.
        init(_ call: Call, rest: [String]) {
            request = call.request
            path = call.path
            version = call.version
            caller = call.caller
            self.rest = rest
        }

        /// The user's id.
        var userID: String { String(caller.prefix(before: " ")) }

        /// The method; HEAD is answered as GET and loses its body on the way out, and a POST may name another one in
        /// the address.
        var method: String {
            switch request.method {
            case "HEAD": "GET"
            case "POST": path.parameter("_HttpMethod")?.uppercased() ?? "POST"
            default: request.method
            }
        }

        /// Refuses every method but these.
        func allow(_ methods: String...) throws(OrgFault) {
            guard !methods.contains(method) else { return }
            throw .methodNotAllowed(method, methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] })
        }
    }
}

extension OrgFault {
    static func unknownObject(_ name: String) -> OrgFault {
        OrgFault(404, "NOT_FOUND", "The requested resource does not exist: no object is named '\(name.prefix(100))'")
    }
}

extension ServerResponse {
    /// An answer in JSON.
    static func json(_ status: Int = 200, value: JSONValue) -> ServerResponse { .json(status, value.bytes()) }
}

extension RESTRouter.Call {
    private static let conditions = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]

    /// Whether the request changes one record, which is the only kind of write with conditions.
    private var changesOneRecord: Bool {
        ["PATCH", "DELETE"].contains(method) && rest.first == "sobjects" && rest.count > 2 && rest.last != "password"
    }

    /// Rejects a write with conditions that its resource would ignore.
    func checkConditions() throws(OrgFault) {
        guard ["POST", "PATCH", "PUT", "DELETE"].contains(method), !changesOneRecord,
            let name = Self.conditions.first(where: { request.fields[$0] != nil })
        else { return }
        throw OrgFault(400, "INVALID_HEADER", "\(name) is only supported for reads and for changes of one record")
    }
}

extension JSONValue {
    /// A flag of a request, or `false` if it is absent or null.
    ///
    /// - Throws: the error for a value that is not a boolean. As on the platform, its text is accepted as well.
    func flag(_ name: String) throws(OrgFault) -> Bool {
        guard let value = self[name], !value.isNull else { return false }
        if let flag = value.bool ?? ["true": true, "false": false][value.string ?? ""] { return flag }
        throw .parser("Cannot deserialize value of type `boolean` at \(name)")
    }

    /// A string of a request, or `nil` if it is absent or null.
    ///
    /// - Throws: the error for a value that is not a text.
    func text(_ name: String) throws(OrgFault) -> String? {
        guard let value = self[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .parser("Cannot deserialize value of type `string` at \(name)") }
        return text
    }
}
