// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LoginTests {
    /// Goes where a browser would: to the page, and from there back to the command.
    private func visit(_ page: String) async throws {
        var url = try HTTPURL(parsing: page)
        for _ in 0..<3 {
            let answer = try await PlatformTransport.shared.send(
                HTTPRequest(url: url), deadline: .now + .seconds(60), progress: nil)
            guard let next = answer.head.fields["Location"] else { return }
            url = try HTTPURL(parsing: next)
        }
    }

    private func logIn(_ words: [String], in sandbox: Sandbox) async throws -> Program.Outcome {
        let login = try Program(
            ["login", "--no-browser", "--callback-url", "http://127.0.0.1/callback"] + words, in: sandbox,
            changes: ["BOXSYNC_TOKEN": "", "BOXSYNC_KEY": sandbox.box.appKey])
        while login.errors.count(where: \.isNewline) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        try await visit(login.errors.split(separator: "\n").map(String.init)[1])
        return try await login.outcome()
    }

    @Test("Two logins are kept apart, chosen, used and ended")
    func accounts() async throws {
        let sandbox = try await Sandbox()
        let first = try await logIn([], in: sandbox)
        #expect((first.status, first.output) == (0, "Ada Example is logged in as 'ada@example.com'.\n"))
        #expect(try await logIn(["--account", "second"], in: sandbox).status == 0)

        // The login knows where it is good.
        func run(_ words: String...) async throws -> Program.Outcome {
            try await Program(words, in: sandbox, changes: ["BOXSYNC_TOKEN": "", "BOXSYNC_HOST": ""]).outcome()
        }
        let list = try await run("accounts").output.split(separator: "\n")
        #expect(list.map { String($0.prefix(9)) } == ["  ada@exa", "* second "])
        #expect(try await run("use", "ada@example.com").status == 0)
        #expect(try await run("ls").status == 0)
        #expect(try await run("ls", "--account", "nobody").status == 3)
        let store = sandbox.folder.appending(path: "home/.config/boxsync/accounts").path
        for name in try FileManager.default.contentsOfDirectory(atPath: store) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(store)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }

        #expect(try await run("logout").status == 0)
        #expect(sandbox.requests("token/revoke") == 1)
        #expect(try await run("ls").status == 3)
        #expect(try await run("ls", "--account", "second").status == 0)
        #expect(try await run("logout", "--all").status == 0)
        #expect(sandbox.requests("token/revoke") == 2)
        #expect(try await run("accounts").output.isEmpty)
    }
}
