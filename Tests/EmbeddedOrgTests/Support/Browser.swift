// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestBase
import RestTesting
import RestTransport
import Testing

/// A minimal browser for the org's pages: it handles forms and hidden fields, and does not follow redirects.
final class Browser {
    private let client: OrgClient
    private(set) var page: RawClient.Response?

    init(_ client: OrgClient) {
        self.client = client
    }

    @discardableResult
    func open(_ target: String) throws -> RawClient.Response {
        try load("GET", target, body: nil)
    }

    /// Submits the page's form with its hidden fields, these values and the pressed button.
    @discardableResult
    func submit(_ values: [String: String] = [:], pressing action: String) throws -> RawClient.Response {
        let page = try #require(page)
        let form = try #require(HTMLForm.all(in: page.text).first { $0.isPost })
        try #require(page.text.contains(#"name="action" value="\#(action)""#))
        var pairs = form.fields.filter { values[$0.name] == nil }.map { ($0.name, $0.value) }
        pairs += values.map { ($0, $1) } + [("action", action)]
        return try post(pairs, to: form.action)
    }

    @discardableResult
    func post(_ pairs: [(String, String)], to target: String) throws -> RawClient.Response {
        try load("POST", target, body: PercentEncoding.form(pairs))
    }

    @discardableResult
    func logIn() throws -> RawClient.Response {
        try submit(["username": client.org.username, "password": client.org.password], pressing: "login")
    }

    private func load(_ method: String, _ target: String, body: String?) throws -> RawClient.Response {
        var fields = ["Sec-Fetch-Site: \(body == nil ? "none" : "same-origin")", "Sec-Fetch-Mode: navigate"]
        if body != nil {
            fields += [
                "Content-Type: application/x-www-form-urlencoded", "Origin: http://127.0.0.1:\(client.org.port)",
            ]
        }
        let response = try client.send(method, target, body: body, fields: fields, token: .some(nil))
        page = response
        return response
    }
}

extension RawClient.Response {
    func redirected(_ name: String) -> String? {
        URLComponents(string: field("Location") ?? "")?.queryItems?.first { $0.name == name }?.value
    }
}

/// A key and its certificate, created by openssl, which also signs for tests of the org's verification.
struct TestKey {
    let certificate: String
    private let folder: TemporaryDirectory

    /// Creates a key of the type `rsa:2048`, `rsa:1024` or `ec`.
    init(_ kind: String = "rsa:2048") throws {
        folder = try TemporaryDirectory()
        let curve = kind == "ec" ? ["-pkeyopt", "ec_paramgen_curve:prime256v1"] : []
        let files = ["-keyout", folder.path("key.pem"), "-out", folder.path("certificate.pem")]
        try Self.openssl(
            ["req", "-x509", "-newkey", kind] + curve + ["-nodes", "-days", "2", "-subj", "/CN=test"] + files)
        certificate = try String(contentsOfFile: folder.path("certificate.pem"), encoding: .utf8)
    }

    func assertion(_ claims: String, header: String = #"{"alg":"RS256","typ":"JWT"}"#) throws -> String {
        let text = [header, claims].map { Base64.encodeForURL(Array($0.utf8)) }.joined(separator: ".")
        let (input, output) = (folder.path("text"), folder.path("signature"))
        try text.write(toFile: input, atomically: true, encoding: .utf8)
        try Self.openssl(["dgst", "-sha256", "-sign", folder.path("key.pem"), "-out", output, input])
        return "\(text).\(Base64.encodeForURL(Array(try Data(contentsOf: URL(filePath: output)))))"
    }

    private static func openssl(_ arguments: [String]) throws {
        let outcome = try RunningProgram.tool(["openssl"] + arguments)
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
}
