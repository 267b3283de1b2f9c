// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestAuth

@Suite("The search for a My Domain")
struct DomainDiscoveryTests {
    private let discovery: AuthorizationServer.Discovery

    init() throws {
        discovery = try AuthorizationServer.Discovery(
            clientID: "a&b", redirectURI: "com.example.app:/found", version: "2.1")
    }

    @Test("the page gets the client and the redirect, and its result is the server at the My Domain")
    func found() throws {
        #expect(
            discovery.url.description
                == "https://welcome.salesforce.com/discovery?client_id=a%26b&client_version=2.1"
                + "&callback_url=com.example.app%3A%2Ffound")
        for domain in [
            "https%3A%2F%2Ffoo.my.salesforce.com", "foo.my.salesforce.com", "https%3A%2F%2FFOO.my.salesforce.com%2F",
        ] {
            let result = try discovery.result(
                from: "com.example.app:/found?my_domain=\(domain)&login_hint=ada%40example.com")
            #expect(result.server == AuthorizationServer(login: Origin(scheme: .https, host: "foo.my.salesforce.com")))
            #expect(result.loginHint == "ada@example.com")
        }
    }

    @Test(
        "a My Domain outside of Salesforce's domains is rejected",
        arguments: [
            "https://evil.example.com", "evil.example.com", "http://foo.my.salesforce.com",
            "https://foo.my.salesforce.com:8443", "https://foo.my.salesforce.com@evil.example.com",
            "https://foo.my.salesforce.com/path", "https://foo.my.salesforce.com?x=1",
            "https://evil.example.com/.my.salesforce.com", "foomy.salesforce.com.evil.example.com", "127.0.0.1",
            "javascript://foo.my.salesforce.com", "notsalesforce.com", "https://", "a b.my.salesforce.com",
        ])
    func foreign(domain: String) {
        expect(OAuthError.self, .foreignHost) {
            try discovery.result(
                from: "com.example.app:/found?my_domain=\(PercentEncoding.queryComponent(domain))")
        }
    }

    @Test(
        "a redirect without a My Domain, with two, or to another URL is not a result, and a hint cannot steer a terminal"
    )
    func invalid() throws {
        let good = "my_domain=foo.my.salesforce.com"
        for redirect in [
            "com.example.app:/found", "com.example.app:/found?my_domain=", "com.example.app:/other?\(good)",
            "com.example.app:/found?\(good)&\(good)", "com.example.app:/found?\(good)&%zz",
        ] {
            expect(OAuthError.self, .invalidCallback) { try discovery.result(from: redirect) }
        }
        for hint in ["", "%1B%5B2J", String(repeating: "a", count: 256)] {
            let result = try discovery.result(from: "com.example.app:/found?\(good)&login_hint=\(hint)")
            #expect(result.loginHint == nil)
        }
        expect(OAuthError.self, .invalidRequest) {
            try AuthorizationServer.Discovery(clientID: "id", redirectURI: "javascript:alert(1)")
        }
    }
}
