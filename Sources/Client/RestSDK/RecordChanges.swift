// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What happened to the records of an object since a position, window after window, up to now.
///
/// ```swift
/// for try await window in client.changes(of: "Account", since: position) {
///     forget(window.deleted.map(\.id))
///     try await read(window.updated)
///     save(window.position)
/// }
/// ```
/// Windows follow each other without a gap: where the server's `latestDateCovered` is before the end that was asked
/// for, a window ends there and the next one begins there. The sequence ends when it has caught up. Ask again later
/// from the last position. A failure loses nothing: continue from the last position that was kept.
///
/// The first window begins ``overlap`` before the position. So a change that was committed late, or in the very minute
/// of the position, is reported by the next sequence, and a recent change may be reported twice.
///
/// The server forgets deletions after 15 days or earlier. Then the sequence ends with
/// ``RestError/Code/changesForgotten``, and ``RestError/changesPosition`` is the position for a new start: read all
/// records, then follow the changes from there.
public struct RecordChanges: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = RecordChanges.Window
    /// What an iteration can throw.
    public typealias Failure = RestError

    /// The time before a position that a sequence reports once more, in seconds: five minutes.
    public static let overlap: TimeInterval = 300

    let client: RestClient
    let type: String
    let start: Date
    /// Where it ends; `nil` at the present.
    let end: Date?

    /// Starts at the position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            reader: ChangeReader(client: client, type: type, position: start), next: start, end: end ?? Date.now)
    }

    /// Gives window after window.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: ChangeReader
        private let end: Date
        /// Where the next window begins; `nil` once the iteration is over.
        private var next: Date?
        /// The longest window that the server answers, in seconds.
        private var length = RestRequest.longestChangeWindow

        init(reader: ChangeReader, next: Date, end: Date) {
            self.reader = reader
            self.next = next < end ? next.addingTimeInterval(-RecordChanges.overlap) : nil
            self.end = end
        }

        /// The next window that is not empty, or the last one; `nil` after that.
        ///
        /// - Throws: ``RestError``; ``RestError/Code/changesForgotten`` when the server no longer knows what happened
        ///   at the position, whatever its age. The iteration is over then.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> RecordChanges.Window?
        {
            while let start = next {
                next = nil
                guard start < end else { return nil }
                let last = Swift.min(end, start.addingTimeInterval(length))
                let first = Swift.min(start, last.addingTimeInterval(-ChangeReader.shortestSpan))
                do throws(RestError) {
                    guard let window = try await reader.window(from: first, to: last) else { return nil }
                    // Where the server covered less than the whole minutes, it has caught up with its own present.
                    if window.end >= last.wholeMinute, window.end > start, last < end { next = window.end }
                    if !window.isEmpty || next == nil { return window }
                } catch {
                    guard let shorter = length.shorter(after: error) else { throw error }
                    (length, next) = (shorter, start)
                }
            }
            return nil
        }
    }
}

extension TimeInterval {
    /// Half of the span, when it was too long for the server: it had too much to tell.
    fileprivate func shorter(after error: RestError) -> TimeInterval? {
        guard error.faults.contains(where: { [.exceededIDLimit, .operationTooLarge].contains($0.errorCode) }),
            self > 120
        else { return nil }
        return self / 2
    }
}

/// Reads single windows.
struct ChangeReader: Sendable {
    let client: RestClient
    let type: String
    /// Changes before it are reported where the server knows them, and not missed where it does not.
    let position: Date

    /// The shortest span that is asked for, in seconds: the server rejects one within a minute with the same code as
    /// one that it has forgotten.
    static let shortestSpan: TimeInterval = 120
    /// So often a window is made shorter before the server is taken to be out of its mind.
    private static let mostNarrowings = 20

    /// What happened between two moments; `nil` when the server does not yet tell.
    func window(from start: Date, to end: Date) async throws(RestError) -> RecordChanges.Window? {
        var end = end
        do throws(RestError) {
            for _ in 0..<Self.mostNarrowings {
                guard end.timeIntervalSince(start) >= Self.shortestSpan else { return nil }
                // Deletions first: what is taken back meanwhile is told as changed, after them.
                let deleted = try await deletions(from: start, to: end)
                let updated = try await updates(from: start, to: end)
                let covered = Swift.min(deleted.covered, updated.covered, end)
                guard covered > start else { return nil }
                // What was found beyond it may be half of what there is: the window ends where all is told.
                if deleted.covered == updated.covered || covered == end, covered >= end.wholeMinute {
                    return RecordChanges.Window(
                        start: start, end: covered, deleted: deleted.found, updated: updated.found)
                }
                end = covered
            }
        } catch {
            throw error.refusesTimes ? forgotten(start, error) : error
        }
        throw RestError(.decoding, "the server covers less each time that it is asked for what it covered")
    }

