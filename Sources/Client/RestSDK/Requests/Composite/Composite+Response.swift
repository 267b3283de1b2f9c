// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension Composite {
    /// The answers to the parts of a ``Composite``.
    ///
    /// The server answers a composite request with success also when all of its parts failed. ``get()`` turns a part
    /// that failed into an error; whoever wants to go on with the others looks at each part's own
    /// ``Composite/PartResult/result``.
    public struct Response: Sendable {
        /// The results in the order of the parts.
        public let parts: [Composite.PartResult]
        /// The answer as a whole.
        public let response: RestResponse
        let isAllOrNone: Bool

        /// The result of the part with that name.
        public subscript(reference: String) -> Composite.PartResult? { parts.first { $0.reference == reference } }

        /// The result of a part.
        public subscript(part: Composite.Part) -> Composite.PartResult? { self[part.reference] }

        /// The parts that failed; in a request that was all or none, all of them or nobody.
        public var failures: [Composite.PartResult] { parts.filter { $0.failure != nil } }

        /// The answers of all parts.
        ///
        /// - Throws: ``RestError/Code/api`` with the faults of every part that failed, each with the part's name in
        ///   ``APIFault/reference``. Its outcome is ``RestError/WriteOutcome/unknown`` when other parts were applied.
        public func get() throws(RestError) -> [RestResponse] {
            try parts.whole(in: response, isUndone: isAllOrNone)
        }
    }
}

extension Composite {
    /// Reads the answer to this request, for calling styles that give a ``RestResponse``.
    ///
    /// - Throws: ``RestError/Code/decoding`` when it is not one.
    public func results(in response: RestResponse) throws(RestError) -> Composite.Response {
        try results(in: response.payload["compositeResponse"], of: response)
    }

    /// Reads the list of answers that stands somewhere in a response.
    func results(in value: JSONValue?, of response: RestResponse) throws(RestError) -> Composite.Response {
        guard let list = value?.array, list.count == parts.count else {
            throw RestError(notAnAnswerTo: "composite request", response)
        }
        var results: [Composite.PartResult] = []
        for (part, answer) in zip(parts, list) {
            guard answer["referenceId"]?.string == part.reference, let status = answer["httpStatusCode"]?.status else {
                throw RestError(notAnAnswerTo: "composite request", response)
            }
            let head = HTTPResponse.Head(status: status, fields: answer["httpHeaders"]?.fields ?? [:])
            results.append(
                Composite.PartResult(
                    part.request, reference: part.reference,
                    HTTPResponse(head: head, body: answer["body"]?.partBody ?? [])))
        }
        return Composite.Response(parts: results, response: response, isAllOrNone: isAllOrNone)
    }
}

extension JSONValue {
    /// A status that a part can have.
    var status: Int? { int.flatMap { Int(outside: $0, in: .status) } }

    /// The header fields of a part; of more than a header may have, the first 64 KiB.
    fileprivate var fields: HTTPFields {
        var fields: HTTPFields = [:]
        var room = 65_536
        for (name, value) in object ?? [:] {
            let text = value.string ?? ""
            room -= name.utf8.count + text.utf8.count
            guard room >= 0 else { break }
            fields.append(name, text)
        }
        return fields
    }

    /// The body of a part as bytes; none for `null`.
    var partBody: [UInt8] { isNull ? [] : bytes() }
}

extension RestClient {
    /// Sends calls in one request, and gives the result of each.
    ///
    /// - Throws: ``RestError`` when the request as a whole failed. A part that failed is in its own result; call
    ///   ``Composite/Response/get()`` for an error in that case too.
    public func send(_ composite: Composite) async throws(RestError) -> Composite.Response {
        try await content(of: .composite(composite)) { (response) throws(RestError) in
            try composite.results(in: response)
        }
    }

    /// Sends calls in one request that know nothing of each other, and gives the result of each.
    ///
    /// - Throws: ``RestError`` when the request as a whole failed. A part that failed is in its own result; call
    ///   ``Batch/Response/get()`` for an error in that case too.
    public func send(_ batch: Batch) async throws(RestError) -> Batch.Response {
        try await content(of: .batch(batch)) { (response) throws(RestError) in try batch.results(in: response) }
    }
}
