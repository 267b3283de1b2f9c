// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore

/// A message of a client in the Bayeux protocol.
struct BayeuxMessage: Sendable {
    /// The maximum size of the body of a request, in bytes.
    static let mostBytes = 32_768

    let channel: String
    /// The ID of the message, which the reply repeats as it is.
    let id: JSONValue?
    let clientID: String
    let subscriptions: [String]?
    let connectionType: String?
    /// Whether the client wants a response at once.
    let isUrgent: Bool
    private let subscription: JSONValue?
    private let replay: JSONObject?

    /// Reads the body of a request: a list of messages, or one message.
    ///
    /// Returns `nil` if the body is not JSON or contains something else.
    static func messages(_ body: [UInt8]) -> [BayeuxMessage]? {
        let limits = JSONDocument.Limits(maximumDepth: 32)
        guard let root = try? JSONValue(parsing: body, limits: limits) else { return nil }
        let values = root.array.map(Array.init) ?? [root]
        let messages = values.compactMap(BayeuxMessage.init)
        return messages.count == values.count && !messages.isEmpty ? messages : nil
    }

    private init?(_ value: JSONValue) {
        guard let channel = value["channel"]?.string else { return nil }
        self.channel = channel
        id = value["id"]
        clientID = value["clientId"]?.string ?? ""
        subscription = value["subscription"]
        subscriptions = subscription?.string.map { [$0] } ?? subscription?.array?.map { $0.string ?? "" }
        connectionType = value["connectionType"]?.string
        isUrgent = value["advice"]?["timeout"]?.double == 0  // bounded: only compared
        replay = value["ext"]?["replay"]?.object
    }

    /// Returns the replay ID for a channel, which is −1 by default and −3 if it is not a number, and the client's text.
    func replay(of channel: String) -> (id: Int64, text: String) {
        guard let value = replay?[channel], !value.isNull else { return (-1, "-1") }
        let text = value.numberText ?? value.string ?? value.description
        // bounded: any number is compared with the IDs of the org
        return (value.numberText.flatMap { Int64($0) } ?? -3, Self.shortened(text))
    }

    static func shortened(_ text: String) -> String { String(decoding: text.utf8.prefix(100), as: UTF8.self) }

    func reply(_ error: BayeuxError? = nil, _ more: [(key: String, value: JSONValue)] = []) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [("channel", JSONValue(channel))]
        if let id { members.append(("id", id)) }
        // An unknown client gets no ID that it could continue to use, and a handshake a new one.
        let isKnown = error?.advice != .handshake && channel != "/meta/handshake"
        if !clientID.isEmpty, isKnown { members.append(("clientId", JSONValue(clientID))) }
        if let subscription { members.append(("subscription", subscription)) }
        members.append(("successful", JSONValue(error == nil)))
        if let error { members.append(("error", JSONValue(error.text))) }
        return JSONValue(JSONObject(members: members + more))
    }
}

enum BayeuxAdvice: String {
    case retry, handshake, none

    /// The advice with all its members, because some clients forget the former advice.
    func value(hold milliseconds: Int64) -> JSONValue {
        ["reconnect": JSONValue(rawValue), "interval": 0, "timeout": JSONValue(milliseconds)]
    }
}

/// An error of the protocol, in Salesforce's words.
struct BayeuxError: Error, Hashable {
    let text: String
    var advice: BayeuxAdvice?

    static let unknownClient = BayeuxError(text: "403::Unknown client", advice: .handshake)
    static let unauthenticated = BayeuxError(text: "401::Request requires authentication", advice: BayeuxAdvice.none)
    static let invalidToken = BayeuxError(text: "401::Authentication invalid", advice: BayeuxAdvice.none)
    static let denied = BayeuxError(text: "403::Handshake denied", advice: BayeuxAdvice.none)
    static let clientLimit = BayeuxError(text: "403::Organization concurrent user limit exceeded")
    static let dailyLimit = BayeuxError(
        text: "403::Organization total events daily limit exceeded", advice: BayeuxAdvice.none)
    static let busy = BayeuxError(text: "503::Server is too busy. Please try your request again later.")
    static let restricted = BayeuxError(text: "403::Restricted channel")
    static let noChannel = BayeuxError(text: "400::Channel name not specified")
    static let noSlash = BayeuxError(text: "400::Channel subscriptions must start with a leading '/'")
    static let tooManySubscriptions = BayeuxError(
        text: "403::User exceeded the maximum number of subscriptions")
    static let version = BayeuxError(
        text: "400::Unsupported API version. Only API versions '37.0' and above are supported. URI format: "
            + "'/cometd/\(APIVersion.latest.number).0'", advice: BayeuxAdvice.none)

