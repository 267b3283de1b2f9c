// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("Redirect policy")
struct RedirectPolicyTests {
    private let fields: HTTPFields = [
        "Authorization": "Bearer t", "cookie": "sid=1", "Sforce-Query-Options": "batchSize=200", "X-SFDC-Session": "s",
        "Content-Type": "application/json", "Accept": "*/*", "Proxy-Authorization": "p", "Origin": "o",
        "X-Api-Key": "k", "X-Auth-Token": "t", "Private-Token": "t", "Accept-Token": "t", "If-None-Match": "\"e\"",
        "RANGE": "bytes=0-9",
    ]

    private func decide(
        _ method: HTTPMethod = .get, _ status: Int, _ location: String?, from source: String = "https://a.com/x/y?q",
        body: HTTPBody = .empty, hops: Int = 0, policy: RedirectPolicy = RedirectPolicy()
    ) throws -> RedirectPolicy.Decision {
        let request = HTTPRequest(method: method, url: try HTTPURL(parsing: source), fields: fields, body: body)
        var head = HTTPResponse.Head(status: status)
        head.fields["Location"] = location
        return policy.decision(for: request, response: head, hops: hops)
    }

    private func followed(_ decision: RedirectPolicy.Decision) throws -> HTTPRequest {
        guard case .follow(let request) = decision else { throw RedirectPolicy.Rejection(rawValue: "\(decision)") }
        return request
    }

    @Test(
        "Other statuses than the five redirect statuses are not redirects",
        arguments: [200, 201, 300, 304, 305, 306, 309, 400, 401])
    func notRedirects(status: Int) throws {
        #expect(try decide(.get, status, "https://b.com/") == .deliver)
    }

    @Test(
        "The status decides whether the method and the body are kept",
        arguments: [
            (HTTPMethod.get, 301, HTTPMethod.get, false), (.get, 307, .get, false), (.head, 303, .head, false),
            (.post, 301, .get, false), (.post, 302, .get, false), (.post, 303, .get, false), (.post, 307, .post, true),
            (.post, 308, .post, true), (.put, 301, .put, true), (.patch, 302, .patch, true), (.put, 303, .get, false),
            (.delete, 308, .delete, true),
        ])
    func methods(method: HTTPMethod, status: Int, expected: HTTPMethod, keepsBody: Bool) throws {
        let body: HTTPBody = [.get, .head].contains(method) ? .empty : .bytes([1])
        let next = try followed(try decide(method, status, "/z", body: body))
        #expect(next.method == expected)
        #expect(next.body == (keepsBody ? body : .empty))
        #expect(next.url.description == "https://a.com/z")
        #expect(next.fields["Authorization"] == "Bearer t")
        #expect((next.fields["Content-Type"] == nil) == (method != expected))
    }

    @Test(
        "A55: credentials are not sent to another origin",
        arguments: ["https://b.com/", "https://a.com:8443/", "//a.com.b.com/"])
    func credentials(location: String) throws {
        let next = try followed(try decide(.get, 302, location))
        #expect(next.fields.map(\.name) == ["Content-Type", "Accept", "If-None-Match", "RANGE"])
    }

    @Test(
        "A56: https is never redirected to http",
        arguments: ["http://a.com/", "http://127.0.0.1/", "http://169.254.169.254/", "HTTP://a.com/x/y"])
    func insecure(location: String) throws {
        #expect(try decide(.get, 302, location) == .refuse(.insecure))
    }

    @Test(
        "A57: redirects to this machine, to link-local addresses and to other schemes than http are rejected",
        arguments: [
            ("https://169.254.169.254/latest", .internalAddress), ("https://127.0.0.1/", .internalAddress),
            ("https://[::1]/", .internalAddress), ("https://[::ffff:127.0.0.1]/", .internalAddress),
            ("https://[::ffff:7f00:1]/", .internalAddress), ("https://[fe80::1]/", .internalAddress),
            ("https://0.0.0.0/", .internalAddress), ("https://[::]/", .internalAddress),
            ("https://[0:0:0:0:0:0:0:1]/", .internalAddress), ("https://[0:0::ffff:7f00:1]/", .internalAddress),
            ("https://[0000:0000:0000:0000:0000:ffff:7f00:1]/", .internalAddress),
            ("https://[::0:FFFF:127.0.0.1]/", .internalAddress), ("https://[::7f00:1]/", .internalAddress),
            ("https://[0::0001]/", .internalAddress), ("https://[FEBF::1]/", .internalAddress),
            ("https://localhost/", .internalAddress), ("https://LOCALHOST:8443/", .internalAddress),
            ("https://a.localhost/", .internalAddress), ("https://[fd00:ec2::254]/", .internalAddress),
            ("https://10.0.0.1/", .internalAddress), ("https://10.255.255.255/", .internalAddress),
            ("https://172.16.0.1/", .internalAddress), ("https://172.31.255.1/", .internalAddress),
            ("https://192.168.1.1/", .internalAddress), ("https://100.64.0.1/", .internalAddress),
            ("https://100.127.255.255/", .internalAddress), ("https://198.18.0.1/", .internalAddress),
            ("https://[fc00::1]/", .internalAddress), ("https://[fec0::1]/", .internalAddress),
            ("https://[::ffff:10.0.0.1]/", .internalAddress), ("https://[::ffff:8.8.8.8]/", .internalAddress),
            ("https://[64:ff9b::a9fe:a9fe]/", .internalAddress),
            ("https://[0064:ff9b:0:0::7f00:1]/", .internalAddress), ("https://127.255.0.9/", .internalAddress),
            ("file:///etc/passwd", .badLocation),
            ("ftp://b.com/", .badLocation), ("javascript:alert(1)", .badLocation), ("https://u:p@b.com/", .badLocation),
            ("https://2130706433/", .badLocation), ("https://0x7f.1/", .badLocation),
            ("https://b.com/\r\nX: y", .badLocation),
            ("https://b.com\\@a.com/", .badLocation), ("https:///x", .badLocation),
        ] as [(String, RedirectPolicy.Rejection)])
    func refused(location: String, reason: RedirectPolicy.Rejection) throws {
        #expect(try decide(.get, 302, location) == .refuse(reason))
    }

