// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Connection {
    /// Opens a connection for some work, and closes it whatever becomes of the work.
    ///
    /// The work is done once, as it may write or read standard input: an older server is told, not met. For work on one
    /// object, names that the org does not know are met with near ones.
    static func work<Result: Sendable>(
        _ options: ConnectionOptions, on object: String? = nil, _ body: (RestClient) async throws -> Result
    ) async throws -> Result {
        try await closing(open(options), object) { connection in
            do {
                return try await body(connection.client)
            } catch let error as RestError where error.code == .notFound {
                guard let version = await connection.olderVersion() else { throw error }
                throw CommandFailure("the server supports API version \(version) at most; use --api-version \(version)")
            }
        }
    }

    /// The same for work that only asks the org: it is done once more when the server is older.
    static func read<Result: Sendable>(
        _ options: ConnectionOptions, on object: String? = nil, _ body: (RestClient) async throws -> Result
    ) async throws -> Result {
        try await closing(open(options), object) { try await $0.withClient(body) }
    }

    private static func closing<Result: Sendable>(
        _ connection: Connection, _ object: String?, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            var error = error
            if let object, let rest = error as? RestError {
                error = await NameHint(client: connection.client, object: object).reported(rest)
            }
            await connection.close()
            throw error
        }
    }
}
