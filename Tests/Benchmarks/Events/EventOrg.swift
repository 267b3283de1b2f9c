// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestEvents
import RestTransport

/// An org with a platform event, which a separate process serves.
struct EventOrg {
    static let object = "Order__e"
    static let channel = "/event/Order__e"
    private static let schema = """
        {"name": "Order__e", "fields": [
          {"name": "n__c", "type": "int"}, {"name": "Text__c", "type": "textarea", "length": 1000}
        ]}
        """

    let process: ServerProcess
    private let area: String
    private let file: String?

    /// Serves the org for the parent, and returns `false` if this process is not a server.
    static func serveIfAsked() async throws -> Bool {
        guard ServerProcess.isOurs else { return false }
        let settings = ProcessInfo.processInfo.environment
        var configuration = LocalOrgConfiguration(port: settings["EVENT_PORT"].flatMap { Int($0) })
        if let file = settings["EVENT_FILE"] { configuration.storage = .file(file) }
        configuration.schema = try OrgSchema(describe: Array(schema.utf8))
        (configuration.events.dailyDeliveries, configuration.events.clients) = (.max, 100_000)
        // The org's own app has a new key after a restart.
        let (id, secret) = ("events", "secret-of-the-events")
        configuration.connectedApps = [ConnectedApp(clientID: id, clientSecret: secret)]
        let org = try await LocalOrg.start(configuration)
        let login = [id, secret, org.issueCredential().accessToken, org.organizationID].joined(separator: "|")
        try ServerProcess.serve(port: org.port, token: login)
        await org.stop()
        return true
    }

    /// Starts the org in memory, or in a file, which keeps the login, on a port.
    init(area: String, file: String? = nil, port: Int? = nil) throws {
        var settings: [String: String] = [:]
        settings["EVENT_FILE"] = file
        settings["EVENT_PORT"] = port.map { "\($0)" }
        process = try ServerProcess(area: area, settings: settings)
        (self.area, self.file) = (area, file)
    }

    /// Kills the process and starts another one with the same file and port.
    func killed() throws -> EventOrg {
        process.kill()
        return try EventOrg(area: area, file: file, port: process.port)
    }

    var url: String { "http://127.0.0.1:\(process.port)" }

    /// The id and the secret of the app, a token, and the id of the org.
    var login: [String] { process.token.split(separator: "|").map(String.init) }

    /// A client that logs in again when the org no longer knows its token.
    func client() throws -> RestClient {
        try RestClient(loginURL: url, clientID: login[0], clientSecret: Secret(login[1]))
    }

    /// Publishes numbered events whose JSON has about 600 bytes.
    func publish(_ numbers: Range<Int>, _ client: RestClient) async throws {
        let text = JSONValue(String(repeating: "The quick brown fox. ", count: 18))
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 200) {
            let drafts = (start..<min(start + 200, numbers.upperBound)).map {
                Record.Draft(Self.object, ["n__c": JSONValue($0), "Text__c": text])
            }
            _ = try await client.send(.create(drafts)).get()
        }
    }
}

/// A protocol of subscriptions.
enum EventWires: String, CaseIterable {
    case cometD = "cometd"
    case pubSub = "pubsub"

    /// The protocols that this system has.
    static var all: [EventWires] {
        #if canImport(Darwin)
        [.cometD]
        #else
        [.cometD, .pubSub]
        #endif
    }

    var name: String { rawValue }

    /// Returns the settings of a subscription to an org.
    func options(_ org: EventOrg) -> EventOptions { options(port: org.process.port) }

    func options(port: Int) -> EventOptions {
        var options = EventOptions()
        #if !canImport(Darwin)
        if self == .pubSub { options.wire = .pubSub(at: Origin(scheme: .http, host: "127.0.0.1", port: port)) }
        #endif
        return options
    }
}
