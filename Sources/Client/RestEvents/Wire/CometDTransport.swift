// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestBase
import RestJSON
import RestSDK
import RestTransport
import Synchronization

/// CometD with long polling, whose requests are ordinary calls of the client.
///
/// So tokens, redirects, proxies and trust are the client's. The calls wait in no queue of the client and are not
/// retried, because a lost response may have contained events: only a new session with positions gets them again.
struct CometDTransport: EventTransport {
    let client: RestClient

    func open() async throws(WireError) -> any EventTransportConnection {
        let connection = CometDConnection(client: client)
        try await connection.handshake()
        return connection
    }
}

final class CometDConnection: EventTransportConnection {
    /// The time after the server's own limit after which a held connect counts as dead.
    static let margin: Duration = .seconds(15)
    /// The timeout of messages that the server does not hold.
    private static let timeout: Duration = .seconds(60)

    private struct Core {
        var session = BayeuxSession()
        /// The error that ends the session after the events of the same response.
        var failure: WireError?
    }

    private let client: RestClient
    private let core = Mutex(Core())

    init(client: RestClient) { self.client = client }

    func handshake() async throws(WireError) {
        let (id, message) = core.withLock { $0.session.handshake() }
        let response = try await send([message], .handshake, Self.timeout)
        try judged { (core) throws(WireError) in try core.session.opened(response.replies[id]) }
    }

    func receive(isCatchingUp: Bool) async throws(WireError) -> WireResponse {
        let (failure, interval) = core.withLock { ($0.failure, $0.session.advice.interval) }
        if let failure { throw failure }
        if interval > .zero { try await pause(interval) }
        let (id, message, timeout) = core.withLock { core in
            let (id, message) = core.session.connect(isUrgent: isCatchingUp)
            return (id, message, core.session.advice.timeout + Self.margin)
        }
        let response = try await send([message], .connect, timeout)
        do throws(WireError) {
            try judged { (core) throws(WireError) in try core.session.connected(response.replies[id], response) }
        } catch {
            guard !response.events.isEmpty else { throw error }
            core.withLock { $0.failure = error }
        }
        return WireResponse(response.events)
    }

    private func pause(_ interval: Duration) async throws(WireError) {
        do { try await client.clock.sleep(until: client.clock.now + interval, tolerance: nil) } catch {
            throw WireError(EventError(.cancelled, "cancelled while waiting for the next connect"), .none)
        }
    }

    func subscribe(_ channels: [ChannelStart]) async throws(WireError) -> WireResponse {
        var result = WireResponse()
        for start in channels {
            guard case .after(let id) = start.start, id.number == nil else { continue }
            result.rejected[start.channel] = .otherWire(start.channel)
        }
        var rest = channels.filter { result.rejected[$0.channel] == nil }[...]
        while !rest.isEmpty {
            let (batch, ids) = core.withLock { core in Self.batch(&rest) { core.session.subscribe($0) } }
            let response = try await send(batch, .subscribe(""), Self.timeout)
            result.events += response.events
            for (id, channel) in ids {
                let rejection = core.withLock { $0.session.rejection(response.replies[id], of: channel) }
                guard let rejection else { continue }
                guard rejection.isOfChannel else { throw rejection }
                result.rejected[channel] = rejection
            }
        }
        return result
    }

    /// Takes as many channels as one request can have.
    private static func batch(
        _ channels: inout ArraySlice<ChannelStart>, _ make: (ChannelStart) -> (id: String, JSONValue)
    ) -> (messages: [JSONValue], ids: [(id: String, channel: String)]) {
        var (messages, ids, size): ([JSONValue], [(id: String, channel: String)], Int) = ([], [], 0)
        while let next = channels.first {
            // A message has its channel twice, the client id and a fixed text.
            size += 2 * next.channel.utf8.count + 400
            guard messages.isEmpty || size <= BayeuxSession.largestBatch else { break }
            channels.removeFirst()
            let (id, message) = make(next)
            messages.append(message)
            ids.append((id, next.channel))
        }
        return (messages, ids)
    }

    func unsubscribe(_ channels: [String]) async {
        var rest = channels.map { ChannelStart($0, .latest) }[...]
        while !rest.isEmpty {
            let messages = core.withLock { core in
                Self.batch(&rest) { core.session.unsubscribe($0.channel) }.messages
            }
            guard (try? await send(messages, .subscribe(""), Self.timeout)) != nil else { return }
        }
    }

    /// Does nothing, because CometD has no managed subscriptions.
    func commit(_ position: EventPosition) async {}

    func close() async {
        let message = core.withLock { $0.session.disconnect().1 }
        _ = try? await send([message], .connect, .seconds(5))
    }

    private func judged(_ body: (inout Core) throws(WireError) -> Void) throws(WireError) {
        let failure = core.withLock { core -> WireError? in
            do throws(WireError) { try body(&core) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    private func send(
        _ messages: [JSONValue], _ message: BayeuxFault.Message, _ timeout: Duration
    ) async throws(WireError) -> BayeuxSession.Response {
        var request = RestRequest(
            name: "cometd", method: .post, resource: .serverPath("/cometd/\(client.apiVersion.number).0"),
            fields: ["Content-Type": "application/json"], timeout: timeout, effect: .reads)
        request.body = .bytes(JSONValue(JSONArray(messages)).bytes())
        request.fields["Cookie"] = core.withLock { $0.session.cookieHeader }
        (request.retryPolicy, request.ignoresLimits, request.readsMessages) = (.never, true, true)
        let response: RestResponse
        do throws(RestError) { response = try await client.send(request) } catch {
            throw WireError(error, message)
        }
        guard let array = response.payload.array else { throw .invalid("the response is not a list of messages") }
        return try core.withLock { core throws(WireError) in
            core.session.keepCookies(response.head.fields)
            return try core.session.read(array)
        }
    }
}

extension WireError {
    /// The error of a position that another protocol has reported.
    static func otherWire(_ channel: String) -> WireError {
        WireError(
            EventError(
                .invalidPosition, "the replay id is of another protocol; use EventOptions.wire of its subscription",
                channel: channel),
            .position)
    }

    init(_ error: RestError, _ message: BayeuxFault.Message) {
        if (error.underlying as? OAuthError)?.code == .excessiveRefresh {
            // The next renewals are allowed soon. A server that restarts often forgets many tokens.
            self.init(EventError(.unavailable, error.message, underlying: error), .retry)
            return
        }
        let remedy: Remedy =
            switch error.code {
            case .notConnected, .transport, .timedOut, .server, .circuitOpen, .decoding: .retry
            // A renewed token was rejected too.
            case .unauthorized: .retry
            case .rateLimited: error.status == 429 ? .retry : .none
            // A server without the session's cookie, or without the session.
            case .api, .forbidden, .notFound: message == .connect ? .reopen : .none
            default: .none
            }
        self.init(EventError(error), remedy, after: min(error.retryAfter ?? .zero, .seconds(300)))
    }
}
