// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which call a callback belongs to, and which calls there are: the value under the router's lock.
struct RoutingTable<Key: Hashable, Call: AnyObject> {
    private var calls: [ObjectIdentifier: Call] = [:]
    private var routes: [Key: Call] = [:]
    private var gate: ConnectionGate<Call>
    /// The moment for which a timer is set.
    private var nextCheck: ContinuousClock.Instant?
    /// Whether no call may be added and no task be made any more: a task of an invalidated session ends the process.
    private(set) var isShutDown = false

    init(limit: Int) {
        gate = ConnectionGate(limit: limit)
    }

    /// Whether the last call has left after the shutdown, so that none will follow.
    var hasEnded: Bool { isShutDown && calls.isEmpty }

    /// Every call that is not over.
    var all: [Call] { Array(calls.values) }

    /// A call begins; `false` when the transport was shut down.
    mutating func add(_ call: Call) -> Bool {
        guard !isShutDown else { return false }
        calls[ObjectIdentifier(call)] = call
        return true
    }

    /// A call wants a connection; `false` when it has to wait for its turn.
    mutating func enter(_ call: Call, to origin: Origin) -> Bool {
        gate.enter(call, to: origin)
    }

    /// Callbacks with this key belong to that call.
    mutating func route(_ key: Key, to call: Call) {
        routes[key] = call
    }

    /// The call a callback belongs to.
    func call(for key: Key) -> Call? { routes[key] }

    /// The last callback with this key has come.
    mutating func endRoute(_ key: Key) -> Call? { routes.removeValue(forKey: key) }

    /// A call is over, and whatever worked for it has ended.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - origin: where its connection goes; `nil` for a call that never asked for one.
    /// - Returns: the call whose turn it is now.
    mutating func remove(_ call: Call, from origin: Origin?) -> Call? {
        calls[ObjectIdentifier(call)] = nil
        return origin.flatMap { gate.leave($0) }
    }

    /// Refuses calls from now on; `false` when that was done before.
    mutating func shutDown() -> Bool {
        defer { isShutDown = true }
        return !isShutDown
    }

    /// Whether a timer must be set for this moment because none is set for an earlier one.
    mutating func needsTimer(for moment: ContinuousClock.Instant) -> Bool {
        guard nextCheck.map({ moment < $0 }) ?? true else { return false }
        nextCheck = moment
        return true
    }

    /// The timer for a moment has fired; gives the calls to look at, or `nil` when one for an earlier moment did that.
    mutating func timerFired(for moment: ContinuousClock.Instant) -> [Call]? {
        guard nextCheck == moment else { return nil }
        nextCheck = nil
        return all
    }
}

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

/// What tells a task from all others: sessions number their tasks by themselves.
struct TaskKey: Hashable {
    private let session: ObjectIdentifier
    private let task: Int

    init(_ session: URLSession, _ task: URLSessionTask) {
        self.session = ObjectIdentifier(session)
        self.task = task.taskIdentifier
    }
}
