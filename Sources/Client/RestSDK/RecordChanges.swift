// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The changes to the records of an object from a position until now, in consecutive windows of time.
///
/// ```swift
/// for try await window in client.changes(of: "Account", since: position) {
///     forget(window.deleted.map(\.id))
///     try await read(window.updated)
///     save(window.position)
/// }
/// ```
/// There is no gap between windows. If the server's `latestDateCovered` is before the requested end, a window ends
/// there and the next window begins there. The sequence ends when it has caught up. To get later changes, start again
/// from the last position. After an error nothing is lost: continue from the last stored position.
///
/// The first window begins ``overlap`` before the position. A change that was committed late, or in the same minute as
/// the position, is therefore reported by the next sequence, and a recent change may be reported twice.
///
/// The server forgets deletions after 15 days or earlier. The sequence then throws ``RestError/Code/changesForgotten``,
/// and ``RestError/changesPosition`` is the position for a new start: read all records, then follow the changes from
/// there.
public struct RecordChanges: AsyncSequence, Sendable {
    /// The element type of the sequence.
    public typealias Element = RecordChanges.Window
    /// The error type of the sequence.
    public typealias Failure = RestError

    /// The time before a position that is reported again, in seconds: five minutes.
    public static let overlap: TimeInterval = 300

    let client: RestClient
    let type: String
    let start: Date
    /// The end of the changes, or `nil` for the present.
    let end: Date?

    /// Makes an iterator that starts at the position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            reader: ChangeReader(client: client, type: type, position: start), next: start, end: end ?? Date.now)
    }

    /// Returns window after window.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: ChangeReader
        private let end: Date
        /// The beginning of the next window, or `nil` at the end of the iteration.
        private var next: Date?
        /// The maximum length of a window that the server accepts, in seconds.
        private var length = RestRequest.longestChangeWindow

        init(reader: ChangeReader, next: Date, end: Date) {
            self.reader = reader
            self.next = next < end ? next.addingTimeInterval(-RecordChanges.overlap) : nil
            self.end = end
        }

        /// Returns the next window with changes, or the last window, and then `nil`.
        ///
        /// - Throws: ``RestError``, which ends the iteration. ``RestError/Code/changesForgotten`` means that the server
        ///   no longer has the changes at the position, regardless of its age.
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
                    // If the server covers less than whole minutes, it has caught up with the present.
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
    /// Returns half of the span if the server found too many changes in the span.
    fileprivate func shorter(after error: RestError) -> TimeInterval? {
        guard error.faults.contains(where: { [.exceededIDLimit, .operationTooLarge].contains($0.errorCode) }),
            self > 120
        else { return nil }
        return self / 2
    }
}

struct ChangeReader: Sendable {
    let client: RestClient
    let type: String
    /// The caller's position, before which changes are reported only if the server has them.
    let position: Date

    /// The minimum span in seconds, because the server rejects a span within a minute like one that it has forgotten.
    static let shortestSpan: TimeInterval = 120
    /// The maximum number of times a window is shortened before the server's responses are considered inconsistent.
    private static let mostNarrowings = 20

    /// Returns the changes between two dates, or `nil` if the server does not report them yet.
    func window(from start: Date, to end: Date) async throws(RestError) -> RecordChanges.Window? {
        var end = end
        do throws(RestError) {
            for _ in 0..<Self.mostNarrowings {
                guard end.timeIntervalSince(start) >= Self.shortestSpan else { return nil }
                // Read deletions first. A record that is restored meanwhile is then reported as updated, after its
                // deletion.
                let deleted = try await deletions(from: start, to: end)
                let updated = try await updates(from: start, to: end)
                let covered = Swift.min(deleted.covered, updated.covered, end)
                guard covered > start else { return nil }
                // Results beyond the covered time may be incomplete, so the window ends at the covered time.
                if deleted.covered == updated.covered || covered == end, covered >= end.wholeMinute {
                    return RecordChanges.Window(
                        start: start, end: covered, deleted: deleted.found, updated: updated.found)
                }
                end = covered
            }
        } catch {
            throw error.refusesTimes ? forgotten(start, error) : error
        }
        throw RestError(.decoding, "the server's latestDateCovered moved back with every request; try again later")
    }

    private func deletions(
        from start: Date, to end: Date
    ) async throws(RestError) -> (found: [RecordChanges.Window.Deletion], covered: Date) {
        try await client.content(of: .deleted(type, from: start, to: end)) { (response) throws(RestError) in
            let list = response.payload["deletedRecords"]?.array
            let found = list?.compactMap(RecordChanges.Window.Deletion.init)
            guard let found, found.count == list?.count, let covered = response.payload["latestDateCovered"]?.date
            else { throw RestError(notAResponseTo: "request for deleted records", response) }
            if let first = response.payload["earliestDateAvailable"]?.date,
                first.wholeMinute > Swift.max(start, position)
            {
                throw RestError(
                    .changesForgotten, "the server has deletions only since \(first.text)",
                    response: response.head, body: response.body
                ).startingOver
            }
            return (found.withoutDoubles, covered)
        }
    }

    private func updates(from start: Date, to end: Date) async throws(RestError) -> (found: [String], covered: Date) {
        try await client.content(of: .updated(type, from: start, to: end)) { (response) throws(RestError) in
            guard let list = response.payload["ids"]?.array, list.allSatisfy({ $0.string != nil }),
                let covered = response.payload["latestDateCovered"]?.date
            else { throw RestError(notAResponseTo: "request for changed records", response) }
            return (JSONValue(list).texts.withoutDoubles, covered)
        }
    }

