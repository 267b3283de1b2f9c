// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

/// A deadline that no healthy test reaches.
var soon: ContinuousClock.Instant { .now + .seconds(60) }

/// The text of a body.
func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

/// Runs a call that must fail and gives its error.
func failure(
    _ body: () async throws(TransportError) -> HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
    do {
        let response = try await body()
        Issue.record("expected an error, got status \(response.head.status)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
