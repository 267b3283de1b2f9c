// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("HTTPURL")
struct HTTPURLTests {
    @Test(
        "Well-formed URLs are taken apart",
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
        "Everything else is refused with the rule it breaks",
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

    @Test("A target is read as strictly as the same text behind an origin")
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
        "References resolve as RFC 3986 §5.4 says",
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

    @Test("Absolute references change the origin")
    func resolvesAbsolute() throws {
        let base = try HTTPURL(parsing: "https://a.com/b?q")
        #expect(try base.resolving("https://b.com:8443/x/../y").description == "https://b.com:8443/y")
        #expect(try base.resolving("//b.com").description == "https://b.com/")
        #expect(try base.resolving("//b.com/x#f").description == "https://b.com/x")
        for bad in ["ftp://b.com/", "file:///x", "javascript:alert(1)", "https://u@b.com/", "a b", "//", "data:,x"] {
            #expect(throws: HTTPURL.ParsingError.self) { try base.resolving(bad) }
        }
    }

    @Test("Only literal loopback addresses and the name reserved for them count as loopback")
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
