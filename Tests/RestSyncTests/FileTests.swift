// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import RestSync
import RestTesting
import RestTransport
import Testing

@Suite("Files of records in a copy", .timeLimit(.minutes(3)))
struct FileTests {
    private static let objects = ["Account", "ContentVersion", "ContentDocument", "Attachment", "User"]
    private static let versions: SOQL =
        "SELECT Title, PathOnClient, ContentSize, FirstPublishLocationId FROM ContentVersion WHERE Title != 'Note'"

    /// Bytes whose period is not a divisor of any chunk size.
    private func content(_ count: Int, _ seed: Int = 1) -> [UInt8] {
        let block = (0..<4_093).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 2_654_435_761 >> 13) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes += block }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private func open(_ bed: SyncBed, _ name: String = "copy") async throws -> SyncStore {
        try await SyncStore.open(
            bed.folder.path(name), schema: .describing(Self.objects, of: bed.client))
    }

    private func upload(_ bed: SyncBed, _ title: String, _ bytes: [UInt8]) async throws -> String {
        let request = RestRequest.create(
            "ContentVersion", ["Title": JSONValue(title), "PathOnClient": "f.bin"],
            with: .bytes("VersionData", bytes, fileName: "f.bin"))
        return try await bed.client.send(request.timeout(.seconds(150))).payload["id"]?.string ?? ""
    }

    private func download(_ bed: SyncBed, _ id: String, of type: String = "ContentVersion") async throws -> [UInt8] {
        let field = type == "Attachment" ? "Body" : "VersionData"
        return try await bed.client.send(.blob(type, id: id, field: field)).body
    }

    private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
        do { try await body() } catch { return (error as? SyncError)?.code }
        return nil
    }

    @Test("a file is downloaded once on demand, read in parts and saved, also without a network and after a restart")
    func onDemand() async throws {
        try await SyncBed.with { bed in
            let bytes = content(350_001)
            let id = try await upload(bed, "large", bytes)
            let empty = try await upload(bed, "empty", [])
            var store = try await open(bed)
            try await store.pull(Self.versions, with: bed.client)
            #expect(await code { _ = try await store.file(of: "ContentVersion", id: id) } == .notFound)
            #expect(await code { _ = try await store.file(of: "Account", id: id) } == .invalid)
            bed.org.journal.clear()
            // Callers share a download.
            let client = bed.client
            let both = try await withThrowingTaskGroup(of: Int.self) { [store] group in
                for _ in 0..<4 {
                    group.addTask { try await store.file(of: "ContentVersion", id: id, with: client).size }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(both == [350_001, 350_001, 350_001, 350_001])
            #expect(bed.org.journal.entries.filter { $0.target.contains("VersionData") }.count == 1)
            #expect(try await store.file(of: "ContentVersion", id: empty, with: bed.client).size == 0)
            store.close()
            store = try await open(bed)
            bed.org.journal.clear()
            let file = try await store.file(of: "ContentVersion", id: id, with: bed.client)
            #expect(bed.org.journal.entries.isEmpty)
            #expect(try file.bytes(262_140..<262_150) == Array(bytes[262_140..<262_150]))
            #expect(try file.bytes(349_999..<1_000_000) == Array(bytes[349_999...]))
            try file.save(to: bed.folder.path("saved"))
            #expect(try Data(contentsOf: URL(filePath: bed.folder.path("saved"))) == Data(bytes))
            try store.removeFile(of: "ContentVersion", id: id)
            #expect(await code { _ = try file.bytes(0..<10) } == .notFound)
            #expect(await code { _ = try await store.file(of: "ContentVersion", id: id) } == .notFound)
            store.close()
        }
    }

    @Test("an interrupted download continues where it ended, also after a restart, and a changed file starts again")
    func resumed() async throws {
        try await SyncBed.with { bed in
            let account = try await bed.create("Account", ["Name": "a"])
            let old = content(350_000, 1), new = content(350_000, 2)
            let request = RestRequest.create(
                "Attachment", ["Name": "a.bin", "ParentId": JSONValue(account)],
                with: .bytes("Body", old, fileName: "a.bin"))
            let id = try await bed.client.send(request.timeout(.seconds(150))).payload["id"]?.string ?? ""
            var store = try await open(bed)
            try await store.pull("SELECT Name, BodyLength FROM Attachment", with: bed.client)
            for (bytes, isChanged) in [(old, false), (new, true)] {
                bed.org.faults.add(.truncate(after: 300_000), matching: "/Body")
                #expect(
                    await code { _ = try await store.file(of: "Attachment", id: id, with: bed.client) } == .request)
                store.close()
                store = try await open(bed)
                if isChanged {
                    try await bed.updateLater("Attachment", id, ["Body": JSONValue(Data(new).base64EncodedString())])
                }
                bed.org.journal.clear()
                let file = try await store.file(of: "Attachment", id: id, with: bed.client)
                #expect(try file.bytes(0..<350_000) == bytes)
                let ranges = bed.org.journal.entries.filter { $0.target.contains("/Body") }.map { $0.field("Range") }
                // The first part consists of whole chunks.
                #expect(ranges == (isChanged ? ["bytes=262144-", nil] : ["bytes=262144-"]))
                guard !isChanged else { break }
                // The same file is requested again only if its record has changed.
                try await bed.updateLater("Attachment", id, ["Description": "b"])
                try await store.sync(with: bed.client)
                #expect(try await store.file(of: "Attachment", id: id).bytes(0..<100) == Array(old[..<100]))
                try store.removeFile(of: "Attachment", id: id)
            }
            store.close()
        }
    }

    @Test("a subset that selects the content pulls the files, and a record that leaves takes its file along")
    func subset() async throws {
        try await SyncBed.with { bed in
            var ids: [String] = []
            for number in 0..<3 { ids.append(try await upload(bed, "f\(number)", content(60_000, number))) }
            let store = try await open(bed)
            let subset: SOQL = "SELECT Title, VersionData FROM ContentVersion WHERE Title LIKE 'f%'"
            bed.org.faults.add(.status(404), matching: "\(ids[2])/VersionData")
            let first = try await store.pull(subset, with: bed.client)
            #expect(first.files == 2 && first.missingFiles == [ids[2]])
            let second = try await store.sync(with: bed.client)
            #expect(second.files == 1 && second.missingFiles.isEmpty)
            #expect(try await store.sync(with: bed.client).files == 0)
            for (number, id) in ids.enumerated() {
                #expect(
                    try await store.file(of: "ContentVersion", id: id).bytes(0..<60_000) == content(60_000, number))
            }
            try await bed.update("ContentVersion", ids[0], ["Title": "other"])
            try await store.sync(with: bed.client)
            #expect(await code { _ = try await store.file(of: "ContentVersion", id: ids[0]) } == .notFound)
            store.close()
            let rows = try RunningProgram.tool(
                ["sqlite3", store.path, "SELECT (SELECT count(*) FROM \"sync.File\"), count(*) FROM \"org.Content\""])
            #expect(rows.output == "2|2\n")
        }
    }

    @Test("new records are sent with their files, after the new records to which they refer")
    func uploads() async throws {
        try await SyncBed.with { bed in
            let store = try await open(bed)
            try await store.pull(Self.versions, with: bed.client)
            let bytes = content(300_000)
            let path = bed.folder.path("report.bin")
            try Data(bytes).write(to: URL(filePath: path))
            #expect(
                await code { try store.edit { _ = try $0.create("Account", ["Name": "a"], file: path) } } == .invalid)
            #expect(
                await code { try store.edit { _ = try $0.create("Attachment", ["Name": "a"], file: path + "x") } }
                    == .store)
            let ids = try store.edit { edit in
                let account = JSONValue(try edit.create("Account", ["Name": "a"]))
                let version = try edit.create(
                    "ContentVersion", ["Title": "r", "PathOnClient": "report.bin", "FirstPublishLocationId": account],
                    file: path)
                let small = JSONValue(Data(bytes[..<50]).base64EncodedString())
                return [
                    version, try edit.create("Attachment", ["Name": "b.bin", "ParentId": account], file: path),
                    try edit.create("Attachment", ["Name": "c.bin", "ParentId": account, "Body": small]),
                ]
            }
            try FileManager.default.removeItem(atPath: path)
            #expect(try await store.file(of: "ContentVersion", id: ids[0]).bytes(0..<1_000_000) == bytes)
            // A file that the org does not have cannot be removed.
            try store.removeFile(of: "ContentVersion", id: ids[0])
            let report = try await store.sync(with: bed.client)
            #expect(report.created == 4 && report.pending == 0 && report.conflicts == 0)
            #expect(try await download(bed, try store.currentID(of: ids[0])) == bytes)
            #expect(try await download(bed, try store.currentID(of: ids[1]), of: "Attachment") == bytes)
            #expect(try await download(bed, try store.currentID(of: ids[2]), of: "Attachment") == Array(bytes[..<50]))
            let account = try #require(try await bed.values("SELECT Id FROM Account WHERE Name = 'a'", "Id").first)
            let place = try await bed.values(
                "SELECT FirstPublishLocationId FROM ContentVersion WHERE Title = 'r'", "FirstPublishLocationId")
            #expect(place == [account])
            bed.org.journal.clear()
            let file = try await store.file(of: "ContentVersion", id: ids[0], with: bed.client)
            #expect(file.size == bytes.count && bed.org.journal.entries.isEmpty)
            store.close()
        }
    }

    @Test("a file that was not sent outlives a schema without its object, and other syncs go on")
    func removedObject() async throws {
        try await SyncBed.with { bed in
            let account = try await bed.create("Account", ["Name": "a"])
            var store = try await open(bed)
            try await store.pull("SELECT Name FROM Account", with: bed.client)
            let path = bed.folder.path("f")
            try Data(content(1_000)).write(to: URL(filePath: path))
            let fields: JSONObject = ["Name": "a.bin", "ParentId": JSONValue(account)]
            let id = try store.edit { try $0.create("Attachment", fields, file: path) }
            store.close()
            store = try await SyncStore.open(bed.folder.path("copy"), schema: .describing(["Account"], of: bed.client))
            #expect(try store.conflicts.map(\.reason) == [.objectRemoved])
            #expect(try await store.sync(with: bed.client).created == 0)
            store.close()
            store = try await open(bed)
            for conflict in try store.conflicts { try store.resolve(conflict, with: .local) }
            #expect(try await store.sync(with: bed.client).created == 1)
            #expect(try await download(bed, try store.currentID(of: id), of: "Attachment") == content(1_000))
            store.close()
        }
    }

    @Test("a rejected file is a conflict, and is sent with the corrected record")
    func rejected() async throws {
        try await SyncBed.with { bed in
            let store = try await open(bed)
            let path = bed.folder.path("f")
            try Data(content(1_000)).write(to: URL(filePath: path))
            let id = try store.edit { try $0.create("ContentVersion", ["Title": "r"], file: path) }
            #expect(try await store.sync(with: bed.client).conflicts == 1)
            #expect(try store.conflicts.count == 1)
            try store.edit { try $0.update("ContentVersion", id: id, ["PathOnClient": "f.bin"]) }
            #expect(try await store.sync(with: bed.client).created == 1)
            #expect(try await download(bed, try store.currentID(of: id)) == content(1_000))
            store.close()
        }
    }

    @Test("an upload with a lost response is settled by comparing the contents, and not by the name")
    func lostResponse() async throws {
        try await SyncBed.with { bed in
            let store = try await open(bed)
            let path = bed.folder.path("f")
            try Data(content(150_000)).write(to: URL(filePath: path))
            let id = try store.edit {
                try $0.create("ContentVersion", ["Title": "same", "PathOnClient": "f.bin"], file: path)
            }
            // Files of another client with the same fields.
            _ = try await upload(bed, "same", content(150_000, 2))
            _ = try await upload(bed, "same", Array(content(150_000)[..<149_999]))
            let client = try bed.client { _ in nil }
            bed.org.faults.add(.closeAfterHandling, matching: "sobjects/ContentVersion", method: "POST")
            #expect(await code { try await store.sync(with: client) } == .request)
            #expect(try await store.sync(with: bed.client).created == 1)
            #expect(try await bed.values("SELECT Id FROM ContentVersion WHERE Title = 'same'", "Id").count == 3)
            #expect(try await download(bed, try store.currentID(of: id)) == content(150_000))
            // A request that never arrived is sent again.
            bed.org.faults.add(.close, matching: "sobjects/ContentVersion", method: "POST")
            try store.edit { try $0.create("ContentVersion", ["Title": "next", "PathOnClient": "f.bin"], file: path) }
            #expect(await code { try await store.sync(with: client) } == .request)
            #expect(try await store.sync(with: bed.client).created == 1)
            #expect(try await bed.values("SELECT Id FROM ContentVersion WHERE Title = 'next'", "Id").count == 1)
            client.shutdown()
            store.close()
        }
    }

    #if os(Linux)
    @Test("a process that is killed during or after an upload neither loses nor doubles the file, in little memory")
    func kills() async throws {
        try await SyncBed.with { bed in
            let describe = try await open(bed, "described")
            describe.close()
            let schema = try RunningProgram.tool(
                ["sqlite3", describe.path, "SELECT Value FROM \"sync.Value\" WHERE Name = 'schema'"]).output
            let copy = bed.folder.path("copy")
            try Data(schema.utf8).write(to: URL(filePath: copy + ".json"))
            let path = bed.folder.path("f")
            let token = bed.org.issueCredential().accessToken
            func add(_ title: String, _ size: Int) async throws -> String {
                try Data(content(size)).write(to: URL(filePath: path))
                let store = try await open(bed)
                defer { store.close() }
                return try store.edit {
                    try $0.create("ContentVersion", ["Title": JSONValue(title), "PathOnClient": "f.bin"], file: path)
                }
            }
            func worker() throws -> RunningProgram {
                try RunningProgram(BuiltProgram.url("syncworker"), ["sync", copy, "\(bed.org.port)", token])
            }
            let id = try await add("f", 300_000)
            for isHandled in [false, true] {
                bed.org.journal.clear()
                bed.org.faults.add(
                    isHandled ? .delay(.seconds(60)) : .hold, matching: "sobjects/ContentVersion", method: "POST")
                let killed = try worker()
                let isSent = {
                    try RunningProgram.tool(
                        ["sqlite3", copy, "SELECT count(*) FROM \"sync.Outbox\" WHERE \"State\" = 'sent'"]
                    ).output == "1\n"
                }
                let hasArrived = {
                    bed.org.journal.entries.contains { $0.method == "POST" && $0.bodySize > 300_000 }
                }
                // A held request is not in the journal.
                while try !isSent() || isHandled && !hasArrived() { try await Task.sleep(for: .milliseconds(50)) }
                killed.kill()
                _ = killed.wait()
            }
            let last = try worker().wait()
            #expect(last.output.hasPrefix("1\n"), "\(last)")
            #expect(try await bed.values("SELECT Id FROM ContentVersion WHERE Title = 'f'", "Id").count == 1)
            // The org rejects files, without reading them.
            var peaks: [Int] = []
            for size in [1_000, 40_000_000] {
                _ = try await add("rejected", size)
                bed.org.faults.add(
                    .status(400, code: "STRING_TOO_LONG"), matching: "sobjects/ContentVersion", method: "POST")
                let output = try worker().wait().output
                let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
                peaks.append(try #require(Int(line.filter(\.isNumber))))
            }
            #expect(peaks[1] < peaks[0] + 12_288, "\(peaks)")
            let store = try await open(bed)
            #expect(try await download(bed, try store.currentID(of: id)) == content(300_000))
            store.close()
        }
    }
    #endif
}
