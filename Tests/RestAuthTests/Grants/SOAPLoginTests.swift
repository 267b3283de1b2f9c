// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import RestTransport
import RestXML
import Testing

@testable import RestAuth

/// Answers of a SOAP API to logins.
enum SOAPAnswers {
    static let type: HTTPFields = ["Content-Type": "text/xml;charset=UTF-8"]
    static let user = "005000000000001AAA"
    static let organization = "00D000000000001AAA"

    static func login(
        session: String = "00D!s1",
        server: String = "https://example.my.salesforce.com/services/Soap/u/64.0/00D000000000001",
        user: String = user, organization: String = organization, seconds: String = "7200", expired: String = "false"
    ) -> String {
        SOAPEnvelope.partner.text(
            """
            <loginResponse><result><metadataServerUrl>x</metadataServerUrl><passwordExpired>\(expired)</passwordExpired>\
            <sandbox>false</sandbox><serverUrl>\(server)</serverUrl><sessionId>\(session)</sessionId>\
            <userId>\(user)</userId><userInfo><organizationId>\(organization)</organizationId>\
            <sessionSecondsValid>\(seconds)</sessionSecondsValid></userInfo></result></loginResponse>
            """)
    }

    static func fault(_ code: String, _ message: String = "no") -> String {
        SOAPEnvelope.partner.text(
            """
            <soapenv:Fault xmlns:sf="urn:fault.partner.soap.sforce.com"><faultcode>sf:\(code)</faultcode>\
            <faultstring>\(code): \(message)</faultstring><detail><sf:LoginFault>\
            <sf:exceptionCode>\(code)</sf:exceptionCode><sf:exceptionMessage>\(message)</sf:exceptionMessage>\
            </sf:LoginFault></detail></soapenv:Fault>
            """)
    }
}

@Suite("Logins by SOAP")
struct SOAPLoginTests {
    private let transport = StubTransport()
    private let server = Origin(scheme: .https, host: "login.salesforce.com")
    private var soon: ContinuousClock.Instant { .now + .seconds(9) }

    private func grant(_ password: Secret = "hunter2canary", token: Secret? = "TOKENcanary") -> PasswordGrant.SOAP {
        PasswordGrant.SOAP(username: "u@example.com", password: password, securityToken: token)
    }

    private func answer(_ body: String, status: Int = 200, fields: HTTPFields = SOAPAnswers.type) {
        transport.enqueue(status: status, fields: fields, body)
    }

