// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Connection {
    /// Opens a connection for some work, and closes it whatever becomes of the work.
    static func work<Result: Sendable>(
        _ options: ConnectionOptions, _ body: (RestClient) async throws -> Result
    ) async throws -> Result {
        let connection = try await open(options)
        do {
            let result = try await body(connection.client)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }
}
