// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTransport
import Synchronization

/// Measures whether the previous record replaces a record that is truncated at any length or has one of 2,000 flipped
/// bits.
func damageFigures() async throws {
    let bench = try await DamageBench()
    let size = bench.record.count
    let (lengths, bits) = (extent(size, short: 10), extent(2_000, short: 10))
    var lost = 0
    for length in 0..<lengths where try await !bench.survives(bench.record.prefix(length)) { lost += 1 }
    for _ in 0..<bits {
        var damaged = bench.record
        damaged[Int.random(in: 0..<size)] ^= 1 << UInt8.random(in: 0..<8)
        if try await !bench.survives(damaged) { lost += 1 }
    }
    if try await !bench.isOtherIntact() { lost += 1 }
    Figure(
        name: "auth.damage.lost", value: Double(lost), unit: "records", relation: .atMost, bound: 0,
        note: "\(lengths) truncations, \(bits) flipped bits, one account beside"
    ).print()
    Figure(
        name: "auth.damage.told", value: Double(bench.told), unit: "recoveries", relation: .atLeast,
        bound: Double(lengths + bits)
    ).print()
    bench.close()
}

/// A store with two generations of one account, and another account that must not change.
private final class DamageBench: Sendable {
    let record: Data
    private let previous: Data
    private let folder: URL
    private let recordName: String
    private let previousName: String
    private let store: FileCredentialStore
    private let recoveries: Recoveries

    private final class Recoveries: Sendable { let count = Mutex(0) }

    init() async throws {
        let recoveries = Recoveries()
        self.recoveries = recoveries
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("auth-\(UUID().uuidString)")
        store = FileCredentialStore(directory: folder.path) { _ in recoveries.count.withLock { $0 += 1 } }
        let version = try await store.save(Self.credential(1), for: "damaged", replacing: nil)
        _ = try await store.save(Self.credential(2), for: "damaged", replacing: version)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        recordName = names.first { $0.hasSuffix(".json") } ?? ""
        previousName = names.first { $0.hasSuffix(".prev") } ?? ""
        record = try Data(contentsOf: folder.appendingPathComponent(recordName))
        previous = try Data(contentsOf: folder.appendingPathComponent(previousName))
        _ = try await store.save(Self.credential(9), for: "other", replacing: nil)
    }

    /// The number of recoveries that the store reported.
    var told: Int { recoveries.count.withLock { $0 } }

    /// Whether the store returns the previous record instead of the damaged one.
    func survives(_ damaged: Data) async throws -> Bool {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.contains(".corrupt") {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        for (name, bytes) in [(recordName, damaged), (previousName, previous)] {
            let file = folder.appendingPathComponent(name)
            try bytes.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        return (try? await store.load("damaged"))?.credential == Self.credential(1)
    }

    func isOtherIntact() async throws -> Bool { try await store.load("other")?.credential == Self.credential(9) }
    func close() { try? FileManager.default.removeItem(at: folder) }

    private static func credential(_ number: Int) -> Credential {
        Credential(
            accessToken: Secret("access\(number)"), refreshToken: Secret("refresh\(number)"),
            instance: Origin(scheme: .https, host: "example.my.salesforce.com"), scopes: ["api", "refresh_token"])
    }
}
