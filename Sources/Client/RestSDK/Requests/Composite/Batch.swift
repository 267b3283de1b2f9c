// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// Calls that go to the server in one request and know nothing of each other.
///
/// Each counts as one call of the org's allowance and is its own transaction. The request as a whole succeeds whatever
/// becomes of its parts: their results say, each by itself (``Batch/Response``).
public struct Batch: Sendable, Hashable {
    /// The most parts that the server accepts.
    public static let maximumParts = 25

    /// The calls, in order: of the REST API, with a JSON body or none, without header fields of their own.
    public var requests: [RestRequest]
    /// Whether the parts after one that failed are not run; their results say ``APIFault/Code/batchProcessingHalted``.
    public var haltsOnError: Bool

    /// Makes a batch.
    public init(_ requests: [RestRequest], haltsOnError: Bool = false) {
        self.requests = requests
        self.haltsOnError = haltsOnError
    }
}

extension Batch {
    /// Whether a part changes something on the server.
    var isWrite: Bool { requests.contains(where: \.isWrite) }

    /// The first thing that the server would refuse as a whole, or would not do.
    var problem: InvalidArgument? {
        guard (1...Self.maximumParts).contains(requests.count) else {
            return InvalidArgument(
                argument: "requests",
                reason: "there are \(requests.count); the server accepts 1 to \(Self.maximumParts)")
        }
        for (position, request) in requests.enumerated() {
            let name = "requests[\(position)]"
            if let problem = request.problemAsPart(name) { return problem }
            guard request.fields.allSatisfy({ $0.isOfContent }), request.options == RestRequest.CallOptions() else {
                return InvalidArgument(
                    argument: "\(name).fields", reason: "a batch has no header fields for its parts; send it by itself")
            }
            guard !request.hasReferenceInPath else {
                return InvalidArgument(argument: name, reason: "the parts of a batch cannot refer to each other")
            }
        }
        return nil
    }
}

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
