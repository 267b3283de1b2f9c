// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport
import Synchronization

/// One connection to the server, which several subscriptions of a client share.
///
/// The state decides. This class performs the steps in one task, which begins with the first member and ends with the
/// last. It never holds its lock while it calls a reader.
final class EventConnection: Sendable {
    typealias Member = ConnectionState.Member

    private struct Core {
        var state = ConnectionState()
        var readers: [Member: WeakReader] = [:]
        var lastMember: Member = 0
        var live: (any EventTransportConnection)?
        var loop: Task<Void, Never>?
        /// The task that receives, which a failure next to it ends.
        var receiving: Receiving?
        /// The error of a request next to `receive`, with which the connection is lost.
        var failure: WireError?
        var token: UInt64?
    }

    /// A `receive` that has begun.
    private struct Receiving: Sendable {
        let start: ContinuousClock.Instant
        let task: Task<Result<WireResponse, WireError>, Never>
    }

    /// The time for which one slow subscription stops the others.
    static let patience: Duration = .seconds(5)

    private let core = Mutex(Core())
    private let client: RestClient
    /// The setting of the subscriptions that can join.
    let wire: EventOptions.Wire
    private let transport: any EventTransport
    private let room = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let onStop: @Sendable (EventConnection) -> Void

    init(_ source: EventSource, onStop: @escaping @Sendable (EventConnection) -> Void) {
        (client, wire, transport, self.onStop) = (source.client, source.wire, source.transport, onStop)
    }

    private var clock: any MonotonicClock { client.clock }

    /// Adds a subscription, or returns `nil` if its positions do not fit or the connection is over.
    func join(_ reader: EventReader, _ starts: [ChannelStart], _ missing: EventOptions.Missing) -> Member? {
        var member: Member?
        var beside: (channels: [ChannelStart], epoch: UInt64) = ([], 0)
        transition { core in
            guard core.state.accepts(starts) else { return ConnectionState.Outcome() }
            core.lastMember += 1
            let number = core.lastMember
            member = number
            core.readers[number] = WeakReader(reader: reader)
            core.state.join(number, starts, missing)
            if core.loop == nil { core.loop = Task(name: "events") { await self.run() } }
            if core.state.isReceiving { beside = (core.state.takePending(), core.state.epoch) }
            return core.state.greet(number)
        }
        guard member != nil else { return nil }
        if !beside.channels.isEmpty {
            _ = Task(name: "subscribe") { [beside] in await self.subscribe(beside: beside.channels, beside.epoch) }
        }
        // A connection that waits for slow subscriptions waits no longer than its patience from now on.
        hasRoom()
        return member
    }

    /// Changes the state, and passes the outcome to the readers.
    ///
    /// Events are passed on under the lock, so that those of two tasks reach a reader in the order of the transitions.
    private func transition(_ change: (inout Core) -> ConnectionState.Outcome) {
        // The readers are released after the lock, because the end of a reader takes the lock.
        let (readers, rest, ended) = core.withLock { core in
            let outcome = change(&core)
            var (readers, rest): ([EventReader], [@Sendable () -> Void]) = ([], [])
            for (member, items) in outcome.items {
                guard let reader = core.readers[member]?.reader else { continue }
                readers.append(reader)
                rest.append(reader.offer(items))
            }
            let ended = outcome.ended.compactMap { member, error in
                core.readers.removeValue(forKey: member)?.reader.map { (reader: $0, error: error) }
            }
            return (readers, rest, ended)
        }
        for rest in rest { rest() }
        for (reader, error) in ended { reader.end(error, dropsBuffer: error.isFromOutside) }
        withExtendedLifetime(readers) {}
    }

    /// Removes a subscription, and ends the connection after the last.
    func leave(_ member: Member) {
        let (gone, live, loop) = core.withLock { core in
            core.readers[member] = nil
            let gone = core.state.leave(member)
            return (gone, core.live, core.state.isOver ? core.loop : nil)
        }
        if let loop {
            loop.cancel()
        } else if let live, !gone.isEmpty {
            _ = Task(name: "unsubscribe") {
                await live.unsubscribe(gone)
                core.withLock { $0.state.closed(gone) }
            }
        }
        hasRoom()
    }

    func commit(_ position: EventPosition) async { await core.withLock(\.live)?.commit(position) }

    /// Records that a subscription has room for more events.
    func hasRoom() { room.continuation.yield() }

    private func run() async {
        loop: while true {
            switch core.withLock({ $0.receiving == nil || $0.state.isOver ? $0.state.next() : .receive }) {
            case .stop: break loop
            case .wait(let delay): try? await clock.sleep(until: clock.now + delay, tolerance: nil)
            case .open: await open()
            case .subscribe(let channels):
                await subscribe(channels, core.withLock { $0.state.epoch }) { lose($0) }
            case .receive: await receive()
            }
        }
        onStop(self)
        let (live, receiving) = core.withLock { ($0.live, $0.receiving) }
        receiving?.task.cancel()
        // In another task, because this one is cancelled.
        if let live { _ = Task(name: "close") { await live.close() } }
    }

