// SPDX-License-Identifier: Apache-2.0

import RestAuth
package import RestBase
package import RestEvents
package import RestJSON
package import RestSDK
import RestTesting
package import RestTransport
package import Synchronization

/// A CometD server in memory as the platform's guide describes it, with faults, and a token endpoint.
///
/// It is a transport. ``serve()`` offers the same on a port of the machine.
package final class ModelEventServer: HTTPTransport {
    /// An error in the place of a response.
    package enum Fault: Sendable {
        /// It is lost on the way.
        case lost
        /// The server does not accept the connection.
        case refused
        /// The connection is half open: it is lost on the way, and the client notices nothing until its time limit.
        case silent
        /// It is done, and the replies come before the events.
        case repliesFirst
        /// It is done, and its response comes late.
        case slow
        /// It is done, and its response is lost.
        case responseLost
        /// The server forgets the session before it reads the request.
        case sessionLost
        /// This response comes, and nothing is done.
        case respond(Int, String)
    }

    package struct Session: Sendable {
        /// The next event of each channel, as an index.
        package var next: [String: Int] = [:]
        package var hasConnected = false
        package let cookie: String
    }

    package struct State: Sendable {
        package var channels: [String: [(id: Int, payload: JSONValue)]] = [:]
        /// The number of the first events of each channel that retention has removed.
        package var expired: [String: Int] = [:]
        /// The ids that retention has removed, or that never existed, are not in `channels`.
        package var lastID = 100
        package var sessions: [String: Session] = [:]
        package var lastSession = 0
        package var token = 1
        package var renewals = 0
        package var requests: [String] = []
        /// Whether a connect without events is held until there is one.
        package var holds = true
        package var waiters: [AwaitedValue<Bool>] = []
        /// The most events of one response.
        package var batch = 100
        package var rejections: [String: String] = [:]
        package var handshakeError: JSONValue?
        package var advice: JSONObject = ["reconnect": "retry", "interval": 0, "timeout": 110_000]

        /// The index from which a channel is read after an event, or `nil` if the event is not retained.
        package func index(in channel: String, after isLast: (Int) -> Bool) -> Int? {
            let retained = (channels[channel] ?? []).dropFirst(expired[channel] ?? 0)
            return retained.firstIndex { isLast($0.id) }.map { $0 + 1 }
        }

        package mutating func wake() -> [AwaitedValue<Bool>] {
            defer { waiters = [] }
            return waiters
        }
    }

    package let state = Mutex(State())
    private let fault: @Sendable (Int, String) -> Fault?

    package init(fault: @escaping @Sendable (Int, String) -> Fault? = { _, _ in nil }) {
        self.fault = fault
    }

    package func shutdown() async {}

    /// Publishes an event, and returns its id.
    @discardableResult
    package func publish(_ channel: String, _ payload: JSONValue) -> Int {
        let (id, waiters) = state.withLock { state in
            // With gaps, as the platform's ids have them.
            state.lastID += 1 + state.lastID % 3
            state.channels[channel, default: []].append((state.lastID, payload))
            return (state.lastID, state.wake())
        }
        for waiter in waiters { waiter.resolve(true) }
        return id
    }

    package func publish(_ channel: String, numbers: Range<Int>) {
        for number in numbers { publish(channel, ["n": JSONValue(number)]) }
    }

    /// Ends the retention of the events of a channel, and returns their ids.
    package func expire(_ channel: String) -> [Int] {
        state.withLock { state in
            state.expired[channel] = state.channels[channel]?.count
            return (state.channels[channel] ?? []).map(\.id)
        }
    }

    /// Expires the token, so that the next request needs a new one.
    package func expireToken() {
        let waiters = state.withLock { state in
            state.token += 1
            return state.wake()
        }
        for waiter in waiters { waiter.resolve(true) }
    }

    package func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw TransportError(.cancelled, "cancelled", mayHaveReachedServer: false) }
        guard case .bytes(let body) = request.body else { return Self.response(400, "") }
        if request.url.path.hasBytes(suffix: "/token") { return renew() }
        var wasHeld = false
        while true {
            switch respond(body, request.fields, wasHeld: wasHeld) {
            case .response(let response): return response
            case .late(let response):
                try? await Task.sleep(for: .milliseconds(2))
                return response
            case .lost(let code): throw TransportError(code, "lost", mayHaveReachedServer: code != .notConnected)
            case .hold(let waiter):
                guard await waiter.value(ifCancelled: false) else {
                    throw TransportError(.cancelled, "cancelled", mayHaveReachedServer: true)
                }
                wasHeld = true
            }
        }
    }

    enum Response {
        case response(HTTPResponse)
        case late(HTTPResponse)
        case lost(TransportError.Code)
        /// The connect is held until the value is resolved, and then asked again.
        case hold(AwaitedValue<Bool>)
    }

    private func renew() -> HTTPResponse {
        state.withLock { state in
            state.renewals += 1
            let text =
                #"{"access_token":"t\#(state.token)","refresh_token":"r","token_type":"Bearer","#
                + #""instance_url":"https://example.my.salesforce.com"}"#
            return Self.response(200, text)
        }
    }

    static func response(_ status: Int, _ text: String, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(text.utf8))
    }

    /// Responds to the messages of a request, which is not counted again after it was held.
    func respond(_ body: [UInt8], _ fields: HTTPFields, wasHeld: Bool) -> Response {
        guard let messages = (try? JSONValue(parsing: body))?.array, let first = messages.first else {
            return .response(Self.response(400, ""))
        }
        let name = first["channel"]?.string ?? ""
        let number = state.withLock { state in
            if !wasHeld { state.requests.append("\(name) \(first["id"]?.string ?? "")") }
            return state.requests.count - 1
        }
        let fault = wasHeld ? nil : fault(number, name)
        switch fault {
        case .lost: return .lost(.connectionLost)
        case .refused: return .lost(.notConnected)
        case .silent: return .lost(.timedOut)
        case .respond(let status, let text): return .response(Self.response(status, text))
        case .sessionLost: state.withLock { $0.sessions = [:] }
        case .responseLost, .repliesFirst, .slow, nil: break
        }
        // A held connect returns the events of channels that are added next to it.
        defer { if name == "/meta/subscribe" { for waiter in state.withLock({ $0.wake() }) { waiter.resolve(true) } } }
        return state.withLock { state in
            guard fields["Authorization"] == "Bearer t\(state.token)" else {
                // As the platform does: with status 200.
                let reply = messages.map { message -> JSONValue in
                    var reply = Self.reply(to: message, error: "401::Authentication invalid")
                    reply["advice"] = ["reconnect": "none", "interval": 0]
                    return JSONValue(reply)
                }
                return .response(Self.response(200, "\(JSONValue(JSONArray(reply)))"))
            }
            var replies: [JSONValue] = []
            var headers: HTTPFields = [:]
            for message in messages {
                guard let response = Self.respond(message, fields["Cookie"], &state, &headers) else {
                    let waiter = AwaitedValue<Bool>()
                    state.waiters.append(waiter)
                    return .hold(waiter)
                }
                replies += response
            }
            if case .responseLost = fault { return .lost(.connectionLost) }
            if case .repliesFirst = fault {
                replies = replies.filter { $0["data"] == nil } + replies.filter { $0["data"] != nil }
            }
            let response = Self.response(200, "\(JSONValue(JSONArray(replies)))", headers)
            if case .slow = fault { return .late(response) }
            return .response(response)
        }
    }

    private static func reply(to message: JSONValue, error: String? = nil) -> JSONObject {
        var reply: JSONObject = [
            "channel": message["channel"] ?? .null, "id": message["id"] ?? .null, "successful": JSONValue(error == nil),
        ]
        if let error { reply["error"] = JSONValue(error) }
        return reply
    }

    /// Answers a message, or returns `nil` for a connect that is held.
    private static func respond(
        _ message: JSONValue, _ cookie: String?, _ state: inout State, _ headers: inout HTTPFields
    ) -> [JSONValue]? {
        let channel = message["channel"]?.string ?? ""
        if channel == "/meta/handshake" {
            if let error = state.handshakeError { return [error.replying(to: message)] }
            state.lastSession += 1
            let id = "client\(state.lastSession)"
            state.sessions[id] = Session(cookie: "BAYEUX_BROWSER=\(id)")
            headers.append("Set-Cookie", "BAYEUX_BROWSER=\(id); Path=/; HttpOnly")
            var reply = reply(to: message)
            reply["clientId"] = JSONValue(id)
            (reply["ext"], reply["advice"]) = (["replay": true, "payload.format": true], JSONValue(state.advice))
            return [JSONValue(reply)]
        }
        guard let id = message["clientId"]?.string, var session = state.sessions[id], session.cookie == cookie else {
            var reply = reply(to: message, error: "403::Unknown client")
            reply["advice"] = ["reconnect": "handshake", "interval": 0]
            return [JSONValue(reply)]
        }
        defer { if state.sessions[id] != nil { state.sessions[id] = session } }
        switch channel {
        case "/meta/subscribe":
            let name = message["subscription"]?.string ?? ""
            if let error = state.rejections[name] { return [JSONValue(reply(to: message, error: error))] }
            let position = message["ext"]?["replay"]?[name]?.int ?? -1
            switch position {
            case -1: session.next[name] = state.channels[name]?.count ?? 0
            case -2: session.next[name] = state.expired[name] ?? 0
            default:
                guard let index = state.index(in: name, after: { $0 == position }) else {
                    return [
                        JSONValue(
                            reply(
                                to: message,
                                error: "400::The replayId {\(position)} you provided was invalid.  Please provide a "
                                    + "valid ID, -2 to replay all events, or -1 to replay only new events."))
                    ]
                }
                session.next[name] = index
            }
            var reply = reply(to: message)
            reply["subscription"] = JSONValue(name)
            return [JSONValue(reply)]
        case "/meta/unsubscribe":
            session.next[message["subscription"]?.string ?? ""] = nil
            return [JSONValue(reply(to: message))]
        case "/meta/disconnect":
            state.sessions[id] = nil
            return [JSONValue(reply(to: message))]
        default:
            var events: [JSONValue] = []
            for (name, index) in session.next.sorted(by: { $0.key < $1.key }) {
                let waiting = (state.channels[name] ?? []).dropFirst(index).prefix(state.batch)
                session.next[name] = index + waiting.count
                events += waiting.map { event(name, $0.id, $0.payload) }
            }
            let isUrgent = message["advice"]?["timeout"]?.int == 0
            if events.isEmpty, session.hasConnected, state.holds, !isUrgent { return nil }
            session.hasConnected = true
            return events + [JSONValue(reply(to: message))]
        }
    }

    static func event(_ channel: String, _ id: Int, _ payload: JSONValue) -> JSONValue {
        [
            "channel": JSONValue(channel),
            "data": ["schema": "s", "payload": payload, "event": ["replayId": JSONValue(id), "EventUuid": "u"]],
        ]
    }
}