    /// Makes the error of a window that the server has forgotten, even a recent one, as it keeps a limited number of
    /// deletions.
    private func forgotten(_ start: Date, _ error: RestError) -> RestError {
        RestError(
            .changesForgotten, "the server no longer has the changes since \(start.text): \(error.message)",
            faults: error.faults, request: error.request, response: error.response, body: error.body,
            underlying: error
        ).startingOver
    }
}

extension RestError {
    /// Whether the server rejected the times, which are valid, because it has forgotten them.
    fileprivate var refusesTimes: Bool { faults.contains { $0.errorCode == .invalidReplicationDate } }

    /// Returns a copy with the position at the current time, by the server's clock if known, to follow after a full
    /// read.
    fileprivate var startingOver: RestError {
        let time = response?.fields["Date"].flatMap(HTTPDate.init)?.secondsSince1970
        let date = time.map { Date(timeIntervalSince1970: TimeInterval($0)) } ?? .now
        return starting(at: RecordChanges.Window.Position(date))
    }
}

extension Date {
    /// The beginning of the minute, which is Salesforce's precision.
    fileprivate var wholeMinute: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.down) * 60)
    }

    fileprivate var text: String { JSONTimestamp(rounding: timeIntervalSince1970)?.text ?? "\(timeIntervalSince1970)" }
}

extension Array where Element: Hashable {
    fileprivate var withoutDoubles: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension RestClient {
    /// Returns the changes to the records of an object since a position: the deleted, created and updated records.
    ///
    /// The server keeps changes for up to 30 days and deletions for up to 15 days. For a first position, take the
    /// present time, then read all records with a query.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - position: the position to begin at.
    ///   - end: the end of the changes, or `nil` for the present.
    /// - Returns: the windows, which are fetched on demand.
    public func changes(
        of type: String, since position: RecordChanges.Window.Position, until end: Date? = nil
    ) -> RecordChanges {
        RecordChanges(client: self, type: type, start: position.date, end: end)
    }
}

extension RecordChanges {
    /// The changes to the records of an object in a span of time.
    public struct Window: Sendable, Hashable {
        /// A deleted record.
        public struct Deletion: Sendable, Hashable {
            /// The record's id.
            public let id: String
            /// The time of the deletion.
            public let date: Date

            init?(_ value: JSONValue) {
                guard let id = value["id"]?.string, let date = value["deletedDate"]?.date else { return nil }
                (self.id, self.date) = (id, date)
            }
        }

        /// The beginning of the next window, which is sufficient to continue later, even in another process.
        ///
        /// Store it after you have processed the changes of the window, and keep the previous position until then.
        public struct Position: Sendable, Hashable, Codable {
            /// The date before which all changes were reported.
            public let date: Date

            /// Makes a position from a date before which changes are known or irrelevant.
            public init(_ date: Date) { self.date = date }
        }

        /// The beginning of the window.
        public let start: Date
        /// The time until which the server reported all changes.
        public let end: Date
        /// The deleted records, in the server's order, to be processed before the updated records.
        ///
        /// A record that was deleted and then restored is reported as updated.
        public let deleted: [Deletion]
        /// The ids of created and updated records, without duplicates, in the server's order.
        ///
        /// A record that cannot be read was deleted since.
        public let updated: [String]

        /// The beginning of the next window.
        public var position: Position { Position(end) }
        /// Whether there are no changes.
        public var isEmpty: Bool { deleted.isEmpty && updated.isEmpty }
    }
}

extension Endpoint where Self == RestRequest {
    /// Reads the ids of the records that were created or updated in a span of time, and the date until which they are
    /// known.
    ///
    /// The server has a precision of a minute, and keeps changes for 30 days. It rejects a span of less than a minute,
    /// and a span that it has forgotten, with `INVALID_REPLICATION_DATE`.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - start: the beginning of the span.
    ///   - end: the end of the span, at most ``RestRequest/longestChangeWindow`` later.
    /// - Returns: the request.
    public static func updated(_ type: String, from start: Date, to end: Date) -> RestRequest {
        changes("updated", type, start, end)
    }

    /// Reads the ids of the records that were deleted in a span of time, and the date until which they are known.
    ///
    /// The server keeps deletions for 15 days, or less if there were many.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - start: the beginning of the span.
    ///   - end: the end of the span, at most ``RestRequest/longestChangeWindow`` later.
    /// - Returns: the request.
    public static func deleted(_ type: String, from start: Date, to end: Date) -> RestRequest {
        changes("deleted", type, start, end)
    }

    private static func changes(_ name: String, _ type: String, _ start: Date, _ end: Date) -> RestRequest {
        let times = [start, end].map { JSONTimestamp(rounding: $0.timeIntervalSince1970)?.text }
        let request = RestRequest(name: name, resource: .data(["sobjects", type, name])).requiring(type, "type")
        guard let first = times[0], let last = times[1] else {
            return request.refused("start", "must be in the years 0 to 9999")
        }
        let isTooLong = end.timeIntervalSince(start) > RestRequest.longestChangeWindow
        return request.with { $0.query = [.init("start", first), .init("end", last)] }
            .refused("end", start < end ? nil : "must be later than the start")
            .refused("end", isTooLong ? "must be at most 30 days after the start; request shorter windows" : nil)
    }
}

extension RestRequest {
    /// The maximum span of time of one call, in seconds: 30 days.
    public static let longestChangeWindow: TimeInterval = 30 * 86_400
}

extension JSONValue {
    var date: Date? {
        string.flatMap { JSONTimestamp($0) }.map { Date(timeIntervalSince1970: $0.secondsSince1970) }
    }
}
