// SPDX-License-Identifier: Apache-2.0

import RestJSON

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
/// for, a window ends there and the next one begins there, so that nothing is told twice but what happened in the very
/// moment between two. The sequence ends when it has caught up; ask again later from the last position. A failure loses
/// nothing: go on from the last position that was kept.
public struct RecordChanges: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = RecordChanges.Window
    /// What an iteration can throw.
    public typealias Failure = RestError

    let client: RestClient
    let type: String
    let start: Date
    /// Where it ends; `nil` at the present.
    let end: Date?

    /// Starts at the position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: ChangeReader(client: client, type: type), next: start, end: end ?? Date.now)
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
            self.next = next
            self.end = end
        }

        /// The next window that is not empty, or the last one; `nil` after that.
        ///
        /// - Throws: ``RestError``; ``RestError/Code/changesForgotten`` when the server has no record of what happened
        ///   at the position. The iteration is over then.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RestError)
            -> RecordChanges.Window?
        {
            while let start = next {
                next = nil
                guard start < end else { return nil }
                let last = Swift.min(end, start.addingTimeInterval(length))
                do throws(RestError) {
                    guard let window = try await reader.window(from: start, to: last) else { return nil }
                    // Where the server covered less than was asked for, it has caught up with its own present.
                    if window.end >= last, last < end { next = window.end }
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

    /// So often a window is made shorter before the server is taken to be out of its mind.
    private static let mostNarrowings = 20

    /// What happened between two moments; `nil` when the server does not yet tell.
    func window(from start: Date, to end: Date) async throws(RestError) -> RecordChanges.Window? {
        var end = end
        do throws(RestError) {
            for _ in 0..<Self.mostNarrowings {
                // Deletions first: what is taken back meanwhile is told as changed, after them.
                let deleted = try await deletions(from: start, to: end)
                let updated = try await updates(from: start, to: end)
                let covered = Swift.min(deleted.covered, updated.covered, end)
                guard covered > start else { return nil }
                // What was found beyond it may be half of what there is: the window ends where all is told.
                if deleted.covered == updated.covered || covered == end, covered >= Swift.min(end, end.wholeMinute) {
                    return RecordChanges.Window(
                        start: start, end: covered, deleted: deleted.found, updated: updated.found)
                }
                end = covered
            }
        } catch {
            if error.refusesTimes, end.timeIntervalSince(start) < 120 { return nil }
            throw explained(error, start)
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
            if let first = response.payload["earliestDateAvailable"]?.date, first.wholeMinute > start {
                throw RestError(
                    .changesForgotten, "the server knows of deletions since \(first.text) only",
                    response: response.head,
                    body: response.body)
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

    /// The error of a window that the server does not tell of.
    private func explained(_ error: RestError, _ start: Date) -> RestError {
        guard error.refusesTimes,
            Date.now.timeIntervalSince(start) > RestRequest.longestChangeWindow - 86_400
        else { return error }
        return RestError(
            .changesForgotten, "the server does not tell what happened since \(start.text): \(error.message)",
            faults: error.faults, request: error.request, response: error.response, body: error.body,
            underlying: error)
    }
}

extension RestError {
    /// Whether the server refused the times: too far back, or within one minute, which is all that the platform looks
    /// at.
    fileprivate var refusesTimes: Bool { faults.contains { $0.errorCode == .invalidReplicationDate } }
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
    /// The platform tells of 30 days. Whoever begins reads everything first, by a query, and takes the moment before
    /// that as the first position.
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