extension JSONValue {
    fileprivate func replying(to message: JSONValue) -> JSONValue {
        var reply = object ?? [:]
        (reply["channel"], reply["id"]) = (message["channel"], message["id"])
        return JSONValue(reply)
    }
}

/// The server on a port of this machine.
package final class EventPort: Sendable {
    package let port: Int
    private let server: ConnectionServer

    package init(_ model: ModelEventServer) throws {
        server = try ConnectionServer(onOpen: {}, onStop: {}) { server, _, socket in
            var rest: [UInt8] = []
            while let request = Self.request(on: socket, &rest) {
                guard let response = Self.respond(request, model, server) else { return }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(response.body.count)\r\n"
                let cookies = response.head.fields.values(of: "Set-Cookie").map { "Set-Cookie: \($0)\r\n" }.joined()
                guard socket.send(Array("\(head)\(cookies)\r\n".utf8) + response.body) else { return }
            }
        } onClose: { _ in
        }
        port = server.port
    }

    deinit { server.stop() }

    private static func request(on socket: Socket, _ rest: inout [UInt8]) -> [UInt8]? {
        var framing = MessageFraming.request
        var request: [UInt8] = []
        while true {
            let count = framing.consume(rest[...])
            request += rest.prefix(count)
            rest.removeFirst(count)
            if framing.isComplete { return request }
            guard let bytes = socket.receive(), !bytes.isEmpty else { return nil }
            rest += bytes
        }
    }

    private static func respond(
        _ request: [UInt8], _ model: ModelEventServer, _ server: ConnectionServer
    ) -> HTTPResponse? {
        let text = String(decoding: request, as: UTF8.self)
        guard let (head, body) = text.cutHead else { return nil }
        var fields: HTTPFields = [:]
        for line in head.split(separator: "\r\n").dropFirst() {
            if let (name, value) = line.cut(byte: ":") { fields.append(String(name), value.trimmingBlanks) }
        }
        var wasHeld = false
        while true {
            switch model.respond(Array(body.utf8), fields, wasHeld: wasHeld) {
            case .response(let response), .late(let response): return response
            case .lost: return nil
            case .hold:
                guard server.pause(.milliseconds(2)) else { return nil }
                wasHeld = true
            }
        }
    }
}

