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

extension GraphQL {
    /// One page of a list that a document asks for.
    public struct Page: Sendable, Hashable {
        /// The records of the page.
        public let nodes: [JSONValue]
        /// Where the page after this one begins; `nil` on the last page.
        ///
        /// Keep it to take the list up again later: it is the value of the variable for the cursor.
        public let nextCursor: String?
        /// How many records the list has in all, where the document asks for `totalCount`.
        public let totalCount: Int?

        /// Reads the list of a page.
        init(_ list: JSONValue, _ response: RestResponse) throws(RestError) {
            guard let edges = list["edges"]?.array, let hasNext = list["pageInfo"]?["hasNextPage"]?.bool else {
                throw Self.broken("is no list with edges and pageInfo { hasNextPage endCursor }", response)
            }
            var nodes: [JSONValue] = []
            for edge in edges {
                guard let node = edge["node"] else { throw Self.broken("has an edge without node", response) }
                nodes.append(node)
            }
            self.nodes = nodes
            nextCursor = hasNext ? list["pageInfo"]?["endCursor"]?.string : nil
            guard nextCursor != nil || !hasNext else { throw Self.broken("goes on, but has no endCursor", response) }
            totalCount = list["totalCount"]?.int.flatMap { Int(outside: $0, in: .count) }
        }

        private static func broken(_ reason: String, _ response: RestResponse) -> RestError {
            RestError(.decoding, "the list \(reason)", response: response.head, body: response.body)
        }
    }
}

extension GraphQL {
    /// The pages of a list that a document asks for, in order, all of them, each asked for when the one before is used
    /// up.
    ///
    /// The document takes the place where a page begins in a variable, and asks for `edges { node }` and
    /// `pageInfo { hasNextPage endCursor }`.
    public struct Pages: AsyncSequence, Sendable {
        /// What an iteration gives.
        public typealias Element = GraphQL.Page
        /// What an iteration can throw.
        public typealias Failure = RestError

        let client: RestClient
        let query: GraphQL
        let path: [String]
        let variable: String

        /// So many pages without a record may follow each other.
        private static let mostEmptyPages = 100

        /// Starts at the first page, or where the variable says.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(pages: self)
        }

        /// Gives page after page.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let pages: GraphQL.Pages
            private var next: GraphQL?
            private var cursors: Set<String> = []
            private var emptyPages = 0

            init(pages: GraphQL.Pages) {
                self.pages = pages
                next = pages.query
            }

            /// The next page, or `nil` after the last.
            ///
            /// - Throws: ``RestError``; ``RestError/Code/api`` for a page with errors, whose ``RestError/underlying``
            ///   is a ``GraphQL/ResponseError``; ``RestError/Code/decoding`` when pages lead in a circle. The iteration
            ///   is over then.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
                -> GraphQL.Page?
            {
                guard let query = next else { return nil }
                next = nil
                let answer = try await pages.client.send(query)
                if let failure = answer.failure { throw failure }
                guard let list = answer[pages.path] else {
                    throw RestError(
                        .decoding, "there is nothing at \(pages.path.joined(separator: ".")) in the data",
                        response: answer.response.head, body: answer.response.body)
                }
                let page = try GraphQL.Page(list, answer.response)
                emptyPages = page.nodes.isEmpty ? emptyPages + 1 : 0
                guard let cursor = page.nextCursor else { return page }
                guard cursors.insert(cursor).inserted, emptyPages <= GraphQL.Pages.mostEmptyPages else {
                    throw RestError(
                        .decoding, "the pages of the list lead in a circle", response: answer.response.head,
                        body: answer.response.body)
                }
                next = query.variable(pages.variable, JSONValue(cursor))
                return page
            }

            /// Ends the iteration.
            fileprivate mutating func end() { next = nil }
        }
    }
}

extension GraphQL {
    /// The records of a list that a document asks for, page after page, in order, all of them.
    public struct Nodes<Element: Sendable>: AsyncSequence, Sendable {
        /// What an iteration can throw.
        public typealias Failure = RestError

        let pages: GraphQL.Pages
        let read: @Sendable (JSONValue, Int) throws(RestError) -> Element

        /// Starts at the first record.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(pages: pages.makeAsyncIterator(), read: read)
        }

        /// Hands out record after record and asks for a page when the one before is used up.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var pages: GraphQL.Pages.AsyncIterator
            private let read: @Sendable (JSONValue, Int) throws(RestError) -> Element
            private var nodes: IndexingIterator<[JSONValue]> = [].makeIterator()
            private var index = 0

            init(
                pages: GraphQL.Pages.AsyncIterator,
                read: @escaping @Sendable (JSONValue, Int) throws(RestError) -> Element
            ) {
                self.pages = pages
                self.read = read
            }

            /// The next record, or `nil` after the last.
            ///
            /// - Throws: ``RestError``; the iteration is over then.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
                -> Element?
            {
                while true {
                    if let node = nodes.next() { return try element(node) }
                    guard let page = try await pages.next(isolation: actor) else { return nil }
                    nodes = page.nodes.makeIterator()
                }
            }

            private mutating func element(_ node: JSONValue) throws(RestError) -> Element {
                defer { index += 1 }
                do throws(RestError) { return try read(node, index) } catch {
                    nodes = [].makeIterator()
                    pages.end()
                    throw error
                }
            }
        }
    }
}

extension RestClient {
    /// The pages of a list that a document asks for.
    ///
    /// - Parameters:
    ///   - query: the document; it asks for `edges { node }` and `pageInfo { hasNextPage endCursor }`.
    ///   - path: where the list stands in the data: `["uiapi", "query", "Account"]`.
    ///   - variable: the variable for the place where a page begins.
    /// - Returns: the pages, which are fetched as they are asked for.
    public func pages(of query: GraphQL, at path: [String], cursor variable: String = "after") -> GraphQL.Pages {
        GraphQL.Pages(client: self, query: query, path: path, variable: variable)
    }

    /// The records of a list that a document asks for.
    ///
    /// - Parameters:
    ///   - query: the document; it asks for `edges { node }` and `pageInfo { hasNextPage endCursor }`.
    ///   - path: where the list stands in the data: `["uiapi", "query", "Account"]`.
    ///   - variable: the variable for the place where a page begins.
    /// - Returns: the records, as the document asks for them.
    public func nodes(
        of query: GraphQL, at path: [String], cursor variable: String = "after"
    ) -> GraphQL.Nodes<JSONValue> {
        GraphQL.Nodes(pages: pages(of: query, at: path, cursor: variable)) { node, _ in node }
    }

    /// The records of a list that a document asks for as values of your own type.
    public func nodes<Node: Decodable & Sendable>(
        of query: GraphQL, at path: [String], as type: Node.Type, cursor variable: String = "after",
        options: JSONDecodingOptions = .foundation()
    ) -> GraphQL.Nodes<Node> {
        GraphQL.Nodes(pages: pages(of: query, at: path, cursor: variable)) { (node, index) throws(RestError) in
            do {
                return try node.decode(type, options: options)
            } catch {
                throw RestError(.decoding, "node \(index) is not a \(type): \(error)", underlying: error)
            }
        }
    }
}
