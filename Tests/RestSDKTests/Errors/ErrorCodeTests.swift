// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Testing

@Suite("Codes of failures")
struct ErrorCodeTests {
    @Test("three codes say that somebody has to log in")
    func logins() {
        #expect(RestError.Code.all.filter(\.needsLogin) == [.unauthorized, .refreshFailed, .noAccount, .loggedOut])
    }
}

extension RestError.Code {
    /// Every code of the SDK.
    static let all: [RestError.Code] = [
        .cancelled, .timedOut, .notConnected, .transport, .tls, .unauthorized, .refreshFailed, .noAccount, .forbidden,
        .notFound, .rateLimited, .api, .server, .redirected, .decoding, .invalidRequest, .file, .tooLarge, .shutDown,
        .loggedOut, .circuitOpen, .proxyUnauthorized, .changesForgotten, .bodySource,
    ]
}