    private func open() async {
        do throws(WireError) {
            let live = try await transport.open()
            core.withLock { core in
                core.live = live
                _ = core.state.opened()
            }
            reportToken()
        } catch {
            lose(error)
        }
    }

    private func subscribe(
        _ channels: [ChannelStart], _ epoch: UInt64, or fail: (WireError) -> Void
    ) async {
        guard let live = core.withLock({ $0.live }) else { return }
        do throws(WireError) {
            let result = try await live.subscribe(channels)
            transition { $0.state.subscribed(channels, result, epoch: epoch) }
        } catch {
            if core.withLock({ $0.state.epoch == epoch }) { fail(error) }
        }
        hasRoom()
    }

    /// Adds channels next to `receive`, and again those that continue at another position.
    private func subscribe(beside channels: [ChannelStart], _ epoch: UInt64) async {
        var channels = channels
        while !channels.isEmpty {
            await subscribe(channels, epoch) { fail(beside: $0) }
            channels = core.withLock { core in
                core.state.isReceiving && core.state.epoch == epoch ? core.state.takePending() : []
            }
        }
    }

    /// Ends the receiving task, because a request next to it has failed.
    private func fail(beside error: WireError) {
        core.withLock { core -> Receiving? in
            core.failure = error
            return core.receiving
        }?.task.cancel()
    }

    private func receive() async {
        if core.withLock({ $0.receiving == nil }) { await waitForRoom() }
        guard let (receiving, failure) = core.withLock({ begin(&$0) }) else { return }
        if failure != nil { receiving.task.cancel() }
        let result = await withTaskCancellationHandler {
            await receiving.task.value
        } onCancel: {
            receiving.task.cancel()
        }
        let other = core.withLock { core -> WireError? in
            core.receiving = nil
            defer { core.failure = nil }
            return core.failure
        }
        switch result {
        case .success(let response):
            let duration = clock.now - receiving.start
            if other == nil, hasRoom(for: response) { _ = core.withLock { begin(&$0) } }
            transition { $0.state.received(response, after: duration) }
            reportToken()
            if let other { lose(other) }
        case .failure(let error): lose(other ?? error)
        }
    }

    /// Begins to receive, unless it has begun, and returns the error of a request next to it.
    private func begin(_ core: inout Core) -> (Receiving, WireError?)? {
        guard !core.state.isOver, let live = core.live else { return nil }
        if let receiving = core.receiving { return (receiving, core.failure) }
        let isCatchingUp = core.state.isCatchingUp
        core.state.beginReceiving()
        let task = Task(name: "receive") { () -> Result<WireResponse, WireError> in
            do throws(WireError) { return .success(try await live.receive(isCatchingUp: isCatchingUp)) } catch {
                return .failure(error)
            }
        }
        let receiving = Receiving(start: clock.now, task: task)
        core.receiving = receiving
        return (receiving, core.failure)
    }

    /// Whether a response leaves room for another one, so that the server prepares it while the readers get the first.
    private func hasRoom(for response: WireResponse) -> Bool {
        let readers = core.withLock { core in
            core.state.goesOn(after: response) ? core.readers.values.map(\.reader) : []
        }
        return !readers.isEmpty && readers.allSatisfy { $0?.isFull(adding: response.events.count) == false }
    }

    private func lose(_ error: WireError) {
        core.withLock { core -> Receiving? in
            core.failure = nil
            return core.receiving.take()
        }?.task.cancel()
        transition { core in
            core.failure = nil
            return core.state.failed(error, draw: .random(in: 0..<1))
        }
    }

    private func reportToken() {
        let token = client.tokenGeneration
        transition { core in
            defer { core.token = token ?? core.token }
            guard let token, let old = core.token, token != old else { return ConnectionState.Outcome() }
            return core.state.broadcast(.tokenRenewed)
        }
    }
}

/// Back-pressure: a connection does not receive while a subscription has no room, or waits for the server's reply.
extension EventConnection {
    /// Waits until all subscriptions have room, or removes the slow ones if others wait too long for them.
    ///
    /// A removed subscription joins another connection when it has read its buffer.
    private func waitForRoom() async {
        while !Task.isCancelled, core.withLock({ $0.state.isFull && $0.failure == nil }) { await nextRoom() }
        let deadline = clock.now + Self.patience
        while !Task.isCancelled {
            let readers = core.withLock { core in core.readers.compactMap { id, weak in weak.reader.map { (id, $0) } } }
            let full = readers.filter { $0.1.isFull() }
            guard !full.isEmpty else { return }
            if full.count < readers.count {
                if clock.now >= deadline {
                    for (member, reader) in full {
                        reader.detached()
                        leave(member)
                    }
                    return
                }
                let alarm = Task(name: "patience") {
                    try await clock.sleep(until: deadline, tolerance: nil)
                    hasRoom()
                }
                await nextRoom()
                alarm.cancel()
            } else {
                await nextRoom()
            }
        }
    }

    private func nextRoom() async {
        var iterator = room.stream.makeAsyncIterator()
        _ = await iterator.next()
    }
}
