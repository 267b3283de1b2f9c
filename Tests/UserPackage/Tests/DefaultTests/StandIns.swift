// SPDX-License-Identifier: Apache-2.0

import RestSDK

// What the samples take for granted: things that an app has, of which the SDK knows nothing.

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

/// Where a program keeps its secrets.
nonisolated struct Vault: Sendable {
    func secret(of server: Origin) async throws -> Secret { Secret(server.host) }
}
