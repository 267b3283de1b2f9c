// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import HostileRequests
import RestJSON
import Testing

/// The org that the bad inputs go to one after another, with a record that none of them may change.
final class BadInputStage: Sendable {
    private static let folder = FileManager.default.temporaryDirectory.appending(path: "bad-input-\(UUID())").path
    private static let started = Task { try await BadInputStage() }
    static var shared: BadInputStage { get async throws { try await started.value } }

    let client: OrgClient
    private let file: String
    /// The record that watches, and what it reads as.
    let canary: String
    private let song: String

    private init() async throws {
        file = Self.folder + "/org.db"
        try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        // The stage serves all tests of the process, so only the end of the process can remove its directory.
        atexit { try? FileManager.default.removeItem(atPath: BadInputStage.folder) }
        var configuration = LocalOrgConfiguration(storage: .file(file))
        configuration.dailyRequestLimit = .max
        client = try await OrgClient.start(configuration)
        canary = try client.create("Account", #"{"Name":"Canary","ExternalId__c":"canary","Description":"sings"}"#)
        song = try client.get("/sobjects/Account/\(canary)").text
    }

    /// Sends the bytes of an input, and looks at the answer, at the connection, and at the org.
    func check(_ input: BadInput) throws {
        let state = try StoredState(file: file)
        let before = state.version
        let raw = try RawClient(port: client.org.port)
        // A refusal may be cut off by the reset that follows unread input.
        try? raw.send(Array(filled(input.bytes).utf8))
        let answer = try? raw.receive(hasBody: !input.bytes.hasPrefix("HEAD"))
        let isRight = answer.map { input.statuses.contains($0.status) } ?? (input.statuses.contains(0))
        #expect(isRight, "\(answer.map { "\($0.head)\n\n\($0.text.prefix(300))" } ?? "no answer")")
        if let code = input.code { #expect(answer?.errorCode ?? answer?.oauthError == code) }
        if let place = input.place {
            #expect(answer?.text.contains(place) == true, "\(answer?.text.prefix(300) ?? "")")
        }
        checkConnection(raw, input, answer)
        if !input.writes { #expect(state.version == before, "something was stored") }
        try sing()
    }

    private func checkConnection(_ raw: RawClient, _ input: BadInput, _ answer: RawClient.Answer?) {
        guard let answer else { return }
        let ends = answer.field("Connection")?.lowercased() == "close"
        if let expected = input.ends { #expect(ends == expected, "\(answer.head)") }
        guard !ends else { return #expect(raw.isClosed()) }
        try? raw.send(Array(filled("GET /services/data HTTP/1.1\r\nHost: {host}\r\n\r\n").utf8))
        let next = try? raw.receive()
        #expect(next?.status == 200 && next?.json.array?.count == 38, "the connection goes on: \(next?.head ?? "")")
    }

    /// On a connection of its own, the canary reads as it did.
    func sing() throws {
        #expect(try client.get("/sobjects/Account/\(canary)").text == song)
    }

    /// The text with what the org has; of a very long one, only its beginning.
    private func filled(_ text: String) -> String {
        let size = text.utf8.count < 60_000 ? text.count : 2_000
        let (head, port) = (String(text.prefix(size)), String(client.org.port))
        return head.replacing("{host}", with: "127.0.0.1:\(port)").replacing("{port}", with: port)
            .replacing("{token}", with: client.token).replacing("{data}", with: OrgClient.data)
            .replacing("{id}", with: canary) + text.dropFirst(size)
    }
}
