// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Synchronization

/// Measures whether any of forty realistic secrets appears in anything that can be printed.
func canaryFigure() async throws {
    let canaries = (0..<extent(5, short: 1)).map { CanarySet(round: $0) }
    let log = CanaryLog()
    for set in canaries {
        try await CanaryRun(canaries: set, log: log).run()
    }
    let text = log.text
    let all = canaries.flatMap(\.all)
    let found = all.filter { text.contains($0.core) }
    Figure(
        name: "auth.canaries", value: Double(found.count), unit: "secrets", relation: .atMost, bound: 0,
        note:
            "\(all.count) secrets in \(text.utf8.count >> 10) KiB of prints, errors, events, journals and mirrors"
            + (found.isEmpty ? "" : "; found: \(found.map(\.kind).joined(separator: ", "))")
    ).print()
}

/// A secret that cannot be confused with other text.
struct Canary: Sendable {
    let kind: String
    /// The part that must not appear anywhere.
    let core: String
    let secret: Secret

    init(_ kind: String, prefix: String) {
        self.kind = kind
        core = "caNAry" + UUID().uuidString.replacingOccurrences(of: "-", with: "")
        secret = Secret(prefix + core)
    }
}

/// One of each kind of secret.
struct CanarySet: Sendable {
    let access: Canary
    let refresh = Canary("refresh token", prefix: "5Aep861")
    let nextAccess = Canary("renewed access token", prefix: "00D000000000062!AQ")
    let nextRefresh = Canary("rotated refresh token", prefix: "5Aep861")
    let clientSecret = Canary("client secret", prefix: "")
    let password = Canary("password", prefix: "p&w ")
    let header = Canary("header of the caller's own", prefix: "Basic ")
    let cookie = Canary("cookie", prefix: "sid=")

    init(round: Int) {
        access = Canary(
            "access token", prefix: round.isMultiple(of: 2) ? "00D000000000062!AQ" : "eyJhbGciOiJSUzI1NiJ9.")
    }

    var all: [Canary] { [access, refresh, nextAccess, nextRefresh, clientSecret, password, header, cookie] }
}

/// Everything that can be printed.
final class CanaryLog: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func write(_ line: String) { lines.withLock { $0.append(line) } }

    func show(_ value: some Any) {
        var dumped = ""
        dump(value, to: &dumped)
        write(dumped)
        write("\(value)")
        write(String(reflecting: value))
        reflect(Mirror(reflecting: value), depth: 0)
        if let error = value as? any Error {
            write(error.localizedDescription)
            let error = error as NSError
            write("\(error) \(error.userInfo) \(String(reflecting: error))")
        }
    }

    private func reflect(_ mirror: Mirror, depth: Int) {
        guard depth < 12 else { return }
        if let parent = mirror.superclassMirror { reflect(parent, depth: depth + 1) }
        for child in mirror.children {
            write("\(child.label ?? ""): \(child.value)")
            reflect(Mirror(reflecting: child.value), depth: depth + 1)
        }
    }
}
