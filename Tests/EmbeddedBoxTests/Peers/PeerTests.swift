// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedBox
import Foundation
import RestJSON
import Testing

@Suite("Dropbox's SDK for Python")
struct DropboxSDKTests {
    @Test("Dropbox's SDK for Python lists, uploads, downloads, moves, shares and deletes, and gets typed errors")
    func pythonSDK() async throws {
        let box = try await LocalBox.start()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "dropbox_check.py")
        let environment = [
            "ACCESS_TOKEN": box.accessToken, "REFRESH_TOKEN": box.refreshToken, "APP_KEY": box.appKey,
            "APP_SECRET": box.appSecret,
        ]
        let output = try Python.run([script.path, String(box.port)], environment: environment)
        let seen = try JSONValue(parsing: Array(output.utf8))
        #expect(seen["account"]?.string == box.accountID && seen["refreshed"]?.string == box.accountID)
        #expect(seen["space"]?.bool == true && seen["user"]?.string == "hello")
        #expect(seen["uploaded"]?.string == "März 🍺.txt")
        #expect(seen["hash"]?.bool == true && seen["downloaded"]?.bool == true)
        #expect(seen["listed"]?.array?.compactMap(\.int) == [27, 3, 1])
        #expect(seen["polled"]?.array?.compactMap(\.bool) == [true])
        #expect(
            seen["changed"]?.array?.compactMap(\.string) == ["DeletedMetadata 00.txt", "FileMetadata moved.txt"])
        #expect(seen["offset"]?.int == 600_000 && seen["session"]?.int == 1_200_000)
        #expect(seen["batch"]?.array?.compactMap(\.string) == ["success", "success", "success", "failure"])
        #expect(seen["folder"]?.string == "/peer/folder" && seen["copied"]?.string == "copy")
        #expect(seen["revisions"]?.int == 2 && seen["restored"]?.string == "one")
        #expect(seen["deleted"]?.string == "copy")
        #expect(seen["deletedBatch"]?.array?.compactMap(\.string) == ["success", "failure"])
        #expect(seen["temporary"]?.string == "0" && seen["sharedFile"]?.string == "0")
        #expect(seen["shared"]?.bool == true && seen["links"]?.array?.compactMap(\.string) == ["moved.txt"])
        #expect(seen["login"]?[0]?.string == box.accountID)
        #expect(seen["login"]?[1]?.bool == true && seen["login"]?[2]?.bool == true)
        #expect(
            seen["errors"]?.array?.compactMap(\.string) == [
                "path/not_found", "path/not_file", "path/conflict/file", "path/conflict/folder",
                "from_lookup/not_found", "path_lookup/not_found", "shared_link_already_exists/metadata",
                "BadInputError", "AuthError invalid_access_token", "PathRootError", "AuthError invalid_access_token",
            ])
        await box.stop()
    }
}

@Suite("Less common features of Dropbox's SDK for Python")
struct FilesCheckTests {
    private func run(_ name: String, _ box: LocalBox, _ more: [String: String] = [:]) throws -> JSONValue {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        let environment = [
            "ACCESS_TOKEN": box.accessToken, "REFRESH_TOKEN": box.refreshToken, "APP_KEY": box.appKey,
            "APP_SECRET": box.appSecret,
        ].merging(more) { $1 }
        return try JSONValue(
            parsing: Array(Python.run([script.path, String(box.port)], environment: environment).utf8))
    }

    /// Returns a value as compact JSON.
    private func text(_ value: JSONValue?) -> String { String(decoding: (value ?? .null).bytes(), as: UTF8.self) }

    @Test("concurrent sessions, links and revisions work")
    func files() async throws {
        let box = try await LocalBox.start()
        let seen = try run("files_check.py", box)
        let expected: [(String, String)] = [
            ("concurrent", "12582915"), ("parts", "true"), ("kept", "5"), ("linked", "[200,true]"),
            ("linkedTwice", "410"), ("oldRevision", #""old""#),
            ("accounts", "[true]"),
        ]
        for (name, value) in expected { #expect(text(seen[name]) == value, "\(name)") }
        #expect(
            seen["errors"]?.array?.compactMap(\.string) == [
                "lookup_failed/not_found", "closed", "path/conflict/file", "path/not_found", "path_lookup/not_found",
                "no_account",
            ])
        await box.stop()
    }

    @Test("each team member has separate files, which other members cannot access")
    func team() async throws {
        var configuration = LocalBoxConfiguration()
        configuration.members = [
            .init("grace@example.com", displayName: "Grace Example"),
            .init("alan@example.com", displayName: "Alan Example"),
        ]
        let box = try await LocalBox.start(configuration)
        let seen = try run(
            "team_check.py", box,
            [
                "TEAM_TOKEN": box.teamAccessToken ?? "",
                "MEMBERS": box.users.map { "\($0.memberID ?? ""),\($0.namespaceID)" }.joined(separator: " "),
            ])
        let emails = #"["ada@example.com","grace@example.com","alan@example.com"]"#
        let expected: [(String, String)] = [
            ("own", emails),
            (
                "listed",
                #"[["ada@example.com","mine.txt"],["grace@example.com","mine.txt"],["alan@example.com","mine.txt"]]"#
            ),
            ("self", #""grace@example.com""#), ("shared", #""shared""#), ("asAdmin", #""grace@example.com""#),
            ("link", #""secret""#), ("inside", #"[["inside.txt",null]]"#), ("links", "0"),
        ]
        for (name, value) in expected { #expect(text(seen[name]) == value, "\(name)") }
        #expect(
            seen["errors"]?.array?.compactMap(\.string) == [
                "PathRootError", "PathRootError", "AuthError invalid_select_user", "AuthError invalid_select_admin",
                "BadInputError", "path/not_found", "path/not_found", "path/malformed_path", "BadInputError",
                "lookup_failed/not_found", "invalid_async_job_id", "path_lookup/not_found", "path/not_found",
            ])
        #expect(box.users.count == 3 && Set(box.users.map(\.namespaceID)).count == 3)
    }
}
