// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// A GraphQL document with its variables.
///
/// ```swift
/// let query = GraphQL(
///     """
///     query Accounts($industry: Picklist, $after: String) {
///         uiapi { query { Account(where: {Industry: {eq: $industry}}, first: 200, after: $after) {
///             edges { node { Id Name { value } } } pageInfo { hasNextPage endCursor } } } }
///     }
///     """, variables: ["industry": "Energy"])
/// ```
/// Pass untrusted values as variables, never in the document.
public struct GraphQL: Sendable, Hashable {
    /// The document.
    public var document: String
    /// The values of the variables.
    public var variables: JSONObject
    /// The name of the operation to run, if the document has several.
    public var operation: String?

    /// Makes a GraphQL call.
    public init(_ document: String, variables: JSONObject = [:], operation: String? = nil) {
        self.document = document
        self.variables = variables
        self.operation = operation
    }

    /// Returns a copy with another value for a variable.
    public func variable(_ name: String, _ value: JSONValue) -> GraphQL {
        var copy = self
        copy.variables[name] = value
        return copy
    }

    /// Whether the document may change data, which is assumed if it contains the word `mutation`.
    var mayWrite: Bool {
        document.utf8.split { !($0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_")) }
            .contains { $0.elementsEqual("mutation".utf8) }
    }
}

/// A document with errors counts as a success, and ``GraphQL/Response/get()`` throws its errors.
extension GraphQL: Endpoint {
    /// The error of a failed call.
    public typealias CallFailure = RestError

    /// The request, whose payload has `data` and `errors`, and which is sent only once if it has a mutation.
    public var request: RestRequest {
        var body: JSONObject = ["query": JSONValue(document)]
        if !variables.isEmpty { body["variables"] = JSONValue(variables) }
        if let operation { body["operationName"] = JSONValue(operation) }
        return RestRequest(
            name: "graphQL", method: .post, resource: .data(["graphql"]),
            effect: mayWrite ? .writes(idempotent: false) : .reads
        ).json(JSONValue(body)).requiring(document, "document")
    }

    /// Returns `request`.
    public func makeRequest() -> RestRequest { request }

    /// Returns the data and the errors.
    public func content(from response: RestResponse) throws(RestError) -> GraphQL.Response {
        try GraphQL.Response(response)
    }
}

extension GraphQL {
    /// One error of a document, as reported by the server.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// A step of the path from the root of the data to a value.
        public enum PathElement: Sendable, Hashable, CustomStringConvertible {
            /// A member of an object.
            case key(String)
            /// An index in a list, counted from 0.
            case index(Int)

            /// The step as a string.
            public var description: String {
                switch self {
                case .key(let key): key
                case .index(let index): "\(index)"
                }
            }
        }

        /// The error message.
        public let message: String
        /// The path of the value that is missing because of the error, or an empty path if the error concerns the whole
        /// document.
        public let path: [PathElement]
        /// The positions of the error in the document.
        public let locations: [APIFault.Position]
        /// Additional information from the server, such as `ErrorType`.
        public let extensions: JSONObject

        /// The error in one line.
        public var description: String {
            path.isEmpty ? message : "\(path.map(\.description).joined(separator: ".")): \(message)"
        }

        init(_ value: JSONValue) {
            message = value["message"]?.string?.bounded ?? "the server gave no reason"
            // Salesforce has used both names.
            path =
                (value["path"] ?? value["paths"])?.array?.prefix(100).compactMap { element in
                    element.string.map { .key($0.bounded) } ?? element.count.map { .index($0) }
                } ?? []
            locations = (value["locations"]?.array ?? []).prefix(100).compactMap { place in
                guard let line = place["line"]?.int.flatMap({ Int(outside: $0, in: .textPosition) }),
                    let column = place["column"]?.int.flatMap({ Int(outside: $0, in: .textPosition) })
                else { return nil }
                return APIFault.Position(row: line, column: column)
            }
            extensions = value["extensions"]?.object ?? [:]
        }
    }
}

extension GraphQL {
    /// The errors of a document, with the data that is available despite the errors.
    public struct ResponseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The errors, at least one, in the server's order.
        public let errors: [GraphQL.Fault]
        /// The available data, which can be `null`.
        public let data: JSONValue

        /// The errors in one line.
        public var description: String {
            let more = errors.count > 1 ? " and \(errors.count - 1) more" : ""
            return "\(errors.first.map(\.description) ?? "no error")\(more)"
        }
    }
}

extension GraphQL {
    /// The response to a document: data, errors, or both.
    public struct Response: Sendable, Hashable {
        /// The available data, which can be `null`.
        public let data: JSONValue
        /// The errors, in the server's order.
        public let errors: [GraphQL.Fault]
        /// The complete response.
        public let response: RestResponse

        /// Reads a response, for calling styles that return a ``RestResponse``.
        ///
        /// At most ``APIFault/mostFaults`` errors are read.
        ///
        /// - Throws: ``RestError/Code/decoding`` if the response is not a GraphQL response.
        public init(_ response: RestResponse) throws(RestError) {
            guard let payload = response.payload.dictionary, payload["data"] != nil || payload["errors"]?.array != nil
            else {
                throw RestError(notAResponseTo: "GraphQL document", response)
            }
            data = payload["data"] ?? .null
            errors = (payload["errors"]?.array ?? []).prefix(APIFault.mostFaults).map { GraphQL.Fault($0) }
            self.response = response
        }

        /// Returns the data, or throws if there are errors.
        ///
        /// - Throws: ``GraphQL/ResponseError`` with the errors and the available data.
        public func get() throws(GraphQL.ResponseError) -> JSONValue {
            guard errors.isEmpty else { throw GraphQL.ResponseError(errors: errors, data: data) }
            return data
        }

        /// Returns the value at a path in the data, or `nil` if there is no such value.
        public subscript(path: [String]) -> JSONValue? {
            path.reduce(data as JSONValue?) { $0?[$1] }
        }
    }
}
