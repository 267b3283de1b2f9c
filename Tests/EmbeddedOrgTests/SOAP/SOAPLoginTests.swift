// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Testing

@Suite("SOAP login")
struct SOAPLoginTests {
    private func logIn(
        _ client: OrgClient, _ members: String, version: String = "60.0", type: String = "text/xml; charset=UTF-8",
        prolog: String = #"<?xml version="1.0" encoding="utf-8" ?>"#
    ) throws -> RawClient.Answer {
        let body = """
            \(prolog)<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><!-- a --><env:Header/><env:Body>
            <n1:login xmlns:n1="urn:partner.soap.sforce.com">\(members)</n1:login></env:Body></env:Envelope>
            """
        return try client.send(
            "POST", "/services/Soap/u/\(version)", body: body, fields: ["Content-Type: \(type)", "SOAPAction: login"],
            token: .some(nil))
    }

    private func members(_ username: String, _ password: String) -> String {
        "<n1:username>\(username)</n1:username>\n <n1:password>\(password)</n1:password>"
    }

    private func element(_ name: String, _ answer: RawClient.Answer) -> String? {
        let parts = answer.text.split(separator: "<\(name)>")
        return parts.count == 2 ? parts[1].split(separator: "<").first.map(String.init) : nil
    }

    @Test(
        "name and password with a security token give a session that opens the REST API",
        arguments: ["60.0", "20.0", "64.0"])
    func session(version: String) async throws {
        let client = try await SharedOrg.client
        let answer = try logIn(client, members(client.org.username, client.org.password + "TOKEN123"), version: version)
        #expect(answer.status == 200)
        #expect(answer.field("Content-Type") == "text/xml;charset=UTF-8")
        let session = try #require(element("sessionId", answer))
        #expect(
            element("serverUrl", answer)?.hasPrefix(client.org.instanceURL + "/services/Soap/u/\(version)/00D") == true)
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: session).status == 200)
    }

    @Test("a session tells whose it is, and ends; other calls and sessions are faults")
    func userAndEnd() async throws {
        let client = try await OrgClient.start()
        func call(_ name: String, _ session: String) throws -> RawClient.Answer {
            let body = """
                <se:Envelope xmlns:se="http://schemas.xmlsoap.org/soap/envelope/"><se:Header>
                <SessionHeader xmlns="urn:partner.soap.sforce.com"><sessionId>\(session)</sessionId></SessionHeader>
                </se:Header><se:Body><\(name) xmlns="urn:partner.soap.sforce.com"/></se:Body></se:Envelope>
                """
            return try client.send(
                "POST", "/services/Soap/u/60.0", body: body, fields: ["Content-Type: text/xml"], token: .some(nil))
        }
        let user = try call("getUserInfo", client.token)
        #expect(user.status == 200 && element("userId", user) == client.org.userID)
        #expect(element("sf:exceptionCode", try call("query", client.token)) == "INVALID_OPERATION")
        #expect(element("sf:exceptionCode", try call("getUserInfo", "none")) == "INVALID_SESSION_ID")
        #expect(try client.get("/limits").status == 200)
        #expect(try call("logout", client.token).status == 200)
        #expect(try client.get("/limits").status == 401)
        await client.org.stop()
    }

    @Test("entities, numbers and CDATA are read")
    func escapes() async throws {
        let client = try await SharedOrg.client
        let name = client.org.username.replacing("@", with: "&#x40;")
        #expect(try logIn(client, members(name, "<![CDATA[\(client.org.password)]]>")).status == 200)
        #expect(try logIn(client, members(client.org.username, "&lt;&amp;&#65;")).status == 500)
    }

    @Test("wrong logins, versions and bodies are SOAP faults; nothing of them is in the journal")
    func faults() async throws {
        let client = try await OrgClient.start()
        let (user, password) = (client.org.username, client.org.password)
        let right = members(user, password)
        #expect(element("sf:exceptionCode", try logIn(client, members(user, "wrong secret"))) == "INVALID_LOGIN")
        #expect(element("sf:exceptionCode", try logIn(client, "")) == "INVALID_LOGIN")
        for version in ["65.0", "66.0", "x", "1.0"] {
            let answer = try logIn(client, right, version: version)
            #expect(answer.status == 500 && element("sf:exceptionCode", answer) == "UNSUPPORTED_API_VERSION")
        }
        let entity = #"<!DOCTYPE x [<!ENTITY a "b">]>"#
        for answer in [
            try logIn(client, right, prolog: entity), try logIn(client, right, type: "application/json"),
            try logIn(client, right + "</n1:login><broken"), try logIn(client, members("&a;", password)),
        ] where answer.status != 200 {
            #expect(element("sf:exceptionCode", answer) == "INVALID_OPERATION")
        }
        #expect(try logIn(client, right, prolog: entity).status == 500)
        let journal = String(describing: client.org.journal.entries)
        #expect(!journal.contains(password) && !journal.contains("wrong secret"))
        #expect(client.org.journal.entries.first?.oauth?.outcome == "INVALID_LOGIN")
        #expect(client.org.journal.entries.allSatisfy { $0.body.isEmpty })
        await client.org.stop()
    }

    @Test("a call that is long beyond reason is refused before it is read")
    func long() async throws {
        let client = try await SharedOrg.client
        let padding = "<!-- \(String(repeating: "x", count: 20_000)) -->"
        let right = members(client.org.username, client.org.password)
        #expect(try logIn(client, right).status == 200)
        #expect(element("sf:exceptionCode", try logIn(client, padding + right)) == "INVALID_OPERATION")
    }

    @Test("a call cut short anywhere is refused and does no harm")
    func truncated() async throws {
        let client = try await SharedOrg.client
        let start = #"<e:Envelope xmlns:e="u"><e:Body><n:login><!-- x --><n:username>"#
        let text = start + "a&amp;b</n:username><n:password><![CDATA[x]]></n:password><n:empty/></n:login>"
        for length in 0..<text.utf8.count {
            let answer = try client.send(
                "POST", "/services/Soap/u/60.0", body: String(text.prefix(length)), fields: ["Content-Type: text/xml"],
                token: .some(nil))
            #expect(element("sf:exceptionCode", answer) == "INVALID_OPERATION")
        }
    }

    @Test("wrong passwords lock the user out here too")
    func lockout() async throws {
        let client = try await OrgClient.start()
        for _ in 0..<10 { #expect(try logIn(client, members(client.org.username, "wrong")).status == 500) }
        let locked = try logIn(client, members(client.org.username, client.org.password))
        #expect(locked.status == 429)
        #expect(locked.field("Retry-After") == "900")
        #expect(element("sf:exceptionCode", locked) == "INVALID_LOGIN")
        await client.org.stop()
    }
}
