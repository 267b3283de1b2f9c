// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The client's side of a Bayeux session as a value: it makes messages, reads responses, and follows the advice.
///
/// Everything in a response is untrusted. See the Bayeux specification 1.0, and Salesforce's Streaming API guide for
/// the replay extension and the texts of errors.
struct BayeuxSession: Sendable {
    /// The server's advice: what to do after a response.
    struct Advice: Sendable, Equatable {
        enum Reconnect: String, Sendable {
            case retry, handshake, none
        }

        var reconnect = Reconnect.retry
        /// The delay before the next connect.
        var interval: Duration = .zero
        /// The maximum time for which the server holds a connect.
        var timeout: Duration = .seconds(110)
        /// Whether the server has said how to reconnect.
        var isGiven = false
    }

    struct Response: Sendable {
        /// The replies to the client's messages, by their ids.
        var replies: [String: JSONValue] = [:]
        var events: [ReceivedEvent] = []
        var isDisconnected = false
    }

    private(set) var clientID: String?
    private(set) var advice = Advice()
    private(set) var cookies: [String: String] = [:]
    private var lastID = 0
    private var hasConnected = false

    /// The maximum numbers of messages in a response, and of cookies.
    private static let (mostMessages, mostCookies) = (100_000, 20)
    /// The maximum length of a client id or a cookie in bytes.
    private static let longestText = 4_096
    /// The maximum delay that a server can request.
    private static let longestInterval = NumberRange(0...300_000)
    private static let timeouts = NumberRange(1_000...600_000)
    /// The maximum size of a batch of messages in bytes, below the server's limit of 32,768.
    static let largestBatch = 30_000

    private mutating func message(_ channel: String, _ members: JSONObject) -> (id: String, JSONValue) {
        lastID += 1
        let id = String(lastID)
        var message: JSONObject = ["id": JSONValue(id), "channel": JSONValue(channel)]
        if let clientID { message["clientId"] = JSONValue(clientID) }
        for (name, value) in members { message[name] = value }
        return (id, JSONValue(message))
    }

    mutating func handshake() -> (id: String, JSONValue) {
        (clientID, hasConnected) = (nil, false)
        return message(
            "/meta/handshake",
            [
                "version": "1.0", "minimumVersion": "1.0", "supportedConnectionTypes": ["long-polling"],
                "ext": ["replay": true],
            ])
    }

    /// Makes a connect, which the server does not hold if it is urgent or the first one.
    mutating func connect(isUrgent: Bool = false) -> (id: String, JSONValue) {
        var members: JSONObject = ["connectionType": "long-polling"]
        if isUrgent || !hasConnected { members["advice"] = ["timeout": 0] }
        hasConnected = true
        return message("/meta/connect", members)
    }

    /// Returns the number for a position, or `nil` for a position of another protocol.
    static func replay(_ start: EventStart) -> Int64? {
        switch start {
        case .latest: -1
        case .earliest: -2
        case .after(let id): id.number
        }
    }

    mutating func subscribe(_ start: ChannelStart) -> (id: String, JSONValue) {
        let position = Self.replay(start.start).map { JSONValue($0) } ?? .null
        let replay = JSONObject(members: [(key: start.channel, value: position)])
        return message(
            "/meta/subscribe",
            ["subscription": JSONValue(start.channel), "ext": ["replay": JSONValue(replay)]])
    }

    mutating func unsubscribe(_ channel: String) -> (id: String, JSONValue) {
        message("/meta/unsubscribe", ["subscription": JSONValue(channel)])
    }

    mutating func disconnect() -> (id: String, JSONValue) { message("/meta/disconnect", [:]) }

