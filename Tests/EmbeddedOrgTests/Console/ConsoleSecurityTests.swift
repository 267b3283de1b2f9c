// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import EmbeddedOrg

@Suite("The door of the console")
struct ConsoleSecurityTests {
    @Test("the token works once, and makes a session in a cookie that scripts and other sites do not get")
    func token() async throws {
        let client = OrgClient(try await LocalOrg.start(console: true))
        let url = try #require(client.org.makeConsoleURL())
        #expect(url.hasPrefix(client.org.instanceURL + "/console?token="))
        let path = String(url.dropFirst(client.org.instanceURL.count))
        // Neither a wrong token nor another method uses it up.
        #expect(try client.send("GET", path + "x", token: .some(nil)).status == 403)
        #expect(try client.send("HEAD", path, token: .some(nil)).status == 401)
        let entered = try client.send("GET", path, token: .some(nil))
        #expect(entered.status == 303 && entered.field("Location") == "/console/")
        let cookie = try #require(entered.field("Set-Cookie"))
        #expect(cookie.hasPrefix("console-\(client.org.port)="))
        #expect(cookie.hasSuffix("; Path=/console; HttpOnly; SameSite=Strict"))
        let again = try client.send("GET", path, token: .some(nil))
        #expect(again.status == 403 && again.field("Set-Cookie") == nil && again.text.contains("needs a new link"))
        #expect(client.org.journal.entries.isEmpty)
        await client.org.stop()
    }

    @Test("a new token replaces an unused one, sessions are independent, and only the newest eight are open")
    func access() {
        func open(_ access: inout ConsoleAccess) -> String {
            let token = access.makeToken()
            return access.open(token) ?? "no session"
        }
        var access = ConsoleAccess()
        #expect(access.open("") == nil && !access.isOpen(""))
        let (old, new) = (access.makeToken(), access.makeToken())
        #expect(access.open(old) == nil)
        let first = access.open(new) ?? "no session"
        #expect(access.isOpen(first) && access.open(new) == nil && !access.isOpen(new))
        let others = (0..<7).map { _ in open(&access) }
        #expect(access.isOpen(first) && others.allSatisfy(access.isOpen) && Set(others).count == 7)
        let last = open(&access)
        #expect(!access.isOpen(first) && access.isOpen(last) && others.allSatisfy(access.isOpen))
    }

    @Test("without a cookie, every path says so and does nothing, and a session of the API is no help")
    func noCookie() async throws {
        let console = try await ConsoleClient.start()
        let client = console.client
        for path in [
            "", "/", "/console.js", "/state", "/updates", "/request?number=1", "/services/data/v66.0/limits", "/x",
        ] {
            for token in [nil, client.token] {
                #expect(try client.send("GET", "/console\(path)", token: .some(token)).status == 401, "\(path)")
            }
            let wrong = ["Cookie: console-\(client.org.port)=x; console=y"]
            #expect(try client.send("GET", "/console\(path)", fields: wrong, token: .some(nil)).status == 401)
        }
        let before = try client.query("SELECT COUNT() FROM Account").text
        for name in ["reset", "clear", "expire", "fault", "check"] {
            let body = #"{"fault":"cut"}"#
            #expect(try client.send("POST", "/console/\(name)", body: body, token: .some(nil)).status == 401)
        }
        #expect(try client.query("SELECT COUNT() FROM Account").text == before)
        await client.org.stop()
    }

    @Test("other hosts, sites and content types are rejected with the cookie, too")
    func guards() async throws {
        let console = try await ConsoleClient.start()
        let port = console.org.port
        for (fields, status) in [
            (["Origin: http://evil.example"], 403), (["Origin: http://127.0.0.1:1"], 403),
            (["Origin: http://localhost:\(port)"], 403), (["Sec-Fetch-Site: cross-site"], 403),
            (["Sec-Fetch-Site: same-site"], 403), (["Content-Type: text/plain"], 400),
            (["Content-Type: application/x-www-form-urlencoded"], 400), (["Origin: http://127.0.0.1:\(port)"], 200),
        ] {
            #expect(try console.post("expire", fields: fields).status == status, "\(fields)")
        }
        // Not even a link of another site opens it.
        let link = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        #expect(try console.get("", fields: link).status == 403)
        let text = "GET /console/state HTTP/1.1\r\nHost: evil.example\r\nCookie: \(console.cookie)\r\n\r\n"
        #expect(try console.client.raw(text).status == 421)
        let long = #"{"text":"\#(String(repeating: "x", count: 200_000))"}"#
        #expect(try console.post("check", long).status == 413)
        await console.org.stop()
    }

    @Test("every response forbids scripts, frames, forms and requests of others, and caches")
    func headers() async throws {
        let console = try await ConsoleClient.start()
        for path in ["", "console.js", "console.css", "state", "services/data/v66.0/limits", "nothing"] {
            let response = try console.get(path)
            let policy = try #require(response.field("Content-Security-Policy"))
            for part in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
                "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
            ] {
                #expect(policy.contains(part), "\(path): \(part)")
            }
            #expect(!policy.contains("unsafe") && response.field("X-Content-Type-Options") == "nosniff")
            #expect(response.field("Referrer-Policy") == "no-referrer" && response.field("Cache-Control") == "no-store")
        }
        // The page has neither scripts nor styles of its own, and no address of another server.
        let page = try console.get("").text
        #expect(page.matches(of: /<script/).count == 1 && !page.contains("<style") && !page.contains(" style="))
        #expect(page.matches(of: /https?:/).count == 1 && page.contains("xmlns='http://www.w3.org/2000/svg'"))
        #expect(page.firstMatch(of: /\son[a-z]+=/) == nil)
        await console.org.stop()
    }

    @Test("over https, the cookie is only for https")
    func secure() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.security = OrgSecurity()
        let org = try await LocalOrg.start(configuration, console: true)
        let url = try #require(org.makeConsoleURL())
        #expect(url.hasPrefix("https://127.0.0.1:\(org.port)/console?token="))
        let response = org.respond("GET", String(url.dropFirst(org.instanceURL.count)))
        #expect(response.head.fields["Set-Cookie"]?.hasSuffix("; SameSite=Strict; Secure") == true)
        await org.stop()
    }

    @Test("without a console, its path does not exist, and / says where the API is")
    func withoutConsole() async throws {
        let client = try await SharedOrg.client
        #expect(client.org.makeConsoleURL() == nil)
        #expect(try client.send("GET", "/console", token: .some(nil)).status == 404)
        let root = try client.send("GET", "/", token: .some(nil))
        #expect(root.status == 200 && root.field("Content-Type") == "text/plain;charset=UTF-8")
        #expect(root.text.contains("\(client.org.instanceURL)/services/data\n"))
        #expect(try client.send("POST", "/", body: "{}", token: .some(nil)).status == 404)
    }
}