    private func deletions(
        from start: Date, to end: Date
    ) async throws(RestError) -> (found: [RecordChanges.Window.Deletion], covered: Date) {
        try await client.content(of: .deleted(type, from: start, to: end)) { (response) throws(RestError) in
            guard let list = response.payload["deletedRecords"]?.array,
                let covered = response.payload["latestDateCovered"]?.date
            else { throw RestError(notAnAnswerTo: "question for deleted records", response) }
            var found: [RecordChanges.Window.Deletion] = []
            for value in list {
                guard let id = value["id"]?.string, let date = value["deletedDate"]?.date else {
                    throw RestError(notAnAnswerTo: "question for deleted records", response)
                }
                found.append(RecordChanges.Window.Deletion(id: id, date: date))
            }
            if let first = response.payload["earliestDateAvailable"]?.date,
                first.wholeMinute > Swift.max(start, position)
            {
                throw RestError(
                    .changesForgotten, "the server knows of deletions since \(first.text) only",
                    response: response.head, body: response.body
                ).startingOver
            }
            return (found.withoutDoubles(\.self), covered)
        }
    }

    private func updates(from start: Date, to end: Date) async throws(RestError) -> (found: [String], covered: Date) {
        try await client.content(of: .updated(type, from: start, to: end)) { (response) throws(RestError) in
            guard let list = response.payload["ids"]?.array, list.allSatisfy({ $0.string != nil }),
                let covered = response.payload["latestDateCovered"]?.date
            else { throw RestError(notAnAnswerTo: "question for changed records", response) }
            return (JSONValue(list).texts.withoutDoubles(\.self), covered)
        }
    }

    /// The error of a window that the server no longer knows.
    ///
    /// It says so for recent times too: its record of deletions has a limited size, and the oldest go first.
    private func forgotten(_ start: Date, _ error: RestError) -> RestError {
        RestError(
            .changesForgotten, "the server no longer knows what happened since \(start.text): \(error.message)",
            faults: error.faults, request: error.request, response: error.response, body: error.body,
            underlying: error
        ).startingOver
    }
}

extension RestError {
    /// Whether the server refused the times, which means that it has forgotten them: they are more than a minute apart.
    fileprivate var refusesTimes: Bool { faults.contains { $0.errorCode == .invalidReplicationDate } }

    /// Returns a copy of the error with the position from which changes can be followed after a full read that begins
    /// now, by the server's clock where the response says its time.
    fileprivate var startingOver: RestError {
        let time = response?.fields["Date"].flatMap(HTTPDate.init)?.secondsSince1970
        let date = time.map { Date(timeIntervalSince1970: TimeInterval($0)) } ?? .now
        return starting(at: RecordChanges.Window.Position(date))
    }
}

extension Date {
    /// The minute that the moment is in, which is all that the platform looks at.
    fileprivate var wholeMinute: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.down) * 60)
    }

    fileprivate var text: String { JSONTimestamp(rounding: timeIntervalSince1970)?.text ?? "\(timeIntervalSince1970)" }
}

extension Array {
    /// The elements, of those with the same key the first alone.
    fileprivate func withoutDoubles<Key: Hashable>(_ key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension RestClient {
    /// What happened to the records of an object since a position: what was deleted, and what was created or changed.
    ///
    /// The server knows changes for 30 days and deletions for 15 days at most. For a first position, take the present,
    /// then read all records by a query.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - position: where to begin.
    ///   - end: where to end; `nil` at the present.
    /// - Returns: the windows, which are fetched as they are asked for.
    public func changes(
        of type: String, since position: RecordChanges.Window.Position, until end: Date? = nil
    ) -> RecordChanges {
        RecordChanges(client: self, type: type, start: position.date, end: end)
    }
}

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

extension Endpoint where Self == RestRequest {
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
        request.query = [RestRequest.QueryItem("start", first), RestRequest.QueryItem("end", last)]
        guard start < end else { return request.refused("end", "must be later than the start") }
        guard end.timeIntervalSince(start) <= RestRequest.longestChangeWindow else {
            return request.refused("end", "one call covers 30 days; ask for shorter spans")
        }
        return request
    }
}

extension RestRequest {
    /// The longest span of time that one call covers, in seconds: 30 days.
    public static let longestChangeWindow: TimeInterval = 30 * 86_400
}

extension JSONValue {
    /// A moment as the platform writes it.
    var date: Date? {
        string.flatMap { JSONTimestamp($0) }.map { Date(timeIntervalSince1970: $0.secondsSince1970) }
    }
}