    @Test(
        "Redirects to addresses of other machines are followed",
        arguments: [
            "[2001:db8::1]", "[fe00::1]", "[::1:0:7f00:1]", "[64:ff9b:2::7f00:1]", "128.0.0.1", "169.253.0.1",
            "9.255.255.255", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "192.169.0.1", "100.63.255.255",
            "100.128.0.1", "198.17.0.1", "198.20.0.1", "localhost.a.com",
        ])
    func otherMachines(host: String) throws {
        _ = try followed(try decide(.get, 302, "https://\(host)/"))
    }

    @Test("A missing or repeated Location header is rejected")
    func locations() throws {
        #expect(try decide(.get, 302, nil) == .refuse(.badLocation))
        let request = HTTPRequest(url: try HTTPURL(parsing: "https://a.com/"))
        var head = HTTPResponse.Head(status: 302)
        head.fields.append("Location", "/a")
        head.fields.append("location", "/b")
        #expect(RedirectPolicy().decision(for: request, response: head, hops: 0) == .refuse(.badLocation))
    }

    @Test(
        "A58: a write is never redirected to another origin", arguments: [HTTPMethod.post, .put, .patch, .delete],
        [301, 302, 303, 307, 308])
    func writes(method: HTTPMethod, status: Int) throws {
        #expect(try decide(method, status, "https://b.com/", body: .bytes([1])) == .refuse(.otherOriginWrite))
    }

    @Test("A body that can be read only once is not sent again")
    func oneShot() throws {
        let body = HTTPBody.stream(HTTPBody.Source.once { nil })
        #expect(try decide(.post, 307, "/z", body: body) == .refuse(.bodyNotReplayable))
        #expect(try followed(try decide(.post, 303, "/z", body: body)).body == .empty)
    }

    @Test("A restartable body is sent again if the redirect keeps the method, and omitted if it becomes a GET")
    func restartable() throws {
        let body = HTTPBody.stream(.restartable { { nil } })
        for status in [307, 308] {
            let next = try followed(try decide(.post, status, "/z", body: body))
            #expect(next.method == .post)
            #expect(next.body == body)
        }
        let read = try followed(try decide(.post, 303, "/z", body: body))
        #expect(read.method == .get)
        #expect(read.body == .empty)
    }

    @Test("The number of hops is limited, and redirects to other origins can be turned off")
    func limits() throws {
        #expect(try decide(.get, 302, "/z", hops: 5) == .refuse(.tooManyHops))
        _ = try followed(try decide(.get, 302, "/z", hops: 4))
        let policy = RedirectPolicy(followsOtherOrigins: false)
        #expect(try decide(.get, 302, "https://b.com/", policy: policy) == .refuse(.otherOrigin))
        _ = try followed(try decide(.get, 302, "/z", policy: policy))
    }

    @Test("Loopback may redirect to loopback and to https, but not to plain http on other hosts")
    func loopback() throws {
        let source = "http://127.0.0.1:8080/"
        let next = try followed(try decide(.get, 302, "http://127.0.0.1:9090/", from: source))
        #expect(next.fields["Authorization"] == nil)
        _ = try followed(try decide(.get, 302, "https://b.com/", from: source))
        #expect(try decide(.get, 302, "http://b.com/", from: source) == .refuse(.insecure))
        _ = try followed(try decide(.get, 302, "http://localhost/", from: source))
        #expect(try decide(.get, 302, "http://a.localhost/", from: source) == .refuse(.insecure))
    }

    @Test("A redirect within a private network is followed, but not from there to this machine")
    func network() throws {
        for source in ["https://10.0.0.1/", "https://[fd00::1]/"] {
            for target in ["https://192.168.0.1/", "https://10.0.0.1:8443/", "https://[fc00::2]/", "https://b.com/"] {
                _ = try followed(try decide(.get, 302, target, from: source))
            }
            for target in [
                "https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/", "https://[fe80::1]/",
            ] {
                #expect(try decide(.get, 302, target, from: source) == .refuse(.internalAddress))
            }
        }
    }

    @Test(
        "A body is never redirected to another origin, even in a read", arguments: [HTTPMethod.get, .head],
        [301, 302, 303, 307, 308])
    func bodiesOfReads(method: HTTPMethod, status: Int) throws {
        let decision = try decide(method, status, "https://b.com/", body: .bytes([1]))
        if method == .get, status == 303 {
            #expect(try followed(decision).body == .empty)
        } else {
            #expect(decision == .refuse(.otherOriginBody))
        }
        #expect(try followed(try decide(method, 307, "/z", body: .bytes([1]))).body == .bytes([1]))
    }
}
