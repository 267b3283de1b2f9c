// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// All open connections; it checks them regularly and closes slow ones.
///
/// libmicrohttpd's own time limit starts again with each byte, so a client that sends slowly never reaches it.
final class ConnectionWatch: Sendable {
    private struct State: ~Copyable {
        var links: [ObjectIdentifier: ConnectionLink] = [:]
        var lingering = Lingering()
        var isTurning = false
        var isStopped = false
    }

    let limits: ServerLimits
    private let refusal: [UInt8]
    private let state = Mutex(State())
    /// A queue and not a task, because tests may block every thread of the task pool.
    private let queue = DispatchQueue(label: "LocalServer.connections")

    init(limits: ServerLimits, refusal: [UInt8]) {
        self.limits = limits
        self.refusal = refusal
    }

    /// Adds a connection; when there are nearly too many, the slowest are closed.
    func open(_ descriptor: CInt) -> ConnectionLink {
        let link = ConnectionLink(descriptor: descriptor, refusal: refusal)
        let crowd = state.withLock { state -> [ConnectionLink] in
            defer { state.links[ObjectIdentifier(link)] = link }
            startTurning(&state)
            return isCrowded(state) ? Array(state.links.values) : []
        }
        if !crowd.isEmpty { thin(crowd) }
        return link
    }

    private func isCrowded(_ state: borrowing State) -> Bool { state.links.count >= limits.connections * 7 / 8 }

    private func thin(_ crowd: [ConnectionLink]) {
        let clocks = crowd.compactMap { link in link.clock.map { (key: link, clock: $0) } }
        for link in RequestClock.slowest(max(1, limits.connections / 64), of: clocks, at: .now) { link.evict() }
    }

    /// A connection goes, before its descriptor is closed.
    func close(_ link: ConnectionLink) {
        let second = link.close()
        state.withLock { state in
            state.links[ObjectIdentifier(link)] = nil
            guard let second else { return }
            state.lingering.add(second, at: .now)
            if state.isStopped { state.lingering.closeAll() }
            startTurning(&state)
        }
    }

    /// Closes every connection that lingers.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.lingering.closeAll()
        }
    }

    private func startTurning(_ state: inout State) {
        guard !state.isTurning, !state.isStopped else { return }
        state.isTurning = true
        schedule(hastily: !state.lingering.isEmpty)
    }

    private func schedule(hastily: Bool) {
        let shortest = min(limits.headerTime, limits.bodyTime, limits.idleTime)
        let pause = hastily ? .milliseconds(20) : min(.milliseconds(500), shortest / 4)
        queue.asyncAfter(deadline: .now() + (pause / .seconds(1))) { [weak self] in self?.turn() }
    }

    private func turn() {
        let now = ContinuousClock.now
        let (links, crowded) = state.withLock { state in
            state.lingering.turn(at: now)
            return (Array(state.links.values), isCrowded(state))
        }
        for link in links { link.check(at: now, limits) }
        // While no more connections are accepted, no new one would make room for others.
        if crowded { thin(links) }
        state.withLock { state in
            state.isTurning = !state.isStopped && !(state.links.isEmpty && state.lingering.isEmpty)
            if state.isTurning { schedule(hastily: crowded || !state.lingering.isEmpty) }
        }
    }
}