extension String {
    fileprivate var cutHead: (Substring, Substring)? {
        firstRange(bytes: "\r\n\r\n").map { (self[..<$0.lowerBound], self[$0.upperBound...]) }
    }
}

/// A client of the server whose delays are skipped, with a login that can be renewed.
package func client(
    of server: ModelEventServer, clock: any MonotonicClock = ManualClock(alarmsBeyond: .seconds(45))
) throws -> RestClient {
    let instance = try HTTPURL(parsing: "https://example.my.salesforce.com").origin
    let credential = Credential(
        accessToken: "t1", refreshToken: "r", instance: instance,
        identityURL: "https://login.salesforce.com/id/00D000000000001AAA/005000000000001AAA")
    let oauth = OAuthClient(login: instance, clientID: "id", clientSecret: nil, transport: server)
    return RestClient(
        tokens: TokenManager(credential: credential, renewal: TokenManager.Renewal(client: oauth), clock: clock),
        configuration: RestClient.Configuration(transport: server, clock: clock))
}

/// Reads events, and returns their numbers.
package func numbers(
    _ count: Int, of events: EventSequence<ReceivedEvent>
) async throws -> [Int] {
    var numbers: [Int] = []
    for try await event in events {
        numbers.append(event["n"]?.int ?? -1)
        if numbers.count == count { break }
    }
    return numbers
}

/// The error with which a sequence ends.
package func ending<Element>(of events: EventSequence<Element>) async -> EventError? {
    do throws(EventError) {
        for try await _ in events {}
        return nil
    } catch {
        return error
    }
}
