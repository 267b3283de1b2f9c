// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The transfers to one origin: how many of them libcurl has, and those that wait for one of these to end.
///
/// libcurl goes over all of its transfers in every turn, also over those for which it has no connection. It gets as
/// many as it can send at a time, so that a turn costs the same however many wait. Used by the loop thread only.
final class OriginLine {
    /// How many requests libcurl sends at a time over one HTTP/2 connection.
    static let streamsPerConnection = 100

    let origin: Origin
    private let connections: Int
    private var limit: Int
    private var busy = 0
    private var waiting: [Transfer] = []
    /// The place of the first that waits; those before it have gone.
    private var first = 0
    /// How many that may be in the line are over.
    private var ended = 0

    /// Makes an empty line.
    ///
    /// - Parameters:
    ///   - origin: where the transfers lead.
    ///   - connections: how many connections libcurl may have to there; none is no limit.
    init(to origin: Origin, connections: Int) {
        self.origin = origin
        self.connections = connections > 0 ? connections : .max
        limit = self.connections
    }

    /// Whether nobody is in the line or in libcurl's hands.
    var isEmpty: Bool { busy == 0 && first == waiting.count }

    /// Whether a transfer is libcurl's at once; any other waits.
    func enter(_ transfer: Transfer) -> Bool {
        guard busy == limit || first < waiting.count else {
            busy += 1
            return true
        }
        waiting.append(transfer)
        return false
    }

    /// A transfer is not libcurl's any more.
    func leave() {
        busy -= 1
    }

    /// The next transfer for libcurl, first come first served; `nil` when it has enough, or nobody waits.
    func next() -> Transfer? {
        while busy < limit, first < waiting.count {
            let transfer = waiting[first]
            first += 1
            if first * 2 > waiting.count { dropGone() }
            guard !transfer.isOver else { continue }
            busy += 1
            return transfer
        }
        return nil
    }

    /// A connection there speaks HTTP/2, so that many requests share it: whether this was news.
    func widen() -> Bool {
        let wide = connections.multipliedReportingOverflow(by: Self.streamsPerConnection)
        let most = wide.overflow ? Int.max : wide.partialValue
        guard limit < most else { return false }
        limit = most
        return true
    }

    /// A transfer that may wait here was cancelled; what is over is let go of when it is half of the line.
    func noteEnd() {
        ended += 1
        guard ended * 2 > waiting.count - first else { return }
        dropGone()
        waiting.removeAll { $0.isOver }
    }

    /// Takes out all that wait and for which this is true.
    func take(where isWanted: (Transfer) -> Bool) -> [Transfer] {
        dropGone()
        let taken = waiting.filter(isWanted)
        if !taken.isEmpty { waiting.removeAll(where: isWanted) }
        return taken
    }

    /// The earliest deadline of those that wait.
    var firstDeadline: ContinuousClock.Instant? { waiting[first...].lazy.map(\.deadline).min() }

    private func dropGone() {
        waiting.removeFirst(first)
        (first, ended) = (0, 0)
    }
}

/// The lines of all origins.
struct OriginLines {
    /// Lines without anybody are kept until there are so many.
    private static let mostIdle = 64

    private let connections: Int
    private var lines: [Origin: OriginLine] = [:]
    /// The line that was asked for last, which most requests ask for again.
    private var last: OriginLine?

    /// No lines yet.
    ///
    /// - Parameter connections: how many connections libcurl may have to one origin.
    init(connections: Int) {
        self.connections = connections
    }

    /// The line to an origin.
    mutating func line(to origin: Origin) -> OriginLine {
        if let last, last.origin == origin { return last }
        let line = lines[origin] ?? add(origin)
        last = line
        return line
    }

    private mutating func add(_ origin: Origin) -> OriginLine {
        if lines.count >= Self.mostIdle { lines = lines.filter { !$0.value.isEmpty } }
        let line = OriginLine(to: origin, connections: connections)
        lines[origin] = line
        return line
    }

    /// Takes out all that wait in any line and for which this is true.
    func take(where isWanted: (Transfer) -> Bool) -> [Transfer] { lines.values.flatMap { $0.take(where: isWanted) } }

    /// The earliest deadline of all that wait.
    var firstDeadline: ContinuousClock.Instant? { lines.values.compactMap(\.firstDeadline).min() }
}
