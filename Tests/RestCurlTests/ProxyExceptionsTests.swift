// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestCurl

@Suite("The hosts that no proxy is for")
struct ProxyExceptionsTests {
    @Test(
        "An entry with a port holds for that port alone",
        arguments: [
            ("a.invalid:443", "a.invalid"), ("a.invalid:444", ""), ("a.invalid", "a.invalid"), ("*", "*"),
            ("a.invalid:444,b.invalid", "b.invalid"), (" a.invalid:443 , .b.invalid:443,", "a.invalid,.b.invalid"),
            ("[::2]:443", "[::2]"), ("[::2]:444", ""), ("::2", "::2"), ("fe80::443", "fe80::443"),
            ("a.invalid:x", "a.invalid:x"),
            ("a.invalid:99999", "a.invalid:99999"), ("10.0.0.0/8", "10.0.0.0/8"), ("", ""),
        ])
    func list(entries: String, expected: String) {
        let origin = Origin(scheme: .https, host: "a.invalid")
        #expect(ProxyExceptions([entries]).list(for: origin) == expected)
    }
}
