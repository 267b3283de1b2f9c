// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestAuth

@Suite("Secrets")
struct SecretTests {
    private let canary = "00Dxx0000001gPL!AQcanary"

    @Test("A59: no way of printing shows the text")
    func redaction() {
        let secret = Secret(canary)
        var dumped = ""
        dump(secret, to: &dumped)
        let shown = [
            "\(secret)", String(reflecting: secret), String(describing: Optional(secret)), dumped, "\([secret])",
        ]
        #expect(!shown.contains { $0.contains("canary") })
        #expect(secret.reveal() == canary)
    }

    @Test("A59: a credential shows none of its tokens")
    func credential() {
        let credential = Credential(
            accessToken: Secret(canary), refreshToken: Secret("5Aep861canary"),
            instance: Origin(scheme: .https, host: "example.my.salesforce.com"))
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!dumped.contains("canary"))
        #expect(!"\(credential)".contains("canary"))
    }
}
