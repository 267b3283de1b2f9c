// SPDX-License-Identifier: Apache-2.0

import RestJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RecordChanges {
    /// What happened to the records of an object in a span of time.
    public struct Window: Sendable, Hashable {
        /// A record that was deleted.
        public struct Deletion: Sendable, Hashable {
            /// The record's id.
            public let id: String
            /// When it was deleted.
            public let date: Date
        }

        /// Where the following window begins: enough to go on from here later, also in another process.
        ///
        /// Keep it once the window's changes are done with, and the one before it until then.
        public struct Position: Sendable, Hashable, Codable {
            /// Every change before this moment was told.
            public let date: Date

            /// Makes a position: changes before this moment are of no interest, or are known.
            public init(_ date: Date) {
                self.date = date
            }
        }

        /// Where the window begins.
        public let start: Date
        /// Up to where the server told everything.
        public let end: Date
        /// What was deleted, in the server's order; to be handled before what was changed.
        ///
        /// A record that was deleted and taken back is told as changed, which is the later of the two.
        public let deleted: [Deletion]
        /// The ids of records that were created or changed, each once, in the server's order.
        ///
        /// One that cannot be read any more was deleted since.
        public let updated: [String]

        /// Where the window after this one begins.
        public var position: Position { Position(end) }
        /// Whether nothing happened.
        public var isEmpty: Bool { deleted.isEmpty && updated.isEmpty }
    }
}

extension RestRequest {
    /// The longest span of time that one call covers, in seconds: 30 days.
    public static let longestChangeWindow: TimeInterval = 30 * 86_400

    /// The ids of the records that were created or changed in a span of time, and up to where that is known.
    ///
    /// The server looks at whole minutes, and knows 30 days. It rejects a span of less than a minute, and one that it
    /// no longer knows, with `INVALID_REPLICATION_DATE`.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - start: where the span begins.
    ///   - end: where it ends, at most ``longestChangeWindow`` later.
    /// - Returns: the request.
    public static func updated(_ type: String, from start: Date, to end: Date) -> RestRequest {
        changes("updated", type, start, end)
    }

    /// The ids of the records that were deleted in a span of time, with the times, and up to where that is known.
    ///
    /// The server knows 15 days, or fewer if much was deleted.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - start: where the span begins.
    ///   - end: where it ends, at most ``longestChangeWindow`` later.
    /// - Returns: the request.
    public static func deleted(_ type: String, from start: Date, to end: Date) -> RestRequest {
        changes("deleted", type, start, end)
    }

    private static func changes(_ name: String, _ type: String, _ start: Date, _ end: Date) -> RestRequest {
        let times = [start, end].map { JSONTimestamp(rounding: $0.timeIntervalSince1970)?.text }
        var request = RestRequest(name: name, resource: .data(["sobjects", type, name])).requiring(type, "type")
        guard let first = times[0], let last = times[1] else {
            return request.refused("start", "must be in the years 0 to 9999")
        }
        request.query = [QueryItem("start", first), QueryItem("end", last)]
        guard start < end else { return request.refused("end", "must be later than the start") }
        guard end.timeIntervalSince(start) <= longestChangeWindow else {
            return request.refused("end", "one call covers 30 days; ask for shorter spans")
        }
        return request
    }
}

extension JSONValue {
    /// A moment as the platform writes it.
    var date: Date? {
        string.flatMap { JSONTimestamp($0) }.map { Date(timeIntervalSince1970: $0.secondsSince1970) }
    }
}
