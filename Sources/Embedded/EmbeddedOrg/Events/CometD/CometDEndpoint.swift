// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore
import Synchronization

/// `/cometd/VV.0`: events by long polling.
///
/// All requests run one after another on one queue. A request that waits for events is a closure and uses no thread.
final class CometDEndpoint: Sendable {
    typealias Deliver = @Sendable (ServerAction) -> Void

    private let bus: EventBus
    private let tokens: TokenService
    private let settings: EventSettings
    private let database: Database
    private let queue = DispatchQueue(label: "localorg.events")
    private let state: Mutex<State>

    private struct State {
        var sessions: CometDSessions
        var held: [String: Held] = [:]
        /// The topics with new events for which no check has begun.
        var woken: Set<String> = []
        /// The handshakes that are rejected because the server is busy.
        var busy = 0
        /// The connects whose reply ends the client.
        var adviceNone = 0
    }

    /// A request that waits for events.
    private struct Held: Sendable {
        let message: BayeuxMessage
        let token: String
        let deadline: DispatchTime
        let deliver: Deliver
    }

    init(_ bus: EventBus, _ tokens: TokenService, _ settings: EventSettings, _ database: Database) {
        (self.bus, self.tokens, self.settings, self.database) = (bus, tokens, settings, database)
        state = Mutex(State(sessions: CometDSessions(settings)))
        bus.listen(
            { [weak self] topics in self?.wake(topics) },
            subscribers: { [weak self] in self?.state.withLock { $0.sessions.subscribers } ?? [] })
    }

    private var hold: Int64 { settings.holdTime.milliseconds }

    func respond(_ request: ServerRequest, _ path: RequestPath) throws(OrgError) -> ServerAction {
        guard request.method == "POST" else { throw .methodNotAllowed(request.method, ["POST"]) }
        guard request.body.count <= BayeuxMessage.mostBytes else {
            throw OrgError("REQUEST_TOO_LARGE", "Maximum Request Size Exceeded")
        }
        guard let messages = BayeuxMessage.messages(request.body) else {
            throw .parser("The body must be a list of Bayeux messages")
        }
        return .later(.brief) { [self] in queue.sync { respond(messages, request, path) } }
    }

    /// Handles the messages of a request in order.
    ///
    /// A connect comes last, because its response may have to wait.
    private func respond(_ messages: [BayeuxMessage], _ request: ServerRequest, _ path: RequestPath) -> ServerAction {
        let client = BayeuxCaller(request, tokens)
        var (list, cookie, status): (BayeuxList, String?, Int) = (BayeuxList(), nil, 200)
        let connects = messages.filter { $0.channel == "/meta/connect" }
        let ordered = messages.filter { $0.channel != "/meta/connect" } + connects
        for (index, message) in ordered.enumerated() {
            do throws(BayeuxError) {
                guard APIVersion(cometd: path) != nil else { throw .version }
                guard message.channel == "/meta/connect" else {
                    list.append(try reply(to: message, of: client, &cookie).bytes())
                    continue
                }
                guard index == ordered.count - 1 else { throw .restricted }
                let token = try connect(message, of: client)
                let mayWait = state.withLock { $0.sessions.connect(message.clientID) }
                if mayWait, messages.count == 1, !message.isUrgent {
                    return .promised { [self] deliver in queue.async { [self] in poll(message, token, deliver) } }
                }
                release(message.clientID)
                try appendEvents(for: message.clientID, to: &list)
                list.append(connected(message).bytes())
            } catch {
                if error == .noCookie(message.clientID) { status = 400 }
                list.append(rejection(of: message, error).bytes())
            }
        }
        return .ready(ServerReply(response(list, status: status, cookie: cookie)))
    }

    private func rejection(of message: BayeuxMessage, _ error: BayeuxError) -> JSONValue {
        message.reply(error, error.advice.map { [("advice", $0.value(hold: hold))] } ?? [])
    }

    private func response(_ list: consuming BayeuxList, status: Int = 200, cookie: String? = nil) -> ServerResponse {
        list.bytes.append(UInt8(ascii: "]"))
        var response = ServerResponse.json(status, list.bytes)
        if let cookie {
            response.fields.append(("Set-Cookie", "\(CometDSessions.cookie)=\(cookie); Path=/; HttpOnly"))
        }
        return response
    }
}

extension CometDEndpoint {
    // MARK: Messages