    private func refusal(_ grant: PasswordGrant.SOAP? = nil) async -> OAuthError? {
        await #expect(throws: OAuthError.self) {
            try await (grant ?? self.grant()).login(at: server, transport: transport, deadline: soon)
        }
    }

    private func sent(_ position: Int) -> XMLElement? {
        guard transport.requests.count > position, case .bytes(let body) = transport.requests[position].body else {
            return nil
        }
        return XMLElement(parsing: body)
    }

    @Test("the answer becomes a credential: session, instance, user, org and lifetime")
    func credential() async throws {
        answer(SOAPAnswers.login())
        let credential = try await grant().login(at: server, transport: transport, deadline: soon)
        #expect(credential.accessToken == "00D!s1" && credential.refreshToken == nil)
        #expect(credential.instance.description == "https://example.my.salesforce.com")
        let identity = "https://login.salesforce.com/id/\(SOAPAnswers.organization)/\(SOAPAnswers.user)"
        #expect(credential.identityURL == identity && credential.userID == SOAPAnswers.user)
        #expect(credential.lifetime == .seconds(7200))
        #expect(credential.login?.server == server && credential.login?.username == "u@example.com")
        let request = try #require(transport.requests.first)
        #expect(request.method == .post && request.url.description == "\(server)/services/Soap/u/64.0")
        #expect(request.fields["SOAPAction"] == "login" && request.fields["Authorization"] == nil)
        #expect(request.fields["Content-Type"] == "text/xml; charset=UTF-8")
        let envelope = try #require(sent(0))
        #expect(envelope["Header"] == nil && envelope.soapContent?.name == "login")
        #expect(envelope.soapContent?["username"]?.text == "u@example.com")
        #expect(envelope.soapContent?["password"]?.text == "hunter2canaryTOKENcanary")
    }

    @Test(
        "a password arrives as it is, whatever it consists of",
        arguments: [
            "a\"b'c", "]]>", "<![CDATA[x]]>", "&amp;&#13;", "</password><x>", " blank ", "é😀\u{301}", "<!-- x -->",
            "a&b<c>d",
        ])
    func escaping(text: String) async throws {
        answer(SOAPAnswers.login())
        _ = try await PasswordGrant.SOAP(username: text, password: Secret(text), securityToken: nil)
            .login(at: server, transport: transport, deadline: soon)
        let call = sent(0)?.soapContent
        #expect(call?["username"]?.text == text && call?["password"]?.text == text && call?.children.count == 2)
    }

    @Test(
        "what XML cannot hold, or what a text of one line never has, is refused before anything is sent",
        arguments: ["a\u{0}", "a\u{1}b", "a\n", "a\r", "\ta", "a\u{7F}", "a\u{85}", "a\u{FFFE}", "\u{FFFF}", ""])
    func unsendable(text: String) async {
        for grant in [
            PasswordGrant.SOAP(username: "u", password: Secret(text)),
            PasswordGrant.SOAP(username: text, password: "p"),
        ] { #expect(await refusal(grant)?.code == .invalidRequest) }
        guard !text.isEmpty else { return }
        let token = await refusal(PasswordGrant.SOAP(username: "u", password: "p", securityToken: Secret(text)))
        #expect(token?.code == .invalidRequest && token?.message.contains("security token") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("versions without logins, and servers that no password may go to, are refused before anything is sent")
    func refusedHere() async throws {
        for version in [-1, 0, 19, 65, 66, .max] {
            let error = await refusal(PasswordGrant.SOAP(username: "u", password: "p", version: version))
            #expect(error?.code == .invalidRequest)
        }
        let plain = Origin(scheme: .http, host: "login.salesforce.com")
        let error = await #expect(throws: OAuthError.self) {
            try await grant().login(at: plain, transport: transport, deadline: soon)
        }
        #expect(error?.code == .invalidRequest && transport.requests.isEmpty)
        answer(SOAPAnswers.login())
        let old = PasswordGrant.SOAP(username: "u", password: "p", version: 31)
        _ = try await old.login(at: server, transport: transport, deadline: soon)
        #expect(transport.requests.first?.url.path == "/services/Soap/u/31.0")
    }

    @Test("the client's id is the program's name to the server")
    func program() async throws {
        answer(SOAPAnswers.login())
        let client = OAuthClient(login: server, clientID: "<app>&", clientSecret: nil, transport: transport)
        _ = try await client.token(for: grant(), deadline: soon)
        #expect(sent(0)?["Header"]?["CallOptions"]?["client"]?.text == "<app>&")
    }

    @Test(
        "each fault is an error of its kind that says what to do, and is remembered where asking again cannot help",
        arguments: [
            ("INVALID_LOGIN", OAuthError.Code.invalidGrant, "security token", true),
            ("LOGIN_MUST_USE_SECURITY_TOKEN", .securityTokenRequired, "add the user's security token", true),
            ("LOGIN_CHALLENGE_ISSUED", .securityTokenRequired, "add the user's security token", true),
            ("API_DISABLED_FOR_ORG", .apiDisabled, "enable the API", true),
            ("INVALID_OPERATION_WITH_EXPIRED_PASSWORD", .passwordExpired, "new password", true),
            ("PASSWORD_LOCKOUT", .userLockedOut, "unlock", true),
            ("LOGIN_DURING_RESTRICTED_DOMAIN", .loginRestricted, "networks", false),
            ("LOGIN_DURING_RESTRICTED_TIME", .loginRestricted, "hours", false),
            ("UNSUPPORTED_API_VERSION", .unsupportedGrantType, "another grant", true),
            ("INVALID_OPERATION", .unsupportedGrantType, "another grant", true),
            ("SERVER_UNAVAILABLE", .serverUnavailable, "later", false),
            ("UNKNOWN_EXCEPTION", .serverUnavailable, "later", false),
            ("API_CURRENTLY_DISABLED", .serverUnavailable, "later", false),
            ("ORG_LOCKED", .init(rawValue: "ORG_LOCKED"), "ORG_LOCKED", false),
        ])
    func faults(name: String, code: OAuthError.Code, remedy: String, isFinal: Bool) async {
        for status in [500, 200] {
            answer(SOAPAnswers.fault(name, "said so"), status: status)
            let error = await refusal()
            #expect(error?.code == code && error?.isFinal == isFinal)
            #expect(error?.message.contains(remedy) == true && error?.message.contains("\(name): said so") == true)
        }
        #expect(transport.requests.count == 2)
    }

    @Test("no message and no code quotes password or token, whatever the server says; nothing that is printed does")
    func secrets() async throws {
        let sent = "hunter2canaryTOKENcanary u@example.com"
        answer(SOAPAnswers.fault("INVALID_LOGIN", sent), status: 500)
        answer(SOAPAnswers.fault("hunter2canary", sent), status: 500)
        for _ in 0..<2 {
            let error = await refusal()
            let told = "\(error?.code.rawValue ?? "") \(error?.message ?? "")"
            #expect(!told.contains("canary") && told.contains("«redacted»"))
        }
        var dumped = ""
        dump(grant(), to: &dumped)
        #expect(![dumped, "\(grant())", String(reflecting: grant())].joined().contains("canary"))
    }

    @Test("a server in trouble gives no verdict; how long to wait is told")
    func trouble() async {
        let fields: HTTPFields = ["Content-Type": "text/xml", "Retry-After": "7"]
        for (status, body) in [
            (429, SOAPAnswers.fault("INVALID_LOGIN")), (503, SOAPAnswers.login()), (500, ""), (502, "<a/>"),
        ] {
            answer(body, status: status, fields: fields)
            let error = await refusal()
            #expect(error?.code == .serverUnavailable && error?.retryAfter == .seconds(7) && error?.isFinal == false)
        }
    }

    @Test(
        "an answer that is none is refused",
        arguments: [
            "", "x", "<a/>", #"{"access_token":"a"}"#, SOAPEnvelope.partner.text(""),
            SOAPEnvelope.partner.text("<other/>"), SOAPEnvelope.partner.text("<loginResponse/>"),
            SOAPEnvelope.partner.text("<loginResponse><result/></loginResponse>"),
            SOAPEnvelope.partner.text("<Fault/>"),
            "<!DOCTYPE a [<!ENTITY b 'c'>]>" + SOAPAnswers.login(session: "&b;"),
            "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", SOAPAnswers.login(session: "&unknown;"),
            "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", SOAPAnswers.login() + "<more/>",
            SOAPAnswers.login(session: ""), SOAPAnswers.login(session: "a b"), SOAPAnswers.login(session: "a\u{301}"),
            SOAPAnswers.login(session: String(repeating: "a", count: 16_385)), SOAPAnswers.login(session: "<b/>"),
            SOAPAnswers.login(user: ""), SOAPAnswers.login(user: "005/../../x0001"),
            SOAPAnswers.login(organization: "x"),
            SOAPAnswers.login(server: ""), SOAPAnswers.login(server: "/services/Soap/u/64.0"),
            String(repeating: "<a>", count: 100_000),
            SOAPAnswers.login() + String(repeating: " ", count: 1 << 20),
        ])
    func unusable(body: String) async {
        answer(body)
        #expect(await refusal()?.code == .invalidResponse)
    }

    @Test("another type, another charset and a page are refused")
    func types() async {
        for type in ["text/xml;charset=ISO-8859-1", "text/xml; charset=utf-16", "application/json", "", "text/plain"] {
            answer(SOAPAnswers.login(), fields: ["Content-Type": type])
            #expect(await refusal()?.code == .invalidResponse, "\(type)")
        }
        answer("<html>Welcome</html>", fields: ["Content-Type": "text/html"])
        #expect(await refusal()?.code == .unexpectedContentType)
        for type in ["text/xml", "TEXT/XML; Charset=\"utf-8\"; x=y"] {
            answer(SOAPAnswers.login(), fields: ["Content-Type": type])
            let credential = try? await grant().login(at: server, transport: transport, deadline: soon)
            #expect(credential != nil, "\(type)")
        }
        for status in [204, 302, 400, 403, 404] {
            answer(SOAPAnswers.login(), status: status)
            #expect(await refusal()?.code == .invalidResponse)
        }
    }

    @Test(
        "a session for a foreign server or a plain one is refused like a token",
        arguments: [
            "https://evil.example.com/services/Soap/u/64.0", "http://example.my.salesforce.com/services/Soap/u/64.0",
            "https://example.my.salesforce.com:8443/x", "https://example.my.salesforce.com.evil.com/",
            "https://u:p@example.my.salesforce.com/", "http://127.0.0.1:1/x", "ftp://example.my.salesforce.com/",
        ])
    func foreign(url: String) async {
        answer(SOAPAnswers.login(server: url))
        let error = await refusal()
        #expect(error?.code == .invalidResponse && error?.message.contains("00D!s1") == false)
    }

    @Test("a policy of the app's own lets other instances pass")
    func policy() async throws {
        answer(SOAPAnswers.login(server: "https://org.example.com/services/Soap/u/64.0"))
        let credential = try await grant().login(
            at: server, transport: transport,
            instancePolicy: OAuthClient.InstancePolicy(allowedHostSuffixes: [".example.com"]), deadline: soon)
        #expect(credential.instance.host == "org.example.com")
    }

    @Test("a lifetime that nobody meant says nothing", arguments: ["", "0", "-1", "x", "99999999999999999999", "1e3"])
    func lifetime(text: String) async throws {
        answer(SOAPAnswers.login(seconds: text))
        #expect(try await grant().login(at: server, transport: transport, deadline: soon).lifetime == nil)
    }

    @Test("a session that opens nothing but the change of an expired password is none")
    func expiredPassword() async {
        answer(SOAPAnswers.login(session: "", expired: "true"))
        #expect(await refusal()?.code == .passwordExpired)
    }

    @Test("an org without SOAP logins, such as the embedded one, is told as such")
    func withoutLogins() async throws {
        let org = try await LocalOrg.start()
        let grant = PasswordGrant.SOAP(username: org.username, password: Secret(org.password))
        let error = await #expect(throws: OAuthError.self) {
            try await grant.login(
                at: Origin(parsing: org.instanceURL), transport: PlatformTransport.shared, deadline: soon)
        }
        #expect(error?.code == .unsupportedGrantType)
        await org.stop()
    }

    @Test("an answer of 20 MB is not read as one, and one that never comes ends with the deadline")
    func endless() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 20000000\r\n\r\n".utf8)
        let piece = Array(String(repeating: "<a>b</a>  ", count: 2_000).utf8)
        let long = try ScriptServer([.readRequest, .sendBytes(head), .flood(piece, count: 1_000)])
        let grant = PasswordGrant.SOAP(username: "u", password: "p")
        let (place, deadline) = (long.url().origin, soon)
        let refused = await #expect(throws: OAuthError.self) {
            try await grant.login(at: place, transport: PlatformTransport.shared, deadline: deadline)
        }
        #expect(refused?.code == .invalidResponse)
        let silent = try ScriptServer([.readRequest, .hold])
        let late = await #expect(throws: OAuthError.self) {
            try await grant.login(
                at: silent.url().origin, transport: PlatformTransport.shared, deadline: .now + .milliseconds(200))
        }
        #expect(late?.code == .timedOut)
    }
}
