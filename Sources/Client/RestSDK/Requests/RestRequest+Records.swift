// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport

extension Endpoint where Self == RestRequest {
    /// Creates a record, whose `id` is in the payload.
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
    ///   - fields: the fields to read. If empty, all fields are read.
    /// - Returns: the request.
    public static func retrieve(_ type: String, id: String, fields: [String] = []) -> RestRequest {
        record("retrieve", .get, [type, id]).requiring(type, "type").requiringID(id).reading(fields)
    }

    /// Updates fields of a record, with an empty response.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - id: the record's id, 15 or 18 characters.
    ///   - fields: the fields to set. `null` clears a field.
    /// - Returns: the request.
    public static func update(_ type: String, id: String, _ fields: JSONObject) -> RestRequest {
        record("update", .patch, [type, id], body: fields).requiring(type, "type").requiringID(id)
    }

    /// Creates or updates the record with an external id.
    ///
    /// The external id identifies the record, so the call can be retried after a lost response. A retry runs the
    /// server's triggers again, and `created` in the response is about the last attempt.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - field: the external id field, or `Id`.
    ///   - value: the value of the external id, which must not be in `fields` as well. For the field `Id` only, `nil`
    ///     creates a record.
    ///   - fields: the fields to set.
    /// - Returns: the request.
    public static func upsert(_ type: String, externalID field: String, _ value: String?, _ fields: JSONObject)
        -> RestRequest
    {
        guard let value else {
            let request = record("upsert", .post, [type, field], body: fields).requiring(type, "type")
            return field == "Id" ? request : request.refused("value", "is required, except for the field Id")
        }
        // The external id identifies the record, so a second attempt changes nothing.
        return record("upsert", .patch, [type, field, value], body: fields).effect(.writes(idempotent: true))
            .requiring(type, "type").requiring(field, "externalID").requiring(value, "value")
    }

    /// Deletes a record, with an empty response.
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
        let request = RestRequest(name: name, method: method, resource: .data(["sobjects"] + path))
        return body.map { request.json(JSONValue($0)) } ?? request
    }
}

extension RestRequest {
    /// The name of a server of an account.
    ///
    /// ```swift
    /// let configuration = RestClient.Configuration(services: [.service("content"): "https://content.example.com/2"])
    /// ```
    public struct Service: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// The org's instance, to which the account's token belongs.
        public static let instance = RestRequest.Service(name: "instance")
        /// The authorization server of the login, which may also receive the account's token because it issued the
        /// token.
        public static let login = RestRequest.Service(name: "login")
        /// Another server, whose address is in ``RestClient/Configuration/services``.
        ///
        /// - Parameter name: the name, such as `content`.
        /// - Returns: the service.
        public static func service(_ name: String) -> RestRequest.Service { RestRequest.Service(name: name) }

        /// The name as a string, for people and logs.
        public var description: String { name }

        /// The origin of a service, with the settings for all requests to it.
        public struct Address: Sendable, Hashable {
            /// The scheme, host and port, or `nil` for the account's own instance or login server.
            public var origin: Origin?
            /// The percent-encoded path before the path of each resource, such as `/2`, or `nil` for
            /// `/services/data/vXX.X`.
            public var basePath: String?
            /// The headers of each request to the service, unless the request itself sets them.
            public var fields: HTTPFields
            /// The maximum size of a request body in memory, in bytes, which does not limit files and streams.
            public var maximumBodySize: Int
            /// The error in the URL that the address was parsed from.
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

            /// Parses an address from the URL of the service: origin and base path, such as
            /// `https://notes.example.com/2`.
            ///
            /// - Parameter url: an absolute URL without a query. One slash at its end is ignored.
            /// - Throws: `HTTPURL.ParsingError` with the violated rule and the position.
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
    /// Parses an address from a URL, like ``init(parsing:)``.
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

struct ServiceMap: Sendable {
    private let addresses: [RestRequest.Service: RestRequest.Service.Address]

    init(_ addresses: [RestRequest.Service: RestRequest.Service.Address]) {
        self.addresses = addresses
    }

    /// Returns the address of a service, by default on the account's own server.
    subscript(service: RestRequest.Service) -> RestRequest.Service.Address {
        addresses[service] ?? RestRequest.Service.Address()
    }

    var problem: InvalidArgument? {
        for (service, address) in addresses.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let argument = "services.\(service)"
            if let error = address.problem {
                return InvalidArgument(argument, "is not the URL of a service: \(error)")
            }
            if service != .instance, service != .login, address.origin == nil {
                return InvalidArgument(argument, "must have an origin")
            }
            if let path = address.basePath, !path.isEmpty, !path.isBasePath {
                return InvalidArgument(
                    argument, "basePath must begin with a slash, end without one, and be percent-encoded without '..'")
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
