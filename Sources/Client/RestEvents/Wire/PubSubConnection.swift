// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import EventWire
import RestBase
import RestHTTP2
import Synchronization

/// A connection, which has one stream for each channel.
///
/// A task for each stream decodes its responses. Releasing the connection ends its streams.
final class PubSubConnection: EventTransportConnection {
    private struct Channel {
        let call: GRPCCall
        let start: ChannelStart
        /// The token of the stream.
        var generation: UInt64
    }

    private struct Core {
        var flow = PubSubFlow()
        var channels: [String: Channel] = [:]
        var watch: Task<Void, Never>?
        /// Resolved after the last commit, for a connection that is being closed.
        var committed: AwaitedValue<Bool>?
    }

    private let calls: PubSubCalls
    private let core = Mutex(Core())
    private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ calls: PubSubCalls) { self.calls = calls }

    deinit { end() }

    private var clock: any MonotonicClock { calls.client.clock }

    private func end() {
        let (channels, watch) = core.withLock { core in
            defer { (core.channels, core.watch) = ([:], nil) }
            for channel in core.channels.keys { core.flow.close(channel) }
            return (core.channels, core.watch)
        }
        watch?.cancel()
        for channel in channels.values { channel.call.cancel() }
    }

    func close() async {
        let committed = AwaitedValue<Bool>()
        let isCommitting = core.withLock { core in
            core.committed = committed
            return core.flow.isCommitting
        }
        if isCommitting {
            let alarm = Task(name: "commit") { [clock] in
                try await clock.sleep(until: clock.now + PubSubTransport.timeout, tolerance: nil)
                committed.resolve(false)
            }
            _ = await committed.value()
            alarm.cancel()
        }
        end()
        await calls.shutdown()
    }

    // MARK: - Channels

    func subscribe(_ channels: [ChannelStart]) async throws(WireError) -> WireResponse {
        var response = WireResponse()
        let checks = await withTaskGroup(of: (ChannelStart, WireError?).self) { group in
            for start in channels { group.addTask { (start, await self.problem(start)) } }
            var checks: [(ChannelStart, WireError?)] = []
            for await check in group { checks.append(check) }
            return checks
        }
        for (start, error) in checks {
            guard let error else {
                try await open(start)
                continue
            }
            guard error.isOfChannel else { throw error }
            response.rejected[start.channel] = error
        }
        startWatch()
        return response
    }

    /// Returns the error of a channel that cannot be subscribed to, or of the connection.
    private func problem(_ start: ChannelStart) async -> WireError? {
        if case .after(let id) = start.start, id.bytes == nil { return .otherWire(start.channel) }
        do throws(WireError) {
            let topic = try await calls.topic(start.channel)
            guard !topic.canSubscribe else { return nil }
            let error = EventError(.forbidden, "the user may not subscribe to the channel", channel: start.channel)
            return WireError(error, .none)
        } catch {
            return error
        }
    }

    private func open(_ start: ChannelStart) async throws(WireError) {
        let access = calls.access
        let request = Self.request(start, isFirst: true, count: PubSubFlow.window)
        let method = start.managed == nil ? "Subscribe" : "ManagedSubscribe"
        let call: GRPCCall
        do throws(GRPCError) {
            call = try calls.start(method, access)
            try await call.send(request)
        } catch {
            throw calls.error(error, access.generation, start.channel)
        }
        let now = clock.now
        let number = core.withLock { core in
            core.channels[start.channel] = Channel(call: call, start: start, generation: access.generation)
            return core.flow.open(start.channel, at: now)
        }
        _ = Task(name: "subscribe") { [weak self] in
            while true {
                let message: Result<[UInt8]?, GRPCError>
                do throws(GRPCError) { message = .success(try await call.next()) } catch { message = .failure(error) }
                guard let self, await self.take(message, of: start.channel, number) else { return }
            }
        }
    }

    func unsubscribe(_ channels: [String]) async {
        for channel in channels {
            core.withLock { core -> Channel? in
                core.flow.close(channel)
                return core.channels.removeValue(forKey: channel)
            }?.call.cancel()
        }
    }

    // MARK: - Events

    /// Adds the next message of a stream, and returns whether more can follow.
    private func take(
        _ message: Result<[UInt8]?, GRPCError>, of channel: String, _ number: UInt64
    ) async -> Bool {
        defer { signal.continuation.yield() }
        do throws(WireError) {
            let bytes: [UInt8]?
            do throws(GRPCError) { bytes = try message.get() } catch {
                throw calls.error(error, core.withLock { $0.channels[channel]?.generation } ?? 0, channel)
            }
            guard let bytes else { throw WireError(EventError(.unavailable, "the server ended the stream"), .reopen) }
            // The response of Subscribe is the same message without a commit.
            let response: PubSub.ManagedFetchResponse = try calls.read(bytes, channel)
            if let commit = response.commit { try await committed(commit, channel, number) }
            guard response.commit == nil || !response.events.isEmpty else { return true }
            var events: [ReceivedEvent] = []
            events.reserveCapacity(response.events.count)  // bounded: the messages are in memory
            var schema: EventSchema?
            for event in response.events {
                let id = event.event?.schemaID ?? ""
                if schema?.id != id { schema = try await calls.schema(id) }
                if let schema { events.append(try schema.event(event, of: channel)) }
            }
            let (latest, now) = (ReplayID(bytes: response.latestReplayID), clock.now)
            core.withLock { [events] core in
                core.flow.arrived(
                    events, pending: Int(response.pendingNumRequested), latest: latest, on: channel, number, at: now)
            }
            return true
        } catch {
            core.withLock { $0.flow.failed(error, on: channel, number) }
            return false
        }
    }

    func receive(isCatchingUp: Bool) async throws(WireError) -> WireResponse {
        while !Task.isCancelled {
            switch core.withLock({ $0.flow.take() }) {
            case .response(let response, let credits):
                for credit in credits { await request(credit) }
                return response
            case .failure(let error):
                end()
                throw error
            case .wait:
                var iterator = signal.stream.makeAsyncIterator()
                guard await iterator.next() != nil else { throw Self.cancelled }
            }
        }
        throw Self.cancelled
    }

    private static let cancelled = WireError(EventError(.cancelled, "cancelled while waiting for events"), .none)

    /// Requests more events, with the renewed token if there is one.
    ///
    /// The stream's reader gets the error of a failure.
    private func request(_ credit: PubSubFlow.Credit) async {
        let issued = calls.newest
        let channel = core.withLock { core -> Channel? in
            defer { if let issued { core.channels[credit.channel]?.generation = issued.generation } }
            return core.channels[credit.channel]
        }
        guard let channel else { return }
        let isRenewed = issued != nil && issued?.generation != channel.generation
        let token = isRenewed ? issued?.credential.accessToken.reveal() : nil
        try? await channel.call.send(Self.request(channel.start, count: credit.count, token: token ?? ""))
    }

    /// Returns a request for events or a commit, of which the first one on a stream has the start.
    private static func request(
        _ start: ChannelStart, isFirst: Bool = false, count: Int = 0, token: String = "", commit: ReplayID? = nil
    ) -> [UInt8] {
        if let name = start.managed {
            var request = PubSub.ManagedFetchRequest()
            // bounded: a window at most
            (request.developerName, request.numRequested, request.authRefresh) = (name, Int32(count), token)
            if let commit {
                request.commit = PubSub.CommitReplayRequest()
                request.commit?.commitRequestID = commit.description
                request.commit?.replayID = commit.bytes ?? []
            }
            return request.encoded
        }
        var request = PubSub.FetchRequest()
        // bounded: a window at most
        (request.topicName, request.numRequested, request.authRefresh) = (start.channel, Int32(count), token)
        switch start.start {
        case _ where !isFirst: break
        case .latest: request.replayPreset = .latest
        case .earliest: request.replayPreset = .earliest
        case .after(let id): (request.replayPreset, request.replayID) = (.custom, id.bytes ?? [])
        }
        return request.encoded
    }

    // MARK: - Commits

    func commit(_ position: EventPosition) async {
        let (id, now) = (position.replayID, clock.now)
        let channel = core.withLock { core in
            core.flow.commit(id, on: position.channel, at: now) ? core.channels[position.channel] : nil
        }
        if let channel { try? await channel.call.send(Self.request(channel.start, commit: id)) }
    }

    /// Sends the next commit, or rejects the channel of one that the server did not store.
    private func committed(
        _ response: PubSub.CommitReplayResponse, _ channel: String, _ number: UInt64
    ) async throws(WireError) {
        if let failure = response.error {
            let words = "the position was not committed; \(EventError.said(failure.message))"
            throw WireError(EventError(.store, words, channel: channel), .none)
        }
        let now = clock.now
        let (next, stream) = core.withLock { core in
            let next = core.flow.committed(on: channel, number, at: now)
            if !core.flow.isCommitting { core.committed?.resolve(true) }
            return (next, core.channels[channel])
        }
        if let next, let stream { try? await stream.call.send(Self.request(stream.start, commit: next)) }
    }

    // MARK: - Silence

    /// Starts the check for streams that are silent, which ends with the connection.
    private func startWatch() {
        core.withLock { core in
            guard core.watch == nil else { return }
            core.watch = Task(name: "watch") { [weak self, clock] in
                while !Task.isCancelled {
                    guard let alarm = self?.checkSilence() else { return }
                    try? await clock.sleep(until: alarm, tolerance: nil)
                }
            }
        }
    }

    private func checkSilence() -> ContinuousClock.Instant {
        let now = clock.now
        let alarm = core.withLock { core in
            core.flow.checkSilence(at: now)
            return core.flow.nextAlarm
        }
        signal.continuation.yield()
        guard let alarm, alarm > now else { return now + PubSubFlow.silence }
        return alarm
    }
}
#endif
