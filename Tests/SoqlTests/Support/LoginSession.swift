// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalOrg
import RestSDK
import RestTransport
import Testing

/// An org, and a folder for the logins that the command keeps of it.
final class LoginSession: Sendable {
    let org: LocalOrg
    let folder: String

    init(_ configuration: LocalOrgConfiguration = LocalOrgConfiguration()) async throws {
        org = try await LocalOrg.start(configuration)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("soql-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What a user of the org has set.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["XDG_DATA_HOME": folder, "SF_LOGIN_URL": org.instanceURL, "SF_CLIENT_ID": org.clientID]
            .merging(more) { $1 }
    }

    /// Runs the command with nothing but the kept logins.
    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Command.Outcome {
        let all = self.environment(environment)
        return try await Command(arguments, environment: all).finish()
    }

    /// Everything in the folder as text.
    func filesText() throws -> String {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        return names.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
    }

    /// The requests of the journal whose path ends so.
    func requests(_ suffix: String) -> [JournalEntry] { org.journal.entries.filter { $0.pathHasSuffix(suffix) } }
}

/// A browser as far as the org's pages need one: cookies, forms with hidden fields, and the way back to the command.
struct OrgBrowser {
    private let org: LocalOrg
    private var cookies: [String: String] = [:]
    private(set) var page = ""

    init(_ org: LocalOrg) { self.org = org }

    /// Opens the login page, logs the org's user in, and answers the question for access.
    mutating func logIn(at page: String, answering answer: String) async throws {
        try await load(HTTPURL(parsing: page), form: nil)
        try await submit([("username", org.username), ("password", org.password)], pressing: "login")
        try await submit([], pressing: answer)
    }

    private mutating func submit(_ values: [(String, String)], pressing action: String) async throws {
        let target = try #require(page.firstMatch(of: /<form method="post" action="([^"]+)"/)).output.1
        let hidden = page.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)"/).map {
            (String($0.output.1), String($0.output.2))
        }
        let form = PercentEncoding.form(hidden + values + [("action", action)])
        try await load(HTTPURL(parsing: org.instanceURL + target), form: form)
    }

    private mutating func load(_ url: HTTPURL, form: String?) async throws {
        var request = HTTPRequest(method: form == nil ? .get : .post, url: url)
        if url.origin.description == org.instanceURL {
            request.fields["Cookie"] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            request.fields["Sec-Fetch-Site"] = form == nil ? "none" : "same-origin"
        }
        if let form {
            request.fields["Content-Type"] = "application/x-www-form-urlencoded"
            request.fields["Origin"] = org.instanceURL
            request.body = .bytes(Array(form.utf8))
        }
        let answer = try await PlatformTransport.shared.send(request, deadline: .now + .seconds(20))
        for cookie in answer.head.fields.values(of: "Set-Cookie") {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            cookies[pair[0]] = pair.count > 1 ? pair[1] : ""
        }
        page = String(decoding: answer.body, as: UTF8.self)
        if let location = answer.head.fields["Location"] { try await load(HTTPURL(parsing: location), form: nil) }
    }
}
