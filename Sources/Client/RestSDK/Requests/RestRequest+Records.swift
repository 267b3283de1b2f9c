// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport

extension Endpoint where Self == RestRequest {
    /// Creates a record; the payload holds its `id`.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func create(_ type: String, _ fields: JSONObject) -> RestRequest {
        record("create", .post, [type], body: fields).requiring(type, "type")
    }

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    ///   - fields: the fields to read; all of them when empty.
    /// - Returns: the request.
    public static func retrieve(_ type: String, id: String, fields: [String] = []) -> RestRequest {
        record("retrieve", .get, [type, id]).requiring(type, "type").requiringID(id).reading(fields)
    }

    /// Changes fields of a record; the answer is empty.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    ///   - fields: the fields to set; `null` empties one.
    /// - Returns: the request.
    public static func update(_ type: String, id: String, _ fields: JSONObject) -> RestRequest {
        record("update", .patch, [type, id], body: fields).requiring(type, "type").requiringID(id)
    }

    /// Creates or changes the record whose external id has the given value.
    ///
    /// The external id names the record, so the call may be sent again after a lost answer. The server's triggers run
    /// again then, and `created` in the answer is about the last time.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field, or `Id`.
    ///   - value: its value; must not be among `fields` too. `nil` creates a record, for the field `Id` only.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func upsert(_ type: String, externalID field: String, _ value: String?, _ fields: JSONObject)
        -> RestRequest
    {
        guard let value else {
            let request = record("upsert", .post, [type, field], body: fields).requiring(type, "type")
            return field == "Id" ? request : request.refused("value", "must be given, except for the field Id")
        }
        var request = record("upsert", .patch, [type, field, value], body: fields)
        // The external id names the record, so a second time changes nothing.
        request.effect = .writes(idempotent: true)
        return
            request
            .requiring(type, "type").requiring(field, "externalID").requiring(value, "value")
    }

    /// Deletes a record; the answer is empty.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    /// - Returns: the request.
    public static func delete(_ type: String, id: String) -> RestRequest {
        record("delete", .delete, [type, id]).requiring(type, "type").requiringID(id)
    }

    private static func record(
        _ name: String, _ method: HTTPMethod, _ path: [String], body: JSONObject? = nil
    ) -> RestRequest {
        var request = RestRequest(name: name, method: method, resource: .data(["sobjects"] + path))
        guard let body else { return request }
        request.body = .bytes(JSONValue(body).bytes())
        request.fields = RestRequest.jsonContent
        return request
    }
}

extension RestRequest {
    /// One of an account's servers, by the name under which requests ask for it.
    ///
    /// ```swift
    /// let configuration = RestClient.Configuration(services: [.service("content"): "https://content.example.com/2"])
    /// ```
    public struct Service: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// The server that the account's token belongs to: the org's instance.
        public static let instance = RestRequest.Service(name: "instance")
        /// The authorization server that the client logs in at; the account's token may go there too, it came from
        /// there.
        public static let login = RestRequest.Service(name: "login")
        /// A server of any other name, which ``RestClient/Configuration/services`` gives an address.
        ///
        /// - Parameter name: the name, such as `content`.
        /// - Returns: the service.
        public static func service(_ name: String) -> RestRequest.Service { RestRequest.Service(name: name) }

        /// The name as text, for people and logs.
        public var description: String { name }

        /// Where a service is, and what every request to it has in common.
        public struct Address: Sendable, Hashable {
            /// Scheme, host and port; `nil` for the account's own instance or login server.
            public var origin: Origin?
            /// What stands before the path of every resource, percent-encoded: empty, or `/2`; `nil` stands for the
            /// platform's own, `/services/data/vXX.X`.
            public var basePath: String?
            /// Header fields of every request to the service; those of the request itself win.
            public var fields: HTTPFields
            /// The largest body of bytes that the service accepts; files and streams may be larger.
            public var maximumBodySize: Int
            /// The error in the URL that the address was read from.
            fileprivate var problem: HTTPURL.ParsingError?

            /// Makes an address.
            public init(
                origin: Origin? = nil, basePath: String? = nil, fields: HTTPFields = [:],
                maximumBodySize: Int = RestRequest.maximumBodySize
            ) {
                self.origin = origin
                self.basePath = basePath
                self.fields = fields
                self.maximumBodySize = maximumBodySize
            }

            /// Reads an address from the URL of the service: origin and base path, such as
            /// `https://notes.example.com/2`.
            ///
            /// - Parameter url: an absolute URL without a query. One slash at its end is ignored.
            /// - Throws: `HTTPURL.ParsingError` with the rule that was broken and the position.
            public init(parsing url: String) throws(HTTPURL.ParsingError) {
                let parsed = try HTTPURL(parsing: url)
                if let query = parsed.query {
                    throw HTTPURL.ParsingError(.character, offset: url.utf8.count - query.utf8.count - 1)
                }
                let path = parsed.path
                self.init(origin: parsed.origin, basePath: path.hasBytes(suffix: "/") ? String(path.dropLast()) : path)
            }
        }
    }
}

extension RestRequest.Service.Address: ExpressibleByStringLiteral {
    /// Reads an address from a URL, as ``init(parsing:)`` does.
    ///
    /// If the URL is invalid, every call of the client fails with ``RestError/Code/invalidRequest``.
    public init(stringLiteral url: String) {
        do {
            try self.init(parsing: url)
        } catch {
            self.init()
            problem = error
        }
    }
}

/// The addresses of an account's services.
struct ServiceMap: Sendable {
    private let addresses: [RestRequest.Service: RestRequest.Service.Address]

    init(_ addresses: [RestRequest.Service: RestRequest.Service.Address]) {
        self.addresses = addresses
    }

    /// The service's address; one that nobody named is the account's own.
    subscript(service: RestRequest.Service) -> RestRequest.Service.Address {
        addresses[service] ?? RestRequest.Service.Address()
    }

    /// The first address with which no call can be sent.
    var problem: InvalidArgument? {
        for (service, address) in addresses.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let argument = "services.\(service)"
            if let error = address.problem {
                return InvalidArgument(argument: argument, reason: "is not the URL of a service: \(error)")
            }
            if service != .instance, service != .login, address.origin == nil {
                return InvalidArgument(argument: argument, reason: "must have an origin")
            }
            if let path = address.basePath, !path.isEmpty, !path.isBasePath {
                return InvalidArgument(
                    argument: argument,
                    reason: "basePath must begin with a slash, end without one, and be percent-encoded without '..'")
            }
        }
        return nil
    }
}

extension String {
    fileprivate var isBasePath: Bool {
        hasBytes(prefix: "/") && !hasBytes(prefix: "//") && !hasBytes(suffix: "/") && !contains("?") && !contains("#")
            && !PercentEncoding.hasDotSegment(self)
            && (try? HTTPURL(parsing: "https://example.com\(self)"))?.path == self
    }
}
