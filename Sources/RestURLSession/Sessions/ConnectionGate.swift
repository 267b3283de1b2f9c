// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Lets so many calls to one origin go at a time; the others wait in the order they came.
struct ConnectionGate<Call> {
    private struct Lane {
        var busy = 0
        var queue: [Call] = []
    }

    private let limit: Int
    private var lanes: [Origin: Lane] = [:]

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// A call wants to go; `false` keeps it until a place is free.
    mutating func enter(_ call: Call, to origin: Origin) -> Bool {
        guard lanes[origin, default: Lane()].busy < limit else {
            lanes[origin]?.queue.append(call)
            return false
        }
        lanes[origin, default: Lane()].busy += 1
        return true
    }

    /// A call has ended; gives the one that takes its place.
    mutating func leave(_ origin: Origin) -> Call? {
        guard var lane = lanes[origin] else { return nil }
        defer { lanes[origin] = lane.busy == 0 ? nil : lane }
        guard !lane.queue.isEmpty else {
            lane.busy -= 1
            return nil
        }
        return lane.queue.removeFirst()
    }
}