    static func unknownChannel(_ name: String) -> BayeuxError {
        BayeuxError(
            text: "400::The channel you requested to subscribe to does not exist {\(BayeuxMessage.shortened(name))}")
    }

    /// The error for a replay ID that the org does not know, with the two spaces that clients look for.
    static func replay(_ id: String) -> BayeuxError {
        BayeuxError(
            text: "400::The replayId {\(id)} you provided was invalid.  Please provide a valid ID, -2 to replay all "
                + "events, or -1 to replay only new events.")
    }

    static func noCookie(_ client: String) -> BayeuxError {
        let text = "Client \(BayeuxMessage.shortened(client)) has established a session, but no"
        return BayeuxError(text: "400::\(text) \(CometDSessions.cookie) cookie present")
    }

    static func connectionType(_ name: String) -> BayeuxError {
        BayeuxError(text: "400::Invalid connection type \(BayeuxMessage.shortened(name))", advice: BayeuxAdvice.none)
    }
}

/// The sender of a request, with its session of the API and its cookies.
struct BayeuxCaller {
    let token: String?
    let login: TokenIssuer.Login?
    let cookies: [String]

    init(_ request: ServerRequest, _ tokens: TokenService) {
        // Some clients send the token alone.
        let field = request.fields["Authorization"]
        token = request.bearerToken ?? request.boundToken ?? field.flatMap { $0.hasBytes(" ") ? nil : $0 }
        login = (try? tokens.login(of: request)) ?? token.flatMap { tokens.bearerLogin(of: $0) }
        cookies = request.fields.values(of: "Cookie").flatMap { $0.split(anyOf: "; ") }.compactMap { pair in
            pair.removing(prefix: CometDSessions.cookie + "=").map(String.init)
        }
    }

    func user() throws(BayeuxError) -> String {
        guard let login else { throw token == nil ? .unauthenticated : .invalidToken }
        return login.subject
    }
}

extension APIVersion {
    /// Reads the version of `/cometd/60.0`, `/cometd/60.0/connect` or `/cometd/replay/36.0`.
    init?(cometd path: RequestPath) {
        var segments = path.segments.dropFirst()
        let isReplay = segments.first == "replay"
        if isReplay { segments = segments.dropFirst() }
        guard let version = segments.first.flatMap({ APIVersion(segment: "v\($0)") }), segments.count <= 2,
            isReplay || version.number >= 37
        else { return nil }
        self = version
    }
}

/// The messages of a response in JSON.
struct BayeuxList {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    var isEmpty: Bool { bytes.count == 1 }

    mutating func append(_ message: [UInt8]) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes += message
    }

    /// Appends the events of a channel.
    mutating func append(_ events: [StoredEvent], on channel: String, _ schemas: EventSchemas) {
        // bounded: the events are in memory, and their messages have less than 300 bytes more
        bytes.reserveCapacity(bytes.count + events.reduce(300) { $0 + $1.payload.count + 300 })
        var (topic, schema, head): (String?, EventSchema?, [UInt8]) = (nil, nil, [])
        for event in events {
            if event.topic != topic {
                (topic, schema) = (event.topic, schemas.schema(ofTopic: event.topic))
                head = Array(#"{"channel":"#.utf8)
                head.appendQuoted(ContiguousArray(channel.utf8).span)
                head += (schema.map { #","data":{"schema":"\#($0.id)","payload":"# } ?? #","data":{"event":{"#).utf8
            }
            append(head)
            if schema == nil {
                let time = WireTime.datetime(milliseconds: event.time).removing(suffix: "+0000") ?? ""
                bytes += #""createdDate":"\#(time)Z","replayId":\#(event.replay)"#.utf8
                // A PushTopic's event has a type and a record, a generic event any payload.
                bytes += (event.type.isEmpty ? #"},"payload":"# : #","type":"\#(event.type)"},"sobject":"#).utf8
            }
            bytes += event.payload
            if schema != nil {
                bytes += #","event":{"replayId":"#.utf8
                bytes += String(event.replay).utf8
                if !event.uuid.isEmpty {
                    bytes += #","EventUuid":"#.utf8
                    // A publisher may have chosen it.
                    bytes.appendQuoted(ContiguousArray(event.uuid.utf8).span)
                }
                bytes.append(UInt8(ascii: "}"))
            }
            bytes += "}}".utf8
        }
    }
}
