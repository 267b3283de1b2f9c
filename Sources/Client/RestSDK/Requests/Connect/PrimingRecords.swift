// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The answer to ``RestRequest/primingRecords(relayToken:changedAfter:)``: `response.decode(PrimingRecords.self)`.
public struct PrimingRecords: Decodable, Sendable, Hashable {
    /// One record, by its id.
    public struct Entry: Decodable, Sendable, Hashable {
        /// The record's id.
        public let id: String
        /// When the record changed last.
        public let systemModstamp: Date
    }

    /// A rule that could not be followed.
    public struct RuleError: Decodable, Sendable, Hashable {
        /// The rule's id.
        public let ruleId: String
    }

    /// How much there is, and how much of it this answer covers.
    public struct Statistics: Decodable, Sendable, Hashable {
        /// The rules in all.
        public let ruleCountTotal: Int
        /// The records in all.
        public let recordCountTotal: Int
        /// The rules that were followed so far.
        public let ruleCountServed: Int
        /// The records that were given so far.
        public let recordCountServed: Int
    }

    /// The records by object and record type.
    public let primingRecords: [String: [String: [Entry]]]
    /// What to ask with for what follows; `nil` at the end.
    public let relayToken: String?
    /// The rules that could not be followed.
    public let ruleErrors: [RuleError]
    /// How much there is.
    public let stats: Statistics
}
