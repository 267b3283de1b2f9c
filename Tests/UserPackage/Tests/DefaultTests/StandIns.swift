// SPDX-License-Identifier: Apache-2.0

import RestSDK

// Types that the samples expect an app to have, and that are not part of the SDK.

/// The counters of a program's metrics.
nonisolated struct Counters: Sendable {
    func add(_ name: String, _ labels: String..., value: Double = 1) { print(name, labels, value) }
}

/// The logger of swift-log.
nonisolated struct Logger: Sendable {
    enum Level { case debug, error }
    typealias Metadata = [String: String]

    func log(level: Level, _ message: String, metadata: Metadata) { print(level, message, metadata) }
}

/// A program's storage for its secrets.
nonisolated struct Vault: Sendable {
    func secret(of server: Origin) async throws -> Secret { Secret(server.host) }
}
