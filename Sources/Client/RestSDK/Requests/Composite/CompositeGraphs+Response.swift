// SPDX-License-Identifier: Apache-2.0

extension Composite.Graphs {
    /// What became of each graph of a request.
    public struct Response: Sendable {
        /// One graph's answer.
        public struct GraphResult: Sendable {
            /// The graph's name.
            public let id: String
            /// Whether all of its parts were done; else none was.
            public let isSuccess: Bool
            /// The results of its parts.
            public let parts: Composite.Response

            /// The answers of all parts.
            ///
            /// - Throws: ``RestError/Code/api`` with the faults of the parts when the graph failed.
            public func get() throws(RestError) -> [RestResponse] { try parts.get() }
        }

        /// The results in the order of the graphs.
        public let graphs: [GraphResult]
        /// The answer as a whole.
        public let response: RestResponse

        /// The result of the graph with that name.
        public subscript(id: String) -> GraphResult? { graphs.first { $0.id == id } }

        /// The graphs of which nothing was done.
        public var failures: [GraphResult] { graphs.filter { !$0.isSuccess } }

        /// The answers of all parts of all graphs.
        ///
        /// - Throws: ``RestError/Code/api`` with the faults of every graph that failed, each with the part's name in
        ///   ``APIFault/reference``. Its outcome is ``RestError/WriteOutcome/unknown`` when other graphs were applied.
        public func get() throws(RestError) -> [[RestResponse]] {
            let failures = failures
            guard let first = failures.first, let error = first.parts.failure else {
                var answers: [[RestResponse]] = []
                for graph in graphs { answers.append(try graph.get()) }
                return answers
            }
            let faults = failures.flatMap { $0.parts.failure?.faults ?? [] }
            let outcome: RestError.WriteOutcome = failures.count == graphs.count ? .notApplied : .unknown
            throw RestError(
                error.code, "graph '\(first.id)': \(error.message)", faults: faults, response: response.head,
                body: response.body, outcome: response.isWrite ? outcome : nil, underlying: error)
        }
    }

    /// Reads the answer to this request, for calling styles that give a ``RestResponse``.
    ///
    /// - Throws: ``RestError/Code/decoding`` when it is not one.
    public func results(in response: RestResponse) throws(RestError) -> Composite.Graphs.Response {
        guard let list = response.payload["graphs"]?.array, list.count == graphs.count else {
            throw RestError(notAnAnswerTo: "request of graphs", response)
        }
        var results: [Response.GraphResult] = []
        for (graph, answer) in zip(graphs, list) {
            guard answer["graphId"]?.string == graph.id, let isSuccess = answer["isSuccessful"]?.bool else {
                throw RestError(notAnAnswerTo: "request of graphs", response)
            }
            let parts = try graph.composite.results(
                in: answer["graphResponse"]?["compositeResponse"], of: response)
            // A graph that says it was done, and a part of it that was not: nobody knows which is true.
            guard isSuccess == parts.failures.isEmpty else {
                throw RestError(notAnAnswerTo: "request of graphs", response)
            }
            results.append(Response.GraphResult(id: graph.id, isSuccess: isSuccess, parts: parts))
        }
        return Response(graphs: results, response: response)
    }
}

extension Composite.Response {
    /// Why the request as a whole failed; `nil` when every part succeeded.
    fileprivate var failure: RestError? {
        do throws(RestError) {
            _ = try get()
            return nil
        } catch {
            return error
        }
    }
}

extension RestClient {
    /// Sends graphs of calls in one request, and gives the result of each.
    ///
    /// - Throws: ``RestError`` when the request as a whole failed. A graph that failed is in its own result; call
    ///   ``Composite/Graphs/Response/get()`` for an error in that case too.
    public func send(_ graphs: Composite.Graphs) async throws(RestError) -> Composite.Graphs.Response {
        try await content(of: .graphs(graphs)) { (response) throws(RestError) in try graphs.results(in: response) }
    }
}
