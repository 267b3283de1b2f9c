// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg

/// One org for the tests that only need some org and count nothing; it ends with the process.
enum SharedOrg {
    private static let started = Task { try await OrgClient.start() }

    static var client: OrgClient {
        get async throws { try await started.value }
    }
}