    private func reply(
        to message: BayeuxMessage, of client: BayeuxCaller, _ cookie: inout String?
    ) throws(BayeuxError) -> JSONValue {
        if message.channel == "/meta/handshake" { return handshake(message, client, &cookie) }
        try check(message, client, cookie)
        switch message.channel {
        case "/meta/subscribe":
            try subscribe(message)
            // A request that waits gets the replayed events.
            queue.async { [weak self] in self?.deliverEvents(to: message.clientID) }
            return message.reply()
        case "/meta/unsubscribe":
            state.withLock { state in
                for name in message.subscriptions ?? [] { state.sessions.unsubscribe(message.clientID, from: name) }
            }
            return message.reply()
        case "/meta/disconnect":
            let held = state.withLock { state in
                state.sessions.close(message.clientID)
                return state.held.removeValue(forKey: message.clientID)
            }
            if let held { send(held, held.message.reply(nil, [("advice", BayeuxAdvice.none.value(hold: hold))])) }
            return message.reply()
        default: throw .restricted
        }
    }

    private func check(_ message: BayeuxMessage, _ client: BayeuxCaller, _ new: String? = nil) throws(BayeuxError) {
        let cookies = client.cookies + [new].compactMap(\.self)
        let (user, now) = (try client.user(), bus.clock.milliseconds)
        try state.withLock { (state) throws(BayeuxError) in
            try state.sessions.find(message.clientID, user: user, cookies: cookies, at: now)
        }
    }

    private var mayDeliver: Bool {
        let now = bus.clock.milliseconds
        return state.withLock { $0.sessions.mayDeliver(at: now) }
    }

    private func handshake(_ message: BayeuxMessage, _ client: BayeuxCaller, _ cookie: inout String?) -> JSONValue {
        do throws(BayeuxError) {
            let user = try client.user()
            let id = RandomText.make(28, of: "abcdefghijklmnopqrstuvwxyz0123456789")
            let browser = client.cookies.first ?? RandomText.make(22)
            let now = bus.clock.milliseconds
            try state.withLock { (state) throws(BayeuxError) in
                if state.busy > 0 {
                    state.busy -= 1
                    throw .busy
                }
                try state.sessions.open(id, user: user, cookie: browser, at: now)
            }
            cookie = browser
            return message.reply(
                nil,
                [
                    ("clientId", JSONValue(id)), ("version", "1.0"), ("minimumVersion", "1.0"),
                    ("supportedConnectionTypes", ["long-polling"]), ("ext", ["replay": true, "payload.format": true]),
                    ("advice", BayeuxAdvice.retry.value(hold: hold)),
                ])
        } catch {
            let reason: JSONValue = ["failureReason": JSONValue(error.text)]
            let ext: JSONValue = ["sfdc": reason, "replay": true, "payload.format": true]
            return message.reply(.denied, [("ext", ext), ("advice", BayeuxAdvice.none.value(hold: hold))])
        }
    }

    /// Adds all channels of a message, or throws for the first one that is invalid.
    private func subscribe(_ message: BayeuxMessage) throws(BayeuxError) {
        guard let names = message.subscriptions, !names.isEmpty else { throw .noChannel }
        // Only a connect ends the client.
        guard mayDeliver else { throw BayeuxError(text: BayeuxError.dailyLimit.text) }
        for name in names {
            guard !name.isEmpty else { throw .noChannel }
            guard name.hasBytes(prefix: "/") else { throw .noSlash }
            guard !name.hasBytes(prefix: "/meta/"), !name.hasBytes("*") else { throw .restricted }
            let (id, text) = message.replay(of: name)
            let found = try reading { () throws(OrgError) in
                try bus.channel(named: name, database).map { (channel) throws(OrgError) in
                    (channel: channel, position: try bus.position(id, of: channel, database))
                }
            }
            guard let found else { throw .unknownChannel(name) }
            guard let position = found.position else { throw .replay(text) }
            try state.withLock { (state) throws(BayeuxError) in
                try state.sessions.subscribe(message.clientID, to: found.channel, from: position)
            }
        }
    }

    private func connect(_ message: BayeuxMessage, of client: BayeuxCaller) throws(BayeuxError) -> String {
        try check(message, client)
        let type = message.connectionType ?? "long-polling"
        guard type == "long-polling" else { throw .connectionType(type) }
        guard mayDeliver else { throw .dailyLimit }
        return client.token ?? ""
    }

    /// Uses the bus, which fails only if the database does.
    private func reading<Value>(_ body: () throws(OrgError) -> Value) throws(BayeuxError) -> Value {
        do throws(OrgError) { return try body() } catch { throw .busy }
    }

    // MARK: Events

