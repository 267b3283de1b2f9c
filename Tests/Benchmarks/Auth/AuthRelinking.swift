// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestTesting
import Simulation

/// Measures whether a user's token is ever sent with another user's call while processes share a key.
///
/// A third process unlinks and links the users of two orgs a thousand times. The orgs' journals are authoritative.
func relinkingFigures() async throws {
    let rounds = extent(1_000, short: 3)
    let folder = try TemporaryDirectory()
    var configuration = LocalOrgConfiguration(accessTokenLifetime: .milliseconds(100), refreshRotation: .strict)
    configuration.journalCapacity = 5_000_000
    let orgs = [try await LocalOrg.start(configuration), try await LocalOrg.start(configuration)]
    let relinking = RelinkingWorker(folder: folder.path("store"), orgs: orgs.map { KeyRelinking.Org($0) })
    async let users = [relinking.child("use"), relinking.child("use")]
    let failed = await [relinking.child("link \(rounds)")] + users
    let calls = orgs.map { org in org.journal.entries.compactMap { $0.field(KeyRelinking.label) } }
    let crossed = zip(orgs, calls).reduce(0) { sum, side in sum + side.1.count { $0 != side.0.instanceURL } }
    let shared = Set(orgs[0].secrets).intersection(orgs[1].secrets).count
    Figure(
        name: "auth.crossed", value: Double(crossed + shared), unit: "calls", relation: .atMost, bound: 0,
        note: "\(calls.joined().count) calls of 3 processes, \(rounds) rounds"
    ).print()
    let lost = try await KeyRelinking(orgs: [], folder: folder.path("store")).lost ?? rounds
    Figure(
        name: "auth.lost", value: Double(lost + failed.count { $0 != 0 }), unit: "records", relation: .atMost, bound: 0
    ).print()
    for org in orgs { await org.stop() }
}

extension LocalOrg {
    /// The fingerprints of all tokens that the org received.
    fileprivate var secrets: [String] {
        journal.entries.flatMap { entry in
            let form = entry.pathHasSuffix("/token") ? String(decoding: entry.body, as: UTF8.self) : ""
            let refresh = form.split(separator: "&").filter { $0.hasPrefix("refresh_token=") }.map { String($0) }
            return refresh + [entry.field("Authorization")].compactMap(\.self)
        }
    }
}

extension KeyRelinking.Org {
    fileprivate init(_ org: LocalOrg) {
        self.init(
            instance: org.instanceURL, clientID: org.clientID, clientSecret: org.clientSecret, username: org.username,
            password: org.password)
    }
}

struct RelinkingWorker: Codable {
    private static let variable = AuthWorker.variable("RELINKING")
    private static let roleVariable = AuthWorker.variable("ROLE")

    let folder: String
    let orgs: [KeyRelinking.Org]

    /// Runs the worker in the environment, or returns `false` if the environment has no worker.
    static func runIfAsked() async throws -> Bool {
        let environment = ProcessInfo.processInfo.environment
        guard let settings = environment[variable], let role = environment[roleVariable] else { return false }
        let worker = try JSONValue(parsing: Array(settings.utf8)).decode(RelinkingWorker.self)
        let relinking = KeyRelinking(orgs: worker.orgs, folder: worker.folder)
        if role == "use" {
            try await relinking.use()
        } else {
            try await relinking.link(rounds: role.split(separator: " ").last.flatMap { Int($0) } ?? 0)
        }
        return true
    }

    func child(_ role: String) async -> Int32 {
        guard let settings = try? json() else { return -1 }
        return await runArea(
            "auth", [Self.variable: String(decoding: settings, as: UTF8.self), Self.roleVariable: role])
    }
}
