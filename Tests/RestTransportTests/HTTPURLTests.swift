// SPDX-License-Identifier: Apache-2.0

import RestBase
import Testing

@testable import RestTransport

@Suite("URLs")
struct HTTPURLTests {
    @Test(
        "Well-formed URLs are parsed into their parts",
        arguments: [
            ("https://example.com", "https://example.com/", "example.com", 443, "/"),
            ("HTTPS://EXAMPLE.com:443/a%20b?x=1&y", "https://example.com/a%20b?x=1&y", "example.com", 443, "/a%20b"),
            ("http://127.0.0.1:8080/?", "http://127.0.0.1:8080/?", "127.0.0.1", 8080, "/"),
            ("http://[::1]:80/x", "http://[::1]/x", "::1", 80, "/x"),
            ("https://[2001:db8::7:1.2.3.4]/", "https://[2001:db8::7:1.2.3.4]/", "2001:db8::7:1.2.3.4", 443, "/"),
            (
                "https://my_org--x.my.salesforce.com?q", "https://my_org--x.my.salesforce.com/?q",
                "my_org--x.my.salesforce.com", 443, "/"
            ),
        ])
    func parses(text: String, canonical: String, host: String, port: Int, path: String) throws {
        let url = try HTTPURL(parsing: text)
        #expect(url.description == canonical)
        #expect(url.origin.host == host)
        #expect(url.origin.port == port)
        #expect(url.path == path)
        #expect(try HTTPURL(parsing: canonical) == url)
    }

    @Test(
        "Malformed URLs are rejected with the rule that they break",
        arguments: [
            ("", .scheme), ("example.com", .scheme), ("//example.com/", .scheme), ("ftp://example.com/", .scheme),
            ("file:///etc/passwd", .scheme), ("https:/example.com", .scheme), ("javascript:alert(1)", .scheme),
            ("https://", .host), ("https:///x", .host), ("https://:80/", .host), ("https://-a.com/", .host),
            ("https://a..b/", .host), ("https://a.b./", .host), ("https://a%2eb/", .host),
            ("https://2130706433/", .host),
            ("https://0x7f.1/", .host), ("https://127.1/", .host), ("https://127.0.0.256/", .host),
            ("https://0177.0.0.1/", .host), ("https://[::1/", .host), ("https://[1:2]/", .host),
            ("https://[:::]/", .host),
            ("https://[1::2::3]/", .host), ("https://[::g]/", .host), ("https://[fe80::1%25eth0]/", .host),
            ("https://[1.2.3.4]/", .host), ("https://[::1]x/", .port), ("https://a.com:/", .port),
            ("https://a.com:0/", .port), ("https://a.com:65536/", .port), ("https://a.com:+1/", .port),
            ("https://a.com:1a/", .port), ("https://u@a.com/", .userInfo), ("https://u:p@a.com/", .userInfo),
            ("https://salesforce.com@evil.com/", .userInfo), ("https://a.com/#f", .fragment),
            ("https://evil.com#.salesforce.com", .fragment), ("https://a.com/a b", .character),
            ("https://a.com/\r\nX: y", .character), ("https://a.com/\0", .character), ("https://a.com/é", .character),
            ("https://a.com/\u{7F}", .character), ("https://a.com/<>", .character),
            ("https://a.com\\@b.com/", .character),
            (" https://a.com/", .character), ("https://a.com/%", .percentEncoding),
            ("https://a.com/%4", .percentEncoding),
            ("https://a.com/%zz", .percentEncoding),
            ("https://a.com/" + String(repeating: "a", count: 70_000), .length),
        ] as [(String, HTTPURL.ParsingError.Reason)])
    func refuses(text: String, reason: HTTPURL.ParsingError.Reason) {
        let error = #expect(throws: HTTPURL.ParsingError.self) { try HTTPURL(parsing: text) }
        #expect(error?.reason == reason)
    }

    @Test("A request target is parsed as strictly as a whole URL")
    func targets() throws {
        let base = try HTTPURL(parsing: "https://a.com")
        for text in ["/", "/b?c=d?e", "/%41?"] {
            #expect(try HTTPURL(origin: base.origin, target: text) == HTTPURL(parsing: "https://a.com\(text)"))
        }
        for bad in ["", "b", "?q", "https://a.com/", "/#f", "/ ", "/%4", "/é", "/\r\n"] {
            #expect(throws: HTTPURL.ParsingError.self) { try HTTPURL(origin: base.origin, target: bad) }
        }
    }

