// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

/// A document of the query language GraphQL with the values of its variables.
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
/// A value from outside belongs among the variables, never in the document.
public struct GraphQL: Sendable, Hashable {
    /// The document.
    public var document: String
    /// The values of its variables.
    public var variables: JSONObject
    /// Which of its operations is meant, where it has several.
    public var operation: String?

    /// Makes a query.
    public init(_ document: String, variables: JSONObject = [:], operation: String? = nil) {
        self.document = document
        self.variables = variables
        self.operation = operation
    }

    /// The same query with another value of a variable.
    public func variable(_ name: String, _ value: JSONValue) -> GraphQL {
        var copy = self
        copy.variables[name] = value
        return copy
    }

    /// Whether the document may change something: a word of it is `mutation`.
    var mayWrite: Bool {
        document.utf8.split { !($0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_")) }
            .contains { $0.elementsEqual("mutation".utf8) }
    }
}

/// A document succeeds as a whole although it has errors to tell: ``GraphQL/Response/get()`` throws the first of them.
extension GraphQL: Endpoint {
    /// A failure of the call as a whole.
    public typealias CallFailure = RestError

    /// The request, whose payload has `data` and `errors`; a document with a mutation is sent once.
    public var request: RestRequest {
        var request = RestRequest(
            name: "graphQL", method: .post, resource: .data(["graphql"]), fields: RestRequest.jsonContent)
        var body: JSONObject = ["query": JSONValue(document)]
        if !variables.isEmpty { body["variables"] = JSONValue(variables) }
        if let operation { body["operationName"] = JSONValue(operation) }
        request.body = .bytes(JSONValue(body).bytes())
        request.effect = mayWrite ? .writes(idempotent: false) : .reads
        return request.requiring(document, "document")
    }

    /// The request.
    public func makeRequest() -> RestRequest { request }

    /// The data and the errors beside it.
    public func content(from response: RestResponse) throws(RestError) -> GraphQL.Response {
        try GraphQL.Response(response)
    }
}

extension GraphQL {
    /// One error of a document, as the server stated it.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// A step on the way from the root of the data to a value.
        public enum PathElement: Sendable, Hashable, CustomStringConvertible {
            /// A member of an object.
            case key(String)
            /// An element of a list, from 0.
            case index(Int)

            /// The step as text.
            public var description: String {
                switch self {
                case .key(let key): key
                case .index(let index): "\(index)"
                }
            }
        }

        /// What is wrong.
        public let message: String
        /// The value in the data that is missing because of it; empty where it is about the whole document.
        public let path: [PathElement]
        /// Where in the document it is.
        public let locations: [APIFault.Position]
        /// What else the server tells, such as `ErrorType`.
        public let extensions: JSONObject

        /// The error as one line.
        public var description: String {
            path.isEmpty ? message : "\(path.map(\.description).joined(separator: ".")): \(message)"
        }

        init(_ value: JSONValue) {
            message = value["message"]?.string?.bounded ?? "the server told no reason"
            // The platform has used both names.
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

        /// Whether both are the same error.
        public static func == (left: GraphQL.Fault, right: GraphQL.Fault) -> Bool {
            left.message == right.message && left.path == right.path && left.locations == right.locations
                && JSONValue(left.extensions) == JSONValue(right.extensions)
        }

        /// Adds the error.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(message)
            hasher.combine(path)
        }
    }
}

extension GraphQL {
    /// The errors of a document, with the data that there is all the same.
    public struct ResponseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The errors, in the server's order; at least one.
        public let errors: [GraphQL.Fault]
        /// What could be answered; `null` where nothing could.
        public let data: JSONValue

        /// The errors in one line.
        public var description: String {
            let more = errors.count > 1 ? " and \(errors.count - 1) more" : ""
            return "\(errors.first.map(\.description) ?? "no error")\(more)"
        }
    }
}

extension GraphQL {
    /// The answer to a document: data, errors, or both.
    public struct Response: Sendable, Hashable {
        /// What could be answered; `null` where nothing could.
        public let data: JSONValue
        /// The errors, in the server's order.
        public let errors: [GraphQL.Fault]
        /// The answer as a whole.
        public let response: RestResponse

        /// Reads an answer, for calling styles that give a ``RestResponse``.
        ///
        /// At most ``APIFault/mostFaults`` errors are read.
        ///
        /// - Throws: ``RestError/Code/decoding`` when it is none to a document.
        public init(_ response: RestResponse) throws(RestError) {
            guard let payload = response.payload.dictionary, payload["data"] != nil || payload["errors"]?.array != nil
            else {
                throw RestError(notAnAnswerTo: "document of GraphQL", response)
            }
            data = payload["data"] ?? .null
            errors = (payload["errors"]?.array ?? []).prefix(APIFault.mostFaults).map { GraphQL.Fault($0) }
            self.response = response
        }

        /// The data.
        ///
        /// - Throws: ``GraphQL/ResponseError`` with the errors and the data that there is all the same.
        public func get() throws(GraphQL.ResponseError) -> JSONValue {
            guard errors.isEmpty else { throw GraphQL.ResponseError(errors: errors, data: data) }
            return data
        }

        /// The value at a place in the data; `nil` when there is none.
        public subscript(path: [String]) -> JSONValue? {
            path.reduce(data as JSONValue?) { $0?[$1] }
        }
    }
}
