// SPDX-License-Identifier: Apache-2.0

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

extension RestRequest {
    /// Runs a document of the query language GraphQL; the payload has `data` and `errors`.
    ///
    /// The server answers with success also when it has errors to tell; ``GraphQL/Response`` reads them. A document
    /// with a mutation is sent once.
    public static func graphQL(_ query: GraphQL) -> RestRequest {
        var request = RestRequest(
            name: "graphQL", method: .post, resource: .data(["graphql"]), fields: jsonContent)
        var body: JSONObject = ["query": JSONValue(query.document)]
        if !query.variables.isEmpty { body["variables"] = JSONValue(query.variables) }
        if let operation = query.operation { body["operationName"] = JSONValue(operation) }
        request.body = .bytes(JSONValue(body).bytes())
        request.effect = query.mayWrite ? .writes(idempotent: false) : .reads
        return request.requiring(query.document, "document")
    }
}

extension RestClient {
    /// Runs a document of the query language GraphQL.
    ///
    /// - Returns: the data and the errors beside it; call ``GraphQL/Response/get()`` for an error when there is one.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func send(_ query: GraphQL) async throws(RestError) -> GraphQL.Response {
        try await content(of: .graphQL(query)) { (response) throws(RestError) in try GraphQL.Response(response) }
    }
}
