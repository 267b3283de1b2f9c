// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginPeers
import RestSDK

/// Measures whether logins work with third-party authorization servers.
///
/// It tests every grant of each server, with the library and the command and each authentication method, twice in a row
/// on one port, under both names of this machine, with rotation and with tokens that live three seconds.
func loginFigures() async throws {
    let key = try LoginKey()
    defer { key.remove() }
    var (total, faults) = (0, [String]())
    for kind in LoginPeer.Kind.allCases.prefix(extent(.max, short: 1)) {
        for lifetime in extent([3_600, 3], short: [3_600]) {
            let peer = try LoginPeer(kind, lifetime: lifetime, key: key.publicText)
            defer { peer.stop() }
            let isShort = lifetime == 3
            let library =
                isShort ? [] : peer.scenarios(key: try JWTBearerGrant.PrivateKey(pem: Secret(key.privateText)))
            for scenario in library + peer.commandScenarios(soqlCommand, lifetime: isShort ? lifetime : nil) {
                total += 1
                do { try await scenario.run() } catch { faults.append("\(scenario.name), \(lifetime) s: \(error)") }
            }
        }
    }
    Figure(
        name: "logins.failed", value: Double(faults.count), unit: "of \(total)", relation: .atMost, bound: 0,
        note: (["Authlib, django-oauth-toolkit, Glewlwyd"] + faults).joined(separator: "; ")
    ).print()
}

/// The command next to this program.
private var soqlCommand: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("soql")
}

/// A key pair for signed assertions.
private struct LoginKey {
    let privateText: String
    let publicText: String
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("login-key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let (key, publicKey) = (folder.path + "/key.pem", folder.path + "/public.pem")
        try run("/usr/bin/openssl", ["genrsa", "-out", key, "2048"])
        try run("/usr/bin/openssl", ["pkey", "-in", key, "-pubout", "-out", publicKey])
        privateText = try String(contentsOfFile: key, encoding: .utf8)
        publicText = try String(contentsOfFile: publicKey, encoding: .utf8)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
