// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension Batch {
    /// The answers to the parts of a ``Batch``.
    ///
    /// The server answers a batch with success also when all of its parts failed. ``get()`` turns a part that failed
    /// into an error; whoever wants to go on with the others looks at each part's own ``Composite/PartResult/result``.
    public struct Response: Sendable {
        /// The results in the order of the requests.
        public let parts: [Composite.PartResult]
        /// The answer as a whole.
        public let response: RestResponse

        /// The parts that failed or were not run.
        public var failures: [Composite.PartResult] { parts.filter { $0.failure != nil } }

        /// The answers of all parts.
        ///
        /// - Throws: ``RestError/Code/api`` with the faults of every part that failed. Its outcome is
        ///   ``RestError/WriteOutcome/unknown`` when other parts were applied.
        public func get() throws(RestError) -> [RestResponse] {
            try parts.whole(in: response, isUndone: false)
        }
    }
}

extension Batch {
    /// Reads the answer to this batch, for calling styles that give a ``RestResponse``.
    ///
    /// - Throws: ``RestError/Code/decoding`` when it is not one.
    public func results(in response: RestResponse) throws(RestError) -> Batch.Response {
        guard let list = response.payload["results"]?.array, list.count == requests.count else {
            throw RestError(notAnAnswerTo: "batch", response)
        }
        var results: [Composite.PartResult] = []
        for (request, answer) in zip(requests, list) {
            guard let status = answer["statusCode"]?.status else { throw RestError(notAnAnswerTo: "batch", response) }
            let body = answer["result"]?.partBody ?? []
            results.append(
                Composite.PartResult(request, HTTPResponse(head: HTTPResponse.Head(status: status), body: body)))
        }
        return Batch.Response(parts: results, response: response)
    }
}
