// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import RestJSON
import RestTransport
import Synchronization
import Testing

@Suite("A test server that is killed")
struct CrashTests {
    @Test("after a kill during writes, every acknowledged write is complete, and no other write is half done")
    func kills() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/localbox-crash-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var writers = (0..<4).map { CrashWriter(number: $0) }
        for round in 0..<4 {
            let box = try BoxProcess(folder: folder)
            for index in writers.indices { try await writers[index].check(box) }
            try await Self.checkListing(box, writers)
            // The kill follows this response, while the other writers are in the middle of a request.
            let end = ResponseCount(until: 40 + round * 37)
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

    /// Checks that every listed file was written by a writer, and can be read completely.
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

    @Test("two test servers cannot share a directory")
    func twoBoxes() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/localbox-two-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let box = try BoxProcess(folder: folder)
        var configuration = LocalBoxConfiguration()
        configuration.storage = .folder(folder)
        await #expect { try await LocalBox.start(configuration) } throws: { error in
            (error as? StartError)?.code == .cannotOpen
        }
        try await box.put("/still", "here")
        #expect(try await box.download("/still").text == "here")
        box.kill()
    }
}

/// Counts responses, and resumes the waiting task after the last one.
final class ResponseCount: Sendable {
    private struct State {
        var left: Int
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(until count: Int) {
        state = Mutex(State(left: count))
    }

    func note() {
        let woken = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.left -= 1
            guard state.left == 0 else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        woken?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.left > 0 { state.waiting = continuation }
                return state.left <= 0
            }
            if isOver { continuation.resume() }
        }
    }
}

/// Writes to a test server until it dies, and records which files must exist afterwards.
struct CrashWriter: Sendable {
    enum Pending: Sendable {
        case nothing
        case upload(String, [UInt8])
        case move(String, String, [UInt8])
        /// An append: the session, the acknowledged bytes, and the bytes that may have arrived.
        case append(String, [UInt8], [UInt8])
        case finish(String, [UInt8], String)
    }

    let number: Int
    private(set) var files: [String: [UInt8]] = [:]
    private var pending = Pending.nothing
    private var turn = 0

    init(number: Int) {
        self.number = number
    }

    private func bytes(_ salt: Int) -> [UInt8] {
        let count = salt % 3 == 0 ? 200_000 + salt : 1_000 + salt
        return (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ salt &* 7 &+ number) }
    }

    mutating func write(_ box: BoxProcess, until end: ResponseCount) async {
        do {
            while true {
                turn += 1
                try await writeFile(box, end)
                try await writeSession(box, end)
            }
        } catch {}
    }

    private mutating func writeFile(_ box: BoxProcess, _ end: ResponseCount) async throws {
        let (first, second, body) = ("/w\(number)/f\(turn)", "/w\(number)/moved/m\(turn)", bytes(turn))
        pending = .upload(first, body)
        #expect(try await box.upload("files/upload", #"{"path":"\#(first)"}"#, .bytes(body)).status == 200)
        files[first] = body
        end.note()
        pending = .move(first, second, body)
        let argument = #"{"from_path":"\#(first)","to_path":"\#(second)"}"#
        #expect(try await box.call("files/move_v2", argument).status == 200)
        (files[first], files[second]) = (nil, body)
        end.note()
        pending = .nothing
    }

    private mutating func writeSession(_ box: BoxProcess, _ end: ResponseCount) async throws {
        let (path, first, second) = ("/w\(number)/s\(turn)", bytes(turn + 1), bytes(turn + 2))
        let started = try await box.upload("files/upload_session/start", "{}", .bytes(first)).json
        let id = started["session_id"]?.string ?? ""
        end.note()
        pending = .append(id, first, second)
        let append = #"{"cursor":{"session_id":"\#(id)","offset":\#(first.count)}}"#
        #expect(try await box.upload("files/upload_session/append_v2", append, .bytes(second)).status == 200)
        end.note()
        pending = .finish(id, first + second, path)
        #expect(try await box.finish(id, first.count + second.count, path).status == 200)
        files[path] = first + second
        end.note()
        pending = .nothing
    }
}

extension CrashWriter {
    /// Checks the files after a restart, and records the result of the request that was in flight.
    mutating func check(_ box: BoxProcess) async throws {
        switch pending {
        case .move(let from, let to, let body):
            files[from] = nil
            let found = try await [box.download(from), box.download(to)]
            #expect(found.filter { $0.status == 200 }.map(\.body) == [body])
            files[found[0].status == 200 ? from : to] = body
        case .upload(let path, let body):
            let found = try await box.download(path)
            #expect(found.status == 409 || found.body == body)
            if found.status == 200 { files[path] = body }
        case .append(let id, let first, let second): try await resume(box, id, first, second)
        case .finish(let id, let body, let path):
            let response = try await box.finish(id, body.count, path)
            #expect(response.status == 200 || response.summary == "lookup_failed/not_found/..")
            files[path] = body
        case .nothing: break
        }
        pending = .nothing
        for (path, body) in files {
            let found = try await box.download(path)
            #expect(found.body == body, "\(path) is not as it was answered")
        }
    }

    /// Resumes a session, which has the part that was in flight or does not have it.
    private mutating func resume(_ box: BoxProcess, _ id: String, _ first: [UInt8], _ second: [UInt8]) async throws {
        let argument = #"{"cursor":{"session_id":"\#(id)","offset":\#(first.count)}}"#
        let response = try await box.upload("files/upload_session/append_v2", argument, .bytes(second))
        let (end, path) = (first.count + second.count, "/w\(number)/resumed\(turn)")
        #expect(response.status == 200 || response.json["error"]?["correct_offset"]?.int == end)
        #expect(try await box.finish(id, end, path).status == 200)
        files[path] = first + second
    }
}