    @Test(
        "References are resolved as in the examples of RFC 3986 §5.4",
        arguments: [
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
            ("g?y", "/b/c/g?y"),
            ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
            ("g;x?y#s", "/b/c/g;x?y"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"),
            ("../", "/b/"),
            ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"),
            ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"),
            ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"),
            ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"),
            ("g?y/../x", "/b/c/g?y/../x"),
        ])
    func resolves(reference: String, target: String) throws {
        let base = try HTTPURL(parsing: "https://a.com/b/c/d;p?q")
        let resolved = try base.resolving(reference)
        #expect(resolved.target == target)
        #expect(resolved.origin == base.origin)
    }

    @Test("An absolute reference changes the origin")
    func resolvesAbsolute() throws {
        let base = try HTTPURL(parsing: "https://a.com/b?q")
        #expect(try base.resolving("https://b.com:8443/x/../y").description == "https://b.com:8443/y")
        #expect(try base.resolving("//b.com").description == "https://b.com/")
        #expect(try base.resolving("//b.com/x#f").description == "https://b.com/x")
        for bad in ["ftp://b.com/", "file:///x", "javascript:alert(1)", "https://u@b.com/", "a b", "//", "data:,x"] {
            #expect(throws: HTTPURL.ParsingError.self) { try base.resolving(bad) }
        }
    }

    @Test("Only loopback addresses and the name localhost count as loopback")
    func loopback() {
        let own = [
            "127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "0::0001", "::0.0.0.1", "localhost", "LocalHost",
        ]
        for host in own {
            #expect(Origin(scheme: .http, host: host).isLoopback)
        }
        for host in [
            "localhost.a.com", "a.localhost", "local", "127.0.0.1.a.com", "128.0.0.1", "127.0.0", "0.0.0.0", "::",
            "::2", "127.0.0.01",
            "::ffff:127.0.0.1",
        ] {
            #expect(!Origin(scheme: .http, host: host).isLoopback)
        }
    }
}

@Suite("Request bodies")
struct HTTPBodyTests {
    @Test("only a body in memory shows its bytes")
    func inMemory() {
        #expect(HTTPBody.bytes([1, 2]).inMemory == [1, 2])
        #expect(HTTPBody.empty.inMemory == [])
        #expect(HTTPBody.file(path: "/tmp/a").inMemory == nil)
        #expect(HTTPBody.stream(.once(length: 0) { nil }).inMemory == nil)
    }
}

@Suite("HTTP headers")
struct HTTPFieldsTests {
    @Test("Names are compared without case, and order and repeated names are preserved")
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
        "A value is hidden if the name suggests a secret",
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
        "Names ignore case only for ASCII letters",
        arguments: [("a[", "A{"), ("k", "\u{212A}"), ("é", "É"), ("@a", "`a"), ("ab", "abc")])
    func foldsLettersOnly(left: String, right: String) {
        #expect(([left: "1"] as HTTPFields)[right] == nil)
    }
}

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "a parsed date is written as it was read",
        arguments: [
            "Thu, 01 Jan 1970 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 2000 23:59:59 GMT",
            "Mon, 01 Mar 2100 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT",
            "Fri, 31 Dec 9999 23:59:59 GMT", "Tue, 29 Feb 1600 12:00:00 GMT",
        ])
    func roundTrip(text: String) throws {
        #expect(try #require(HTTPDate(text)).text == text)
    }

    @Test("days of eight centuries have the right weekday")
    func days() throws {
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        // 5 days, so that every weekday and every day of a month occurs.
        for day in stride(from: 0, to: Int64(146_097 * 2), by: 5) {
            let text = try #require(HTTPDate(secondsSince1970: day * 86_400 + 5).text)
            try #require(text.hasPrefix(names[Int(day % 7)]))
            try #require(HTTPDate(text)?.secondsSince1970 == day * 86_400 + 5)
        }
    }

    @Test("a year that does not have four digits has no text")
    func bounds() {
        #expect(HTTPDate(secondsSince1970: 253_402_300_800).text == nil)
        #expect(HTTPDate(secondsSince1970: -62_135_596_801).text == nil)
        #expect(HTTPDate(secondsSince1970: .max).text == nil && HTTPDate(secondsSince1970: .min).text == nil)
    }
}

