// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The threads for requests that cannot be answered on the thread that read them.
package enum WorkLane: Sendable, Hashable, CaseIterable {
    /// Short work.
    case brief
    /// Work that may take as long as a query is allowed to.
    case slow

    /// How many pieces of work go on at once; others wait for their turn.
    package var width: Int { 4 }
}

/// The threads beside the server's, and the work that waits for them, in the order it came.
///
/// Queues and not tasks, because tests may block every thread of the task pool.
final class WorkLanes: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Line {
        var waiting: [Work] = []
        /// The position of the next work; taken work is dropped now and then, so that taking one moves nothing.
        var head = 0
        var running = 0

        mutating func next() -> Work? {
            guard head < waiting.count else {
                waiting.removeAll()
                head = 0
                return nil
            }
            defer { head += 1 }
            if head >= 1_024 {
                waiting.removeFirst(head)
                head = 0
            }
            return waiting[head]
        }
    }

    private struct State {
        var lines: [WorkLane: Line] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// Adds work to a lane; `false` when the lanes are stopping.
    @discardableResult
    func add(_ work: @escaping Work, to lane: WorkLane) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.lines[lane, default: Line()].waiting.append(work)
            guard state.lines[lane, default: Line()].running < lane.width else { return true }
            state.lines[lane, default: Line()].running += 1
            DispatchQueue(label: "LocalServer.\(lane)").async(group: running) { [self] in drain(lane) }
            return true
        }
    }

    private func drain(_ lane: WorkLane) {
        while let work = next(lane) { work() }
    }

    /// The next work of a lane; with none left the thread is done.
    private func next(_ lane: WorkLane) -> Work? {
        state.withLock { state in
            if let work = state.lines[lane]?.next() { return work }
            state.lines[lane]?.running -= 1
            return nil
        }
    }

    /// Drops what waits, takes nothing more, and returns when what runs has ended.
    func stop() {
        let dropped = state.withLock { state in
            state.isStopping = true
            let dropped = state.lines.values.map(\.waiting)
            for lane in WorkLane.allCases { state.lines[lane]?.waiting.removeAll() }
            for lane in WorkLane.allCases { state.lines[lane]?.head = 0 }
            return dropped
        }
        withExtendedLifetime(dropped) {}
        running.wait()
    }
}
