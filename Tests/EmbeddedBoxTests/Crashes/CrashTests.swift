// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Testing

@Suite("A box that is killed")
struct CrashTests {
    @Test("what was answered is there after a kill in the middle of writes, and nothing is there by half")
    func kills() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/localbox-crash-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var writers = (0..<4).map { CrashWriter(number: $0) }
        for round in 0..<4 {
            let box = try BoxProcess(folder: folder)
            for index in writers.indices { try await writers[index].check(box) }
            try await Self.checkListing(box, writers)
            // The last answer that is waited for: the other writers are in the middle of something then.
            let end = AnswerCount(until: 40 + round * 37)
            writers = await withTaskGroup(of: CrashWriter.self) { group in
                for writer in writers {
                    group.addTask {
                        var writer = writer
                        await writer.write(box, until: end)
                        return writer
                    }
                }
                await end.wait()
                box.kill()
                var ended: [CrashWriter] = []
                for await writer in group { ended.append(writer) }
                return ended
            }
        }
        let box = try BoxProcess(folder: folder)
        for index in writers.indices { try await writers[index].check(box) }
        #expect(writers.allSatisfy { $0.files.count > 2 })
        try await Self.checkListing(box, writers)
        box.kill()
    }

    /// Every file that is listed was written by somebody, and can be read whole.
    private static func checkListing(_ box: BoxProcess, _ writers: [CrashWriter]) async throws {
        var page = try await box.call("files/list_folder", #"{"path":"","recursive":true}"#).json
        var entries = (page["entries"]?.array).map(Array.init) ?? []
        while page["has_more"]?.bool == true {
            let cursor = page["cursor"]?.string ?? ""
            page = try await box.call("files/list_folder/continue", #"{"cursor":"\#(cursor)"}"#).json
            entries += (page["entries"]?.array).map(Array.init) ?? []
        }
        for entry in entries where entry[".tag"]?.string == "file" {
            let path = entry["path_lower"]?.string ?? ""
            let body = try await box.download(path).body
            #expect(body.count == entry["size"]?.int)
            #expect(writers.contains { $0.files[path] == body }, "nobody wrote \(path)")
        }
    }

    @Test("two boxes do not share a folder")
    func twoBoxes() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/localbox-two-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let box = try BoxProcess(folder: folder)
        var configuration = LocalBoxConfiguration()
        configuration.storage = .folder(folder)
        await #expect { try await LocalBox.start(configuration) } throws: { error in
            (error as? LocalBoxError)?.code == .cannotOpen
        }
        try await box.put("/still", "here")
        #expect(try await box.download("/still").text == "here")
        box.kill()
    }
}
