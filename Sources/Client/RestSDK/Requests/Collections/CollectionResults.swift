// SPDX-License-Identifier: Apache-2.0

/// What became of each record of a list of any length that was written in runs of ``RestRequest/maximumRecords``.
///
/// The results are in the order of the records, one for each, also for those whose run failed or was never sent.
public struct CollectionResults: RandomAccessCollection, Sendable {
    /// What became of one record.
    public enum State: Sendable {
        /// The server answered: the record was saved, or refused.
        case answered(SaveResult)
        /// The run that the record was in failed as a whole; the error's ``RestError/outcome`` says what is known.
        ///
        /// After a lost answer that is ``RestError/WriteOutcome/unknown``: look before the record is sent again.
        case failed(RestError)
        /// The record was never sent, because a run before it failed.
        case notSent

        /// The id of the saved record; `nil` for one that was not saved, or of which nobody knows.
        public var id: String? {
            if case .answered(let result) = self, result.isSuccess { result.id } else { nil }
        }

        /// What is known of the write of this record.
        public var outcome: RestError.WriteOutcome {
            switch self {
            case .answered(let result): result.isSuccess ? .applied : .notApplied
            case .failed(let error): error.outcome ?? .unknown
            case .notSent: .notApplied
            }
        }
    }

    private let states: [State]

    init(_ states: [State]) {
        self.states = states
    }

    /// The place of the first result.
    public var startIndex: Int { 0 }
    /// The place behind the last result.
    public var endIndex: Int { states.count }
    /// What became of the record at that place.
    public subscript(position: Int) -> State { states[position] }

    /// The places of the records that were not saved, or of which that is not known.
    public var failures: [Int] { states.indices.filter { states[$0].id == nil } }

    /// The ids of all records, in order.
    ///
    /// - Throws: ``RestError`` when one was not saved: the error of the first run that failed as a whole, else
    ///   ``RestError/Code/api``; with the faults of every record that was refused, each with its place in
    ///   ``APIFault/reference``. Its outcome is ``RestError/WriteOutcome/notApplied`` when certainly none was saved,
    ///   else ``RestError/WriteOutcome/unknown``.
    public func get() throws(RestError) -> [String] {
        let ids = states.compactMap(\.id)
        guard ids.count < states.count else { return ids }
        let isNoneSaved = states.allSatisfy { $0.outcome == .notApplied }
        let outcome: RestError.WriteOutcome = isNoneSaved ? .notApplied : .unknown
        let message = "\(states.count - ids.count) of \(states.count) records were not saved"
        let lost = states.lazy.compactMap { if case .failed(let error) = $0 { error } else { nil } }.first
        guard let lost else {
            throw RestError(
                .api, faults.cause.map { "\(message): \($0)" } ?? message, faults: faults, outcome: outcome)
        }
        throw RestError(
            lost.code, "\(message): \(lost.message)", faults: faults + lost.faults, request: lost.request,
            response: lost.response, body: lost.body, outcome: outcome, attempts: lost.attempts, underlying: lost)
    }

    private var faults: [APIFault] {
        states.enumerated().flatMap { position, state -> [APIFault] in
            guard case .answered(let result) = state else { return [] }
            return result.faults.map {
                APIFault(
                    errorCode: $0.errorCode, message: $0.message, fields: $0.fields, reference: "records[\(position)]")
            }
        }
    }
}

extension CollectionResults {
    /// What happens to the runs behind one in which a record was not saved.
    public enum AfterFailure: Sendable, Hashable {
        /// They are not sent.
        case stops
        /// They are sent all the same; only a failure that every run would meet, such as a login that ended, ends the
        /// work.
        case goesOn
    }
}
