// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("HTTPFields")
struct HTTPFieldsTests {
    @Test("Names compare without case, order and repeats stay")
    func access() {
        var fields: HTTPFields = ["Accept": "a", "X-B": "1"]
        fields.append("x-b", "2")
        #expect(fields["ACCEPT"] == "a")
        #expect(fields.values(of: "X-b") == ["1", "2"])
        #expect(fields.map(\.name) == ["Accept", "X-B", "x-b"])
        fields["x-B"] = "3"
        #expect(fields.map(\.value) == ["a", "3"])
        fields["Accept"] = nil
        #expect(fields.count == 1)
        fields["New"] = "n"
        #expect(fields.map(\.name) == ["x-B", "New"])
    }

    @Test(
        "A value whose name speaks of a secret is not shown",
        arguments: [
            "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-SFDC-Session", "X-Api-Key",
            "x-auth-token",
            "Private-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key", "X-Client-Secret",
            "X-Session-Id", "X-CSRF-Token", "Authentication-Info", "X-Password", "apikey", "X-Hub-Signature-256", "sid",
        ])
    func secrets(name: String) {
        let field = HTTPFields.Field(name: name, value: "canary")
        #expect(field.isSecret)
        #expect(!field.description.contains("canary") && !"\(Mirror(reflecting: field).children)".contains("canary"))
    }

    @Test(
        "Other values are shown",
        arguments: [
            "Accept", "Content-Type", "WWW-Authenticate", "Proxy-Authenticate", "If-None-Match", "Sforce-Limit-Info",
            "Retry-After", "ETag", "Location", "User-Agent", "X-Request-Id", "Sforce-Query-Options",
        ])
    func shown(name: String) {
        #expect(HTTPFields.Field(name: name, value: "plain").description == "\(name): plain")
    }

    @Test(
        "Only ASCII letters fold",
        arguments: [("a[", "A{"), ("k", "\u{212A}"), ("é", "É"), ("@a", "`a"), ("ab", "abc")])
    func foldsLettersOnly(left: String, right: String) {
        #expect(([left: "1"] as HTTPFields)[right] == nil)
    }
}
