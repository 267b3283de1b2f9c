// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("Device logins")
struct DeviceLoginTests {
    private let clock = ManualClock()
    private let transport = StubTransport()
    private let pending = #"{"error":"authorization_pending"}"#
    private let slowDown = #"{"error":"slow_down"}"#

    private func client(_ endpoint: AuthorizationServer.DeviceEndpoint? = nil) -> OAuthClient {
        var server = AuthorizationServer(login: Credential.usualInstance)
        if let endpoint { server.deviceEndpoint = endpoint }
        return OAuthClient(server: server, clientID: "id", clientSecret: nil, transport: transport)
    }

    private func login(_ fields: String = #","interval":5,"expires_in":600"#) throws -> DeviceLogin {
        let text =
            #"{"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://example.com/device"\#(fields)}"#
        return try DeviceLogin(OAuthMembers(JSONValue(parsing: text)), at: clock.now)
    }

    private func seconds(_ values: Int...) -> [Duration] { values.map { .seconds($0) } }

    private func finish(_ login: DeviceLogin) async -> OAuthError? {
        do throws(OAuthError) {
            _ = try await client().finishDeviceLogin(login, clock: clock)
            return nil
        } catch { return error }
    }

    @Test("Salesforce's form and the standard form of a device login are supported")
    func forms() async throws {
        let standard = AuthorizationServer.DeviceEndpoint.standard(
            HTTPURL(origin: Credential.usualInstance, path: "/device_authorization"))
        for endpoint in [nil, standard] {
            transport.enqueue(#"{"device_code":"d","user_code":"U","verification_uri":"https://a.com/","interval":5}"#)
            transport.enqueue(status: 400, pending)
            transport.enqueue(#"{"access_token":"a1","refresh_token":"r1","scope":"api"}"#)
            let client = client(endpoint)
            let login = try await client.beginDeviceLogin(
                scopes: ["api"], deadline: clock.now + .seconds(9), clock: clock)
            #expect(try await client.finishDeviceLogin(login, clock: clock).refreshToken == "r1")
        }
        let forms = transport.requests.map(\.form)
        #expect(forms[0] == ["response_type": "device_code", "scope": "api", "client_id": "id"])
        #expect(forms[1] == ["grant_type": "device", "code": "d", "client_id": "id"])
        #expect(forms[3] == ["scope": "api", "client_id": "id"])
        #expect(transport.requests[3].url.path == "/device_authorization")
        #expect(forms[4]["device_code"] == "d")
        #expect(forms[4]["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
        #expect(clock.sleeps == seconds(5, 5, 5, 5))
    }

    @Test("A50: every slow_down adds five seconds permanently")
    func slowDowns() async throws {
        for body in [slowDown, slowDown, slowDown, pending] { transport.enqueue(status: 400, body) }
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(try await finish(login()) == nil)
        #expect(clock.sleeps == seconds(5, 10, 15, 20, 20))
    }

    @Test(
        "A51: the interval is 5 s by default, at least 1 s, and at most the lifetime of the code",
        arguments: [
            ("", 5), (#","interval":null"#, 5), (#","interval":0"#, 1), (#","interval":1000000000"#, 600),
            (#","interval":"7""#, 7), (#","interval":-3"#, 5), (#","interval":5.2"#, 6), (#","interval":"""#, 5),
            (#","interval":1e300"#, 5), (#","interval":"x""#, 5),
        ])
    func intervals(field: String, seconds: Int) throws {
        #expect(try login(field).interval == .seconds(seconds))
        #expect(try login(field + #","expires_in":1e300"#).lifetime == DeviceLogin.defaultLifetime)
        #expect(try login(field + #","expires_in":2"#).interval <= .seconds(2))
    }

    @Test(
        "A52: an expired code and a denied login end the polling with specific errors",
        arguments: [
            ("expired_token", OAuthError.Code.deviceCodeExpired), ("access_denied", .userDenied),
            ("invalid_grant", .invalidGrant),
        ])
    func ended(error: String, code: OAuthError.Code) async throws {
        transport.enqueue(status: 400, pending)
        transport.enqueue(status: 400, #"{"error":"\#(error)"}"#)
        #expect(try await finish(login())?.code == code)
        #expect(transport.requests.count == 2)
    }

    @Test("A52: a code without consent expires, and the last poll is at that time")
    func expired() async throws {
        for _ in 0..<5 { transport.enqueue(status: 400, pending) }
        #expect(try await finish(login(#","interval":5,"expires_in":12"#))?.code == .deviceCodeExpired)
        #expect(clock.sleeps == seconds(5, 5, 2))
    }

    @Test("A53: without a response the delay doubles, a response resets it, and the code's lifetime limits it")
    func timeouts() async throws {
        let lost = TransportError(.timedOut, "silent", mayHaveReachedServer: true)
        for _ in 0..<3 { transport.enqueue(.failure(lost)) }
        transport.enqueue(status: 400, pending)
        for _ in 0..<9 { transport.enqueue(.failure(lost)) }
        #expect(try await finish(login(#","interval":5,"expires_in":200"#))?.code == .deviceCodeExpired)
        #expect(clock.sleeps == seconds(5, 10, 20, 40, 5, 10, 20, 40, 50))
    }

    @Test("a delay that the server requests is kept")
    func retryAfter() async throws {
        transport.enqueue(status: 503, fields: ["Retry-After": "60"], "busy")
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(try await finish(login()) == nil)
        #expect(clock.sleeps == seconds(5, 60))
    }

    @Test(
        "a server error does not end the polling, whatever its body says",
        arguments: [
            (503, "invalid_grant"), (500, "server_error"), (429, "access_denied"), (400, "temporarily_unavailable"),
        ])
    func trouble(status: Int, name: String) async throws {
        transport.enqueue(status: status, fields: ["Retry-After": "60"], #"{"error":"\#(name)"}"#)
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(try await finish(login()) == nil)
        #expect(clock.sleeps == seconds(5, 60))
    }

    @Test(
        "a gateway's page between two polls is ignored, whatever its status is, until the code expires",
        arguments: [(200, "text/html"), (403, "text/html"), (302, ""), (511, "text/html"), (200, "text/plain")])
    func pages(status: Int, type: String) async throws {
        let fields: HTTPFields = type.isEmpty ? [:] : ["Content-Type": type]
        for _ in 0..<2 { transport.enqueue(status: status, fields: fields, type.isEmpty ? "" : "<html>Welcome</html>") }
        transport.enqueue(status: 400, pending)
        transport.enqueue(#"{"access_token":"a1"}"#)
        #expect(try await finish(login()) == nil)
        #expect(clock.sleeps == seconds(5, 10, 20, 5))
        for _ in 0..<9 { transport.enqueue(status: status, fields: fields, "<html>Welcome</html>") }
        #expect(try await finish(login(#","interval":5,"expires_in":60"#))?.code == .deviceCodeExpired)
    }

    @Test("members that are null or empty are read as missing members")
    func nulls() throws {
        let nothing = #","interval":null,"expires_in":"","verification_uri_complete":null,"error":null"#
        #expect(try login(nothing) == login(""))
        let old = """
            {"device_code":"d","user_code":"U","verification_uri":null,"verification_url":"https://example.com/old"}
            """
        let login = try DeviceLogin(OAuthMembers(JSONValue(parsing: old)), at: clock.now)
        #expect(login.verificationURI == "https://example.com/old")
    }

    @Test("cancelling ends the polling")
    func cancelled() async throws {
        let login = try login()
        let task = Task { [transport] in
            let client = OAuthClient(
                login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: transport)
            return try await client.finishDeviceLogin(login)
        }
        task.cancel()
        await expect(OAuthError.self, .cancelled) { try await task.value }
    }

    @Test(
        "A54: a URL that is not https is shown, but never opened",
        arguments: ["http://example.com/device", "javascript:alert(1)", "file:///etc/passwd", "ftp://a/", "//a", "x"])
    func unsafeAddress(address: String) throws {
        let text = #"{"device_code":"d","user_code":"U","verification_uri":"\#(address)"}"#
        let login = try DeviceLogin(OAuthMembers(JSONValue(parsing: text)), at: clock.now)
        #expect(login.page == nil)
        #expect(login.verificationURI == address)
    }

    @Test("A54: https URLs and http URLs of this machine can be opened, with the code if the server includes it")
    func safeAddress() throws {
        #expect(try login().page?.description == "https://example.com/device")
        let complete = #","verification_uri_complete":"https://example.com/device?user_code=WDJB-MJHT""#
        #expect(try login(complete).page?.query == "user_code=WDJB-MJHT")
        #expect(try login(#","verification_uri_complete":"javascript:x""#).page?.query == nil)
        let local = #"{"device_code":"d","user_code":"U","verification_uri":"http://127.0.0.1:4000/d"}"#
        #expect(try DeviceLogin(OAuthMembers(JSONValue(parsing: local)), at: clock.now).page != nil)
    }

    @Test(
        "a response without codes, or with control characters for a terminal, is rejected",
        arguments: [
            "{}", #"{"device_code":"","user_code":"U","verification_uri":"https://a"}"#,
            #"{"device_code":"d","user_code":"\u001b[2J","verification_uri":"https://a"}"#,
            #"{"device_code":"d","user_code":"U","verification_uri":"https://a/\u202Ex"}"#,
            #"{"device_code":"d","user_code":7,"verification_uri":"https://a"}"#,
        ])
    func refused(text: String) throws {
        let members = OAuthMembers(try JSONValue(parsing: text))
        expect(OAuthError.self, .invalidResponse) { try DeviceLogin(members, at: clock.now) }
    }
}