@Suite("Percent encoding")
struct PercentEncodingTests {
    @Test("All characters except unreserved characters are escaped")
    func escapes() {
        #expect(PercentEncoding.pathSegment("a/b c+é~") == "a%2Fb%20c%2B%C3%A9~")
        #expect(
            PercentEncoding.queryComponent("SELECT Id FROM A WHERE B='x&y=z'+1%")
                == "SELECT%20Id%20FROM%20A%20WHERE%20B%3D%27x%26y%3Dz%27%2B1%25")
        #expect(PercentEncoding.queryComponent("\u{1F600}\0\n") == "%F0%9F%98%80%00%0A")
    }

    @Test("Dot segments are found in each spelling, and other segments are not taken for dot segments")
    func dotSegments() {
        for path in ["..", "/a/..", "/a/../b", "/./a", "/a/.", "/%2e%2E/a", "/a/.%2e", "/%2E"] {
            #expect(PercentEncoding.hasDotSegment(path), "\(path)")
        }
        for path in ["", "/", "/a//b", "/...", "/a.b", "/..a", "/a..", "/%2e%2e%2e", "/.%2f.", "/%zz", "/%252e"] {
            #expect(!PercentEncoding.hasDotSegment(path), "\(path)")
        }
    }

    @Test("Form encoding writes spaces as plus signs and preserves the order")
    func form() {
        let text = PercentEncoding.form([("grant_type", "password"), ("user name", "a+b@c.d"), ("x", "")])
        #expect(text == "grant_type=password&user+name=a%2Bb%40c.d&x=")
        #expect(PercentEncoding.form([]) == "")
    }

    @Test(
        "Decoding reverses every encoding",
        arguments: ["", "a b+c", "é\u{1F600}", "100%", "\0\r\n", "/?#[]@!$&'()*+,;="])
    func roundTrip(text: String) throws {
        #expect(try PercentEncoding.decode(PercentEncoding.pathSegment(text)) == text)
        #expect(try PercentEncoding.decode(PercentEncoding.queryComponent(text)) == text)
        let value = PercentEncoding.form([("", text)]).dropFirst()
        #expect(try PercentEncoding.decodeForm(String(value)) == text)
    }

    @Test(
        "Malformed escapes and invalid UTF-8 are rejected",
        arguments: ["%", "%4", "%zz", "a%C3", "%FF", "%ED%A0%80", "%C0%80"])
    func refuses(text: String) {
        #expect(throws: HTTPURL.ParsingError.self) { try PercentEncoding.decode(text) }
    }

    @Test("A plus sign is decoded to a space only in forms")
    func plus() throws {
        #expect(try PercentEncoding.decode("a+b%20c") == "a+b c")
        #expect(try PercentEncoding.decodeForm("a+b%20c%2B") == "a b c+")
    }
}

@Suite("Untrusted numbers")
struct NumberRangeTests {
    @Test("a number in its range is accepted", arguments: [("0", 0), ("7", 7), ("1000000000000", 1_000_000_000_000)])
    func taken(_ text: String, _ number: Int) {
        #expect(Int(outside: text, in: .count) == number)
        #expect(Int(outside: number, in: .count) == number)
        #expect(Int64(outside: text, in: .count) == Int64(number))
    }

    @Test(
        "a text that is not a plain number, or is out of range, is rejected",
        arguments: [
            "", "-", "-1", "+1", " 1", "1 ", "1e3", "0x10", "٣", "1000000000001", "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808", "99999999999999999999999", "000000000000000000001",
        ])
    func refused(_ text: String) {
        #expect(Int(outside: text, in: .count) == nil)
        #expect(Int64(outside: text, in: .count) == nil)
    }

    @Test("integers of other types that do not fit are rejected")
    func wide() {
        #expect(Int(outside: UInt64.max, in: .bytes) == nil)
        #expect(Int(outside: Int.min, in: .exponent) == nil)
        #expect(Int(outside: "-1000000", in: .exponent) == -1_000_000)
    }

    @Test("a number is clamped in its own type, even if the range is wider")
    func clamped() {
        #expect(NumberRange.bytes.clamped(Int32.max) == Int32.max)
        #expect(NumberRange.bytes.clamped(UInt64.max) == 1 << 50)
        #expect(NumberRange.epochMilliseconds.clamped(Int64.min) == 0)
        #expect(NumberRange.port.clamped(Int8.min) == 0)
    }

    @Test(
        "sums and small products of accepted numbers do not overflow",
        arguments: [
            NumberRange.count, .bytes, .seconds, .epochSeconds, .epochMilliseconds, .textPosition, .exponent,
        ])
    func arithmetic(_ range: NumberRange) {
        for bound in [range.bounds.lowerBound, range.bounds.upperBound] {
            #expect(!bound.multipliedReportingOverflow(by: 1_000).overflow)
            #expect(!(bound &* 1_000).addingReportingOverflow(bound).overflow)
        }
    }
}
