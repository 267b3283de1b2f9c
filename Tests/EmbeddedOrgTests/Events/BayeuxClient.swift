// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

/// Speaks the Bayeux protocol as a test reads best, and keeps the cookie.
final class BayeuxClient {
    let client: OrgClient
    var clientID = ""
    var cookie: String?
    var path = "/cometd/60.0"
    private var number = 0
    private(set) var lastStatus = 0

    init(_ client: OrgClient) { self.client = client }

    /// A client that has shaken hands and made its first connect, which is answered at once.
    static func connected(_ client: OrgClient, _ channels: String..., replay: Int = -1) throws -> BayeuxClient {
        let bayeux = BayeuxClient(client)
        #expect(try bayeux.handshake()["successful"] == true)
        for channel in channels { #expect(try bayeux.subscribe(channel, replay: replay)["successful"] == true) }
        return bayeux
    }

    func send(_ messages: [JSONValue], token: String?? = nil) throws -> [JSONValue] {
        let body = JSONValue(JSONArray(messages)).description
        let fields = cookie.map { ["Cookie: other=1; BAYEUX_BROWSER=\($0)"] } ?? []
        let response = try client.send("POST", path, body: body, fields: fields, token: token)
        lastStatus = response.status
        if let set = response.field("Set-Cookie"),
            let value = set.split(separator: ";").first?.split(separator: "=").last
        {
            cookie = String(value)
        }
        return response.json.array.map(Array.init) ?? [response.json]
    }

    func message(_ channel: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        number += 1
        var members: JSONObject = ["channel": JSONValue(channel), "id": JSONValue("\(number)")]
        if !clientID.isEmpty { members["clientId"] = JSONValue(clientID) }
        for (name, value) in more { members[name] = value }
        return JSONValue(members)
    }

    func handshake(token: String?? = nil) throws -> JSONValue {
        clientID = ""
        let hello = message("/meta/handshake", ["version": "1.0", "supportedConnectionTypes": ["long-polling"]])
        let reply = try #require(try send([hello], token: token).first)
        clientID = reply["clientId"]?.string ?? ""
        return reply
    }

    func subscribe(_ channel: String, replay: Int? = nil) throws -> JSONValue {
        var more: [String: JSONValue] = ["subscription": JSONValue(channel)]
        if let replay { more["ext"] = ["replay": [channel: JSONValue(replay)]] }
        return try #require(try send([message("/meta/subscribe", more)]).first)
    }

    /// Connects once, and returns the events and the reply.
    func connect(timeout: Int? = nil) throws -> (events: [JSONValue], reply: JSONValue) {
        var more: [String: JSONValue] = ["connectionType": "long-polling"]
        if let timeout { more["advice"] = ["timeout": JSONValue(timeout)] }
        let messages = try send([message("/meta/connect", more)])
        return (messages.filter { $0["data"] != nil }, try #require(messages.last))
    }

    /// The events that are there now.
    func events() throws -> [JSONValue] { try connect(timeout: 0).events }
}

extension JSONValue {
    /// The parts of a change event in one line: `UPDATE Account 2 [Phone, LastModifiedDate]`.
    var change: String {
        let header = self["data"]?["payload"]?["ChangeEventHeader"]
        let fields = header?["changedFields"]?.array?.compactMap(\.string) ?? []
        let parts = [header?["changeType"]?.string, header?["entityName"]?.string].map { $0 ?? "?" }
        return parts.joined(separator: " ") + " \(header?["sequenceNumber"]?.int ?? 0) \(fields)"
    }

    var payload: JSONValue { self["data"]?["payload"] ?? .null }
    var replayID: Int? { self["data"]?["event"]?["replayId"]?.int }
}