    /// Sends events, or lets the request wait for some.
    private func poll(_ message: BayeuxMessage, _ token: String, _ deliver: @escaping Deliver) {
        let client = message.clientID
        release(client)
        let deadline = DispatchTime.now() + .milliseconds(Int(clamping: hold))
        let held = Held(message: message, token: token, deadline: deadline, deliver: deliver)
        // The request waits before the bus is read, so that no event is missed between the two. The session can have
        // ended since the request was checked.
        let isKnown = state.withLock { state in
            if state.sessions.hold(client) { state.held[client] = held }
            return state.held[client] != nil
        }
        guard isKnown else { return send(held, rejection(of: message, .unknownClient)) }
        deliverEvents(to: client)
        guard state.withLock({ $0.held[client] != nil }) else { return }
        // A client that is sent away does not wait.
        guard state.withLock({ $0.adviceNone == 0 }) else { return release(client) }
        queue.asyncAfter(deadline: deadline) { [weak self] in self?.release(client, at: .now()) }
    }

    /// Ends the waiting of a client, which must send its next request in time.
    private func end(_ client: String) {
        let now = bus.clock.milliseconds
        state.withLock { state in
            state.held[client] = nil
            state.sessions.release(client, at: now)
        }
    }

    /// Ends the waiting of a client without events, because its time is up or another request came.
    private func release(_ client: String, at time: DispatchTime = .distantFuture) {
        guard let held = state.withLock({ $0.held[client] }), held.deadline <= time else { return }
        end(client)
        send(held, connected(held.message))
    }

    /// The reply to a connect, with advice if the client must learn something.
    private func connected(_ message: BayeuxMessage) -> JSONValue {
        let advice = state.withLock { state -> BayeuxAdvice in
            defer { state.adviceNone = max(0, state.adviceNone - 1) }
            return state.adviceNone > 0 ? .none : .retry
        }
        return message.reply(nil, [("advice", advice.value(hold: hold))])
    }

    private func send(_ held: Held, _ reply: JSONValue, after list: consuming BayeuxList = BayeuxList()) {
        list.append(reply.bytes())
        held.deliver(.ready(ServerReply(response(list))))
    }

    /// Called after a commit with new events, under the lock of the database.
    private func wake(_ topics: Set<String>) {
        let isFirst = state.withLock { state in
            defer { state.woken.formUnion(topics) }
            return state.woken.isEmpty
        }
        guard isFirst else { return }
        queue.async { [weak self] in self?.deliverEvents() }
    }

    private func deliverEvents() {
        let waiting = state.withLock { state in
            defer { state.woken = [] }
            return state.held.keys.filter { client in
                state.sessions.subscriptions(client).contains { !state.woken.isDisjoint(with: $0.channel.topics) }
            }
        }
        for client in waiting { deliverEvents(to: client) }
    }

    /// Answers the request of a client that waits, if its channels have events.
    private func deliverEvents(to client: String) {
        guard let held = state.withLock({ $0.held[client] }) else { return }
        var (events, reply) = (BayeuxList(), JSONValue.null)
        do throws(BayeuxError) {
            guard tokens.login(of: held.token) != nil else {
                state.withLock { $0.sessions.close(client) }
                throw .invalidToken
            }
            try appendEvents(for: client, to: &events)
            guard !events.isEmpty else { return }
            reply = connected(held.message)
        } catch {
            reply = rejection(of: held.message, error)
        }
        end(client)
        send(held, reply, after: events)
    }

    /// Appends the next events of all subscriptions of a client, and moves the client after them.
    private func appendEvents(for client: String, to list: inout BayeuxList) throws(BayeuxError) {
        var room = settings.eventsPerResponse
        for subscription in state.withLock({ $0.sessions.subscriptions(client) }) where room > 0 {
            let page = try reading { () throws(OrgError) in
                try bus.events(of: subscription.channel, after: subscription.position, most: room, database)
            }
            room -= page.events.count
            list.append(page.events, on: subscription.channel.name, bus.schemas)
            state.withLock { $0.sessions.move(client, after: page, of: subscription.channel) }
        }
    }

    // MARK: Faults

    /// Forgets all clients, as after a restart of the server.
    func forgetClients() {
        let held = state.withLock { state in
            defer { state.held = [:] }
            state.sessions.closeAll()
            return state.held.values.map(\.self)
        }
        for held in held { send(held, rejection(of: held.message, .unknownClient)) }
    }

    func rejectHandshakes(_ count: Int) { state.withLock { $0.busy += max(0, count) } }

    /// Sends the next clients away, first those whose requests wait.
    func adviseNone(_ count: Int) {
        let waiting = state.withLock { state in
            state.adviceNone += max(0, count)
            return Array(state.held.keys)
        }
        for client in waiting { release(client) }
    }

    var clientCount: Int { state.withLock { $0.sessions.count } }

    var waitingCount: Int { state.withLock { $0.held.count } }
}
