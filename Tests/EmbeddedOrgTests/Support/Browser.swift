// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestTesting
import RestTransport
import Testing

/// A browser as far as the org's pages need one: cookies, forms, hidden fields, and redirects that it does not follow.
final class Browser {
    private let client: OrgClient
    private var cookies: [String: String] = [:]
    private(set) var page: RawClient.Answer?

    init(_ client: OrgClient) {
        self.client = client
    }

    @discardableResult
    func open(_ target: String) throws -> RawClient.Answer {
        try load("GET", target, body: nil)
    }

    /// Sends the page's form with its hidden fields, these values and the pressed button.
    @discardableResult
    func submit(_ values: [String: String] = [:], pressing action: String) throws -> RawClient.Answer {
        let page = try #require(page)
        let form = try #require(HTMLForm.all(in: page.text).first { $0.isPost })
        try #require(page.text.contains(#"name="action" value="\#(action)""#))
        var pairs = form.fields.filter { values[$0.name] == nil }.map { ($0.name, $0.value) }
        pairs += values.map { ($0, $1) } + [("action", action)]
        return try post(pairs, to: form.action)
    }

    @discardableResult
    func post(_ pairs: [(String, String)], to target: String) throws -> RawClient.Answer {
        try load("POST", target, body: PercentEncoding.form(pairs))
    }

    /// Logs the org's user in on the page that is open.
    @discardableResult
    func logIn() throws -> RawClient.Answer {
        try submit(["username": client.org.username, "password": client.org.password], pressing: "login")
    }

    private func load(_ method: String, _ target: String, body: String?) throws -> RawClient.Answer {
        var fields = ["Sec-Fetch-Site: \(body == nil ? "none" : "same-origin")", "Sec-Fetch-Mode: navigate"]
        if body != nil {
            fields += [
                "Content-Type: application/x-www-form-urlencoded", "Origin: http://127.0.0.1:\(client.org.port)",
            ]
        }
        if !cookies.isEmpty { fields.append("Cookie: " + cookies.map { "\($0)=\($1)" }.joined(separator: "; ")) }
        let answer = try client.send(method, target, body: body, fields: fields, token: .some(nil))
        if let cookie = answer.field("Set-Cookie") {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            cookies[pair[0]] = pair[1]
        }
        page = answer
        return answer
    }

    func forgetCookies() { cookies.removeAll() }
}

extension RawClient.Answer {
    /// A parameter of the address that the answer redirects to.
    func redirected(_ name: String) -> String? {
        URLComponents(string: field("Location") ?? "")?.queryItems?.first { $0.name == name }?.value
    }
}
