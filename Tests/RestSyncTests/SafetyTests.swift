// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestSQLite
import RestSync
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("The safety of a copy", .timeLimit(.minutes(2)))
struct SafetyTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func openError(
        _ path: String, _ schema: SyncSchema?, _ options: SyncStore.Options = SyncStore.Options()
    ) async -> SyncError.Code? {
        do throws(SyncError) {
            try await SyncStore.open(path, schema: schema, options: options).close()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("the file and SQLite's files next to it belong to their owner, with an open umask and after other modes")
    func modes() async throws {
        let mask = umask(0)
        defer { umask(mask) }
        let folder = try TemporaryDirectory()
        let path = folder.path("copy")
        let error = await #expect(throws: SyncError.self) { try await SyncStore.open(path) }
        #expect(error?.code == .schema && !FileManager.default.fileExists(atPath: path))
        let schema = try SyncSchema(describe: SyncBed.describe)
        for _ in 0..<2 {
            let store = try await SyncStore.open(path, schema: schema)
            try store.edit { try $0.create("Account", ["Name": "a"]) }
            for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + suffix) == 0o600, "\(suffix)") }
            store.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        }
    }

    @Test("a key for an SQLite that cannot encrypt, and an error of the app, are errors before anything is written")
    func noCipher() async throws {
        let folder = try TemporaryDirectory()
        let schema = try SyncSchema(describe: SyncBed.describe)
        let preparations: [@Sendable (borrowing SyncConnection) throws -> Void] = [
            { try $0.setKey(Secret("k")) }, { try $0.setKey(Secret("")) },
            { _ in throw CocoaError(.keyValueValidation) },
        ]
        for prepare in preparations {
            var options = SyncStore.Options()
            options.prepare = prepare
            #expect(await openError(folder.path("copy"), schema, options) == .encryption)
            #expect(try Data(contentsOf: URL(filePath: folder.path("copy"))).isEmpty)
        }
        // Each connection is prepared, and the app's pragmas are in effect.
        let count = Mutex(0)
        var options = SyncStore.Options()
        options.prepare = { connection in
            count.withLock { $0 += 1 }
            try connection.run("PRAGMA cache_size = -100")
        }
        let store = try await SyncStore.open(folder.path("copy"), schema: schema, options: options)
        #expect(count.withLock { $0 } == 1 + options.readers)
        store.close()
    }

    #if os(Linux)
    @Test("with SQLCipher, the file opens with its key only, also by another SQLCipher, and never by SQLite")
    func encryption() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("copy")
        try Data(SyncBed.describe).write(to: URL(filePath: path + ".json"))
        let python = Python.interpreter.deletingLastPathComponent().deletingLastPathComponent()
        func worker(_ key: String, cipher: Bool = true) throws -> [String] {
            let libraries = ["names.so", "sqlcipher.so"].map {
                python.appending(path: $0).resolvingSymlinksInPath().path
            }
            let environment = Process.toolEnvironment(
                adding: cipher ? ["LD_PRELOAD": libraries.joined(separator: " ")] : [:])
            let outcome = try RunningProgram.run(
                BuiltProgram.url("syncworker"), ["encrypt", path, key], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("VmHWM") }
        }
        #expect(try worker("it's") == ["1", "done"])
        #expect(try worker("it's") == ["2", "done"])
        #expect(try worker("its") == ["encryption"])
        #expect(try worker("it's", cipher: false) == ["encryption"])
        for suffix in ["", "-wal"] {
            let bytes = (try? Data(contentsOf: URL(filePath: path + suffix))) ?? Data()
            #expect(bytes.range(of: Data("SQLite format".utf8)) == nil && bytes.range(of: Data("Secret".utf8)) == nil)
            #expect(suffix != "" || !bytes.isEmpty)
        }
        let query = "SELECT count(*) FROM \"Account\";"
        #expect(try RunningProgram.tool(["sqlite3", path, query]).status != 0)
        let other = try RunningProgram.tool(
            ["sqlcipher", path, "PRAGMA key = 'it''s'; PRAGMA cipher_compatibility = 3; \(query)"])
        #expect(other.output.split(separator: "\n").last == "2", "\(other)")
    }
    #endif

    @Test("a copy without its key is an error when it is opened as a plain file")
    func notPlain() async throws {
        let folder = try TemporaryDirectory()
        let noise = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31 + 7) })
        try noise.write(to: URL(filePath: folder.path("copy")))
        let schema = try SyncSchema(describe: SyncBed.describe)
        for schema in [schema, nil] {
            #expect(await openError(folder.path("copy"), schema) == .foreign)
        }
    }

    @Test(
        "a logout keeps the copy or deletes its files as asked, and edits are deleted only if that was asked for",
        arguments: [SyncStore.LogoutAction.keep, .delete, .deleteWithEdits], [false, true])
    func logout(action: SyncStore.LogoutAction, hasEdits: Bool) async throws {
        try await SyncBed.with { bed in
            let instance = try HTTPURL(parsing: bed.org.instanceURL).origin
            let credential = Credential(
                accessToken: Secret(bed.org.issueCredential().accessToken), instance: instance,
                login: Credential.Login(
                    server: instance, clientID: bed.org.clientID, clientSecret: Secret(bed.org.clientSecret)))
            let accounts = try await AccountManager.open(store: InMemoryCredentialStore())
            let account = try await accounts.add(credential)
            let client = try RestClient(account: account.id, of: accounts)
            var options = SyncStore.Options()
            options.atLogout = action
            let store = try await SyncStore.open(
                bed.folder.path("copy"), schema: SyncSchema(describe: SyncBed.describe), options: options)
            try await store.pull(SyncBed.all, with: client)
            if hasEdits { try store.edit { try $0.create("Account", ["Name": "a"]) } }
            try await accounts.unlink(account.id)
            let isDeleted = action == .deleteWithEdits || action == .delete && !hasEdits
            for suffix in ["", "-wal", "-shm"] {
                #expect(FileManager.default.fileExists(atPath: store.path + suffix) == !isDeleted)
            }
            if isDeleted {
                #expect(throws: SyncError.self) { try store.query("SELECT Name FROM Account") }
            } else {
                #expect(try store.count("SELECT COUNT() FROM Account") == (hasEdits ? 1 : 0))
                if hasEdits {
                    let error = #expect(throws: SyncError.self) { try store.delete() }
                    #expect(error?.code == .pending)
                    try store.delete(discardingEdits: true)
                    #expect(!FileManager.default.fileExists(atPath: store.path))
                }
            }
            store.close()
        }
    }

    @Test("two users never share a file, although their logins do not report ids")
    func accounts() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.users = ["one", "two"].map { OrgUser(username: "\($0)@example.com", password: "password-1") }
        let org = try await LocalOrg.start(configuration)
        func client(_ user: String) throws -> RestClient {
            let issued = try #require(org.issueCredential(to: "\(user)@example.com"))
            return try RestClient(instanceURL: org.instanceURL, accessToken: Secret(issued.accessToken))
        }
        let folder = try TemporaryDirectory()
        let store = try await SyncStore.open(
            folder.path("copy"), schema: SyncSchema(describe: SyncBed.describe))
        let one = try client("one")
        try await store.pull("SELECT Name FROM Account WHERE Name = 'a'", with: one)
        let error = await #expect(throws: SyncError.self) {
            try await store.pull("SELECT Name FROM Account WHERE Name = 'b'", with: client("two"))
        }
        #expect(error?.code == .foreign)
        await #expect(throws: SyncError.self) { try await store.sync(with: client("two")) }
        // The other user's subset is not in the copy, and the account of a token is not asked for again.
        try await store.sync(with: one)
        org.journal.clear()
        let idle = try await store.sync(with: one)
        #expect(idle.requests == 1 && org.journal.entries.count == 1, "\(org.journal.entries.map(\.target))")
        #expect(try await store.sync(with: client("one")).requests == 2)
        // A server that does not report the user is not trusted.
        org.faults.add(.status(403), matching: "/userinfo")
        let unknown = await #expect(throws: SyncError.self) { try await store.sync(with: client("one")) }
        #expect(unknown?.code == .foreign)
        store.close()
        await org.stop()
    }
}
