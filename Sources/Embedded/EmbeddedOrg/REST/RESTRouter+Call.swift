// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

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
