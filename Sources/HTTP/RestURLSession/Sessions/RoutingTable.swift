// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The active calls and their callbacks, as the value that the router's lock protects.
struct RoutingTable<Key: Hashable, Call: AnyObject> {
    private var calls: [ObjectIdentifier: Call] = [:]
    private var routes: [Key: Call] = [:]
    private var gate: ConnectionGate<Call>
    /// The time for which a timer is set.
    private var nextCheck: ContinuousClock.Instant?
    /// Whether new calls and tasks are rejected, because a task of an invalidated session would crash the process.
    private(set) var isShutDown = false

    init(limit: Int) { gate = ConnectionGate(limit: limit) }

    /// Whether the last call has ended after the shutdown.
    var hasEnded: Bool { isShutDown && calls.isEmpty }

    var all: [Call] { Array(calls.values) }

    /// Adds a call, or returns `false` after the shutdown.
    mutating func add(_ call: Call) -> Bool {
        guard !isShutDown else { return false }
        calls[ObjectIdentifier(call)] = call
        return true
    }

    /// Returns whether a call may connect now, and otherwise adds it to the queue.
    mutating func enter(_ call: Call, to origin: Origin) -> Bool {
        gate.enter(call, to: origin)
    }

    /// Assigns the callbacks with this key to a call.
    mutating func route(_ key: Key, to call: Call) { routes[key] = call }

    func call(for key: Key) -> Call? { routes[key] }

    /// Removes the key after its last callback, and returns its call.
    mutating func endRoute(_ key: Key) -> Call? { routes.removeValue(forKey: key) }

    /// Removes a call after its task has ended, and returns the next call that may connect.
    ///
    /// `origin` is `nil` for a call that never asked for a connection.
    mutating func remove(_ call: Call, from origin: Origin?) -> Call? {
        calls[ObjectIdentifier(call)] = nil
        return origin.flatMap { gate.leave($0) }
    }

    /// Rejects further calls, or returns `false` if that was already done.
    mutating func shutDown() -> Bool {
        defer { isShutDown = true }
        return !isShutDown
    }

    /// Whether a timer must be set for this time, because there is no earlier timer.
    mutating func needsTimer(for moment: ContinuousClock.Instant) -> Bool {
        guard nextCheck.map({ moment < $0 }) ?? true else { return false }
        nextCheck = moment
        return true
    }

    /// Returns the calls to check after a timer has fired, or `nil` if an earlier timer has replaced it.
    mutating func timerFired(for moment: ContinuousClock.Instant) -> [Call]? {
        guard nextCheck == moment else { return nil }
        nextCheck = nil
        return all
    }
}

/// Limits the number of concurrent calls to each origin and queues the others in order of arrival.
struct ConnectionGate<Call> {
    private struct Lane {
        var busy = 0
        var queue: [Call] = []
    }

    private let limit: Int
    private var lanes: [Origin: Lane] = [:]

    init(limit: Int) { self.limit = max(1, limit) }

    /// Returns whether a call may start now, and otherwise adds it to the queue.
    mutating func enter(_ call: Call, to origin: Origin) -> Bool {
        guard lanes[origin, default: Lane()].busy < limit else {
            lanes[origin]?.queue.append(call)
            return false
        }
        lanes[origin, default: Lane()].busy += 1
        return true
    }

    /// Ends a call and returns the next one, which takes its slot.
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

/// The unique key of a task, because each session numbers its own tasks.
struct TaskKey: Hashable {
    private let session: ObjectIdentifier
    private let task: Int

    init(_ session: URLSession, _ task: URLSessionTask) {
        self.session = ObjectIdentifier(session)
        self.task = task.taskIdentifier
    }
}
