// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestTransport

extension Composite {
    /// What became of one part of a composite request or a batch.
    public struct PartResult: Sendable {
        /// The part's name, in a composite request.
        public let reference: String?
        /// The call.
        public let request: RestRequest
        /// The part's own status and header fields.
        public let head: HTTPResponse.Head
        /// The answer, or why there is none.
        public let result: Result<RestResponse, RestError>

        /// The answer.
        ///
        /// - Throws: ``RestError`` as the call by itself would have thrown it, when the part failed.
        public func get() throws(RestError) -> RestResponse { try result.get() }

        /// Why the part failed; `nil` when it succeeded.
        public var failure: RestError? {
            if case .failure(let error) = result { error } else { nil }
        }

        /// Reads a part's answer.
        init(_ request: RestRequest, reference: String? = nil, _ response: HTTPResponse) {
            self.request = request
            self.reference = reference
            head = response.head
            do throws(RestError) {
                guard response.head.isSuccess || response.head.status == 304 else {
                    throw RestError(refusal: response, isWrite: request.isWrite)
                }
                result = .success(
                    try RestResponse(response, expecting: request.expectation, isWrite: request.isWrite))
            } catch {
                result = .failure(error)
            }
        }
    }
}

extension RestError {
    /// The failure of a request some of whose parts failed.
    ///
    /// The first fault of a part that failed by itself comes first in the message; those that were undone or not run
    /// for its sake follow.
    init(failedParts faults: [APIFault], of count: Int, in response: RestResponse, outcome: RestError.WriteOutcome?) {
        let reason = faults.cause.map { ": \($0)" } ?? ""
        self.init(
            .api, "\(count) \(count == 1 ? "part" : "parts") failed\(reason)", faults: faults, response: response.head,
            body: response.body, outcome: outcome)
    }

    /// An answer that is not of the form that the request has.
    package init(notAnAnswerTo request: String, _ response: RestResponse) {
        self.init(
            .decoding, "the answer is not one to a \(request)", response: response.head, body: response.body,
            outcome: response.isWrite ? .unknown : nil)
    }
}

extension [APIFault] {
    /// The first fault that is not merely the consequence of another one, such as the rollback of all records.
    var cause: APIFault? {
        let consequences: [APIFault.Code] = [
            .processingHalted, .batchProcessingHalted, .allOrNoneOperationRolledBack,
        ]
        return first { !consequences.contains($0.errorCode) } ?? first
    }
}

extension [Composite.PartResult] {
    /// The answers of all parts.
    ///
    /// - Throws: ``RestError`` with the faults of every part that failed.
    func whole(in response: RestResponse, isUndone: Bool) throws(RestError) -> [RestResponse] {
        var answers: [RestResponse] = []
        var failures: [(Composite.PartResult, RestError)] = []
        for part in self {
            switch part.result {
            case .success(let answer): answers.append(answer)
            case .failure(let error): failures.append((part, error))
            }
        }
        guard !failures.isEmpty else { return answers }
        let isApplied = !isUndone && answers.contains(where: \.isWrite)
        let isUnsure = isApplied || failures.contains { $0.1.outcome.map { $0 != .notApplied } ?? false }
        let faults = failures.flatMap { part, error in part.named(error.faults) }
        var error = RestError(
            failedParts: faults, of: failures.count, in: response,
            outcome: response.isWrite ? (isUnsure ? .unknown : .notApplied) : nil)
        // A part without a fault that the server stated: what went wrong is in its own error.
        if faults.isEmpty, let first = failures.first?.1 {
            error = RestError(
                first.code, first.message, response: response.head, body: response.body, outcome: error.outcome,
                underlying: first)
        }
        throw error
    }
}

extension Composite.PartResult {
    /// The faults with the name of the part.
    fileprivate func named(_ faults: [APIFault]) -> [APIFault] {
        faults.map {
            APIFault(
                errorCode: $0.errorCode, message: $0.message, fields: $0.fields, reference: $0.reference ?? reference)
        }
    }
}