    /// The `Cookie` header of the next request, or `nil` without cookies.
    var cookieHeader: String? {
        guard !cookies.isEmpty else { return nil }
        return cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    /// Keeps the cookies of a response, which tie the session to one server of the org.
    mutating func keepCookies(_ fields: HTTPFields) {
        for line in fields.values(of: "Set-Cookie") {
            let parts = line.split(byte: ";", maxSplits: 20)
            guard let pair = parts.first?.cut(byte: "="), line.utf8.count <= Self.longestText else { continue }
            let name = String(pair.before)
            guard !name.isEmpty, name.utf8.allSatisfy(ASCII.tokenCharacters.contains) else { continue }
            let isGone = parts.dropFirst().contains { $0.lowercased().without(" ") == "max-age=0" }
            if isGone {
                cookies[name] = nil
            } else if cookies[name] != nil || cookies.count < Self.mostCookies {
                cookies[name] = String(pair.after)
            }
        }
    }
}

extension BayeuxSession {
    /// Reads the messages of a response.
    ///
    /// - Throws: an error with the code ``EventError/Code/response`` for messages that are not Bayeux messages, or
    ///   events without a valid replay id.
    mutating func read(_ payload: JSONArray) throws(WireError) -> Response {
        guard payload.count <= Self.mostMessages else { throw .invalid("the response has too many messages") }
        var response = Response()
        for message in payload {
            // Most events are of the same channel, whose name is then stored once.
            let (name, last) = (message["channel"], response.events.last?.channel)
            let isSame = last.map { name?.isString($0) == true } ?? false
            guard let channel = isSame ? last : name?.string else { throw .invalid("a message has no channel") }
            if let advice = message["advice"] { follow(advice) }
            if isSame || !channel.hasBytes(prefix: "/meta/") {
                // A reply to a published message has no data, and this client publishes none.
                guard let data = message["data"] else { continue }
                response.events.append(try Self.event(channel, data))
            } else if channel == "/meta/disconnect", message["id"]?.string == nil {
                response.isDisconnected = true
            } else if let id = message["id"]?.string ?? message["id"]?.numberText {
                response.replies[id] = message
            }
        }
        return response
    }

    private static func event(_ channel: String, _ data: JSONValue) throws(WireError) -> ReceivedEvent {
        guard let number = data["event"]?["replayId"]?.int64, let id = ReplayID(number: number) else {
            throw .invalid("an event has no valid replay id", channel: String(channel.prefix(200)))
        }
        return ReceivedEvent(channel: channel, replayID: id, data: data)
    }

    /// Follows an advice, whose missing or invalid members change nothing.
    private mutating func follow(_ new: JSONValue) {
        if let text = new["reconnect"]?.string, let reconnect = Advice.Reconnect(rawValue: text) {
            (advice.reconnect, advice.isGiven) = (reconnect, true)
        }
        // bounded: both are clamped
        if let interval = new["interval"]?.int {
            advice.interval = .milliseconds(Self.longestInterval.clamped(interval))
        }
        // bounded: as above
        if let timeout = new["timeout"]?.int { advice.timeout = .milliseconds(Self.timeouts.clamped(timeout)) }
    }

    mutating func opened(_ reply: JSONValue?) throws(WireError) {
        guard let reply else { throw .invalid("the handshake has no reply") }
        guard reply["successful"]?.bool == true else { throw BayeuxFault(reply).error(.handshake, advice) }
        guard let id = reply["clientId"]?.string, !id.isEmpty, id.utf8.count <= Self.longestText else {
            throw .invalid("the reply to the handshake has no client id")
        }
        let replay = reply["ext"]?["replay"]
        guard replay?.bool == true || replay?.object != nil else {
            throw WireError(
                EventError(.rejected, "the server does not support replay; use API version 37 or later"), .none)
        }
        clientID = id
    }

    /// Reads the reply to a connect, or throws why the session is lost.
    func connected(_ reply: JSONValue?, _ response: Response) throws(WireError) {
        if let reply, reply["successful"]?.bool == false { throw BayeuxFault(reply).error(.connect, advice) }
        if response.isDisconnected || advice.reconnect != .retry {
            let error = EventError(.unavailable, "the server ended the session")
            throw advice.reconnect == .none
                ? WireError(EventError(.rejected, error.message), .none)
                : WireError(error, .reopen, after: advice.interval)
        }
        guard reply?["successful"]?.bool == true else { throw .invalid("the connect has no reply") }
    }

    /// Returns the error of a channel that was rejected, or `nil` if it was subscribed to.
    func rejection(_ reply: JSONValue?, of channel: String) -> WireError? {
        guard let reply else { return .invalid("the subscription has no reply", channel: channel) }
        guard reply["successful"]?.bool != true else { return nil }
        return BayeuxFault(reply).error(.subscribe(channel), advice)
    }
}

extension WireError {
    /// The error of messages that do not follow the protocol, which a proxy on the way may have caused.
    static func invalid(_ reason: String, channel: String? = nil) -> WireError {
        WireError(EventError(.response, "\(reason); check the proxies on the way", channel: channel), .retry)
    }
}
