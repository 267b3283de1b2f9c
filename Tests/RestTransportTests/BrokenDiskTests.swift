// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Synchronization
import TestSupport
import Testing

@testable import RestTransport

/// Simulates a disk whose sync fails with an error of the operating system, once or several times.
private final class BrokenDisk: Sendable {
    private let failures: Mutex<[Bool]>

    /// Creates a disk that fails at those syncs for which `failures` is true, and never after them.
    init(_ failures: [Bool]) { self.failures = Mutex(failures) }

    func sync(_ descriptor: Int32) -> Int32 {
        let fails = failures.withLock { $0.isEmpty ? false : $0.removeFirst() }
        if fails { errno = EIO }
        return fails ? -1 : 0
    }
}

@Suite("Files on a failing disk")
struct BrokenDiskTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func writer(_ failures: [Bool] = []) throws -> FileWriter {
        try FileWriter(
            path: folder.path("target"), replaces: true, goingOnWith: ".part", sync: BrokenDisk(failures).sync)
    }

    private func code(of work: () throws -> Void) -> Int? {
        let error = #expect(throws: TransportError.self) { try work() }
        return error?.systemErrors.first?.number
    }

    @Test("A partial file that cannot be moved into place is kept and can be continued")
    func stays() throws {
        try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: false)
        let writer = try writer()
        try writer.write(Array("abc".utf8))
        try FileManager.default.createDirectory(atPath: folder.path("target"), withIntermediateDirectories: false)
        #expect(code { try writer.finish() } == Int(EISDIR))
        #expect(folder.text(of: ".part") == "abc")
        try FileManager.default.removeItem(atPath: folder.path("target"))
        let next = try self.writer()
        #expect(next.count == 3)
        try next.write(Array("def".utf8))
        try next.finish()
        #expect(folder.text(of: "target") == "abcdef" && folder.names == ["other", "target"])
    }

    @Test("After a failed sync, later syncs, writes and the finish fail too")
    func syncs() throws {
        let writer = try writer([true])
        try writer.write(Array("abc".utf8))
        #expect(code { try writer.flush() } == Int(EIO))
        #expect(code { try writer.flush() } == Int(EIO))
        #expect(code { _ = try writer.cut(to: 0) } == Int(EIO))
        #expect(code { try writer.write(Array("def".utf8)) } == Int(EIO))
        #expect(code { try writer.finish() } == Int(EIO))
        #expect(folder.names == [".part"] && folder.text(of: ".part") == "abc")
    }

    @Test("If the directory cannot be synced, finishing throws, and the file is in place")
    func name() throws {
        let writer = try FileWriter(path: folder.path("target"), sync: BrokenDisk([false, true]).sync)
        try writer.write(Array("abc".utf8))
        #expect(code { try writer.finish() } == Int(EIO))
        #expect(folder.text(of: "target") == "abc" && folder.names == ["target"])
    }

    @Test("Finishing fails if the file's length is not the number of bytes written", arguments: [2, 4])
    func length(size: Int) throws {
        let writer = try writer()
        try writer.write(Array("abc".utf8))
        #expect(unsafe truncate(folder.path(".part"), off_t(size)) == 0)
        #expect(code { try writer.finish() } == Int(EIO))
        #expect(folder.text(of: "target") == nil)
    }

    @Test("A replaced file keeps its permissions when written with the usual access")
    func permissions() throws {
        func mode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.path("target"))[.posixPermissions] as? Int
        }
        let mask = umask(0)
        umask(mask)
        try FileWriter.write([1], to: folder.path("target"), access: .usual)
        #expect(try mode() == 0o666 & ~Int(mask))
        for old in [0o600, 0o640, 0o666, 0o400] {
            #expect(unsafe chmod(folder.path("target"), mode_t(old)) == 0)
            try FileWriter.write([1], to: folder.path("target"), access: .usual)
            #expect(try mode() == old)
        }
        try FileWriter.write([1], to: folder.path("target"))
        #expect(try mode() == 0o600)
    }

    @Test("After a failed sync a journal takes no more lines, and a reopened journal continues with its lines")
    func journal() throws {
        let path = folder.path("journal")
        let journal = try JournalFile(path: path, kind: "t", version: 1, sync: BrokenDisk([false, false, true]).sync)
        #expect(try journal.lines().isEmpty)
        try journal.append(Array("one".utf8))
        try journal.sync()
        try journal.append(Array("two".utf8))
        for _ in 1...2 { #expect(code { try journal.sync() } == Int(EIO)) }
        #expect(code { try journal.append(Array("three".utf8)) } == Int(EIO))
        journal.close()
        let again = try JournalFile(path: path, kind: "t", version: 1)
        #expect(try again.lines().map { String(decoding: $0, as: UTF8.self) } == ["one", "two"])
    }

    @Test("A new journal reports if its directory entry cannot be synced, and can sync it later")
    func journalName() throws {
        let disk = BrokenDisk([false, true])
        let journal = try JournalFile(path: folder.path("journal"), kind: "t", version: 1, sync: disk.sync)
        _ = try journal.lines()
        #expect(code { try journal.sync() } == Int(EIO))
        try journal.append(Array("one".utf8))
        try journal.sync()
    }

    #if canImport(Glibc)
    @Test("After a failed write, nothing is written until a cut sets the position")
    func writes() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            let writer = try FileWriter(path: folder.path("target"))
            try writer.write(Array("abc".utf8))
            await FullDisk.during(after: 4) {
                guard (try? writer.write(Array("def".utf8))) == nil else { exit(2) }
            }
            // Code that ignores the error must not create a file with a hole or missing bytes.
            guard (try? writer.write(Array("ghi".utf8))) == nil, (try? writer.flush()) == nil else { exit(3) }
            guard writer.count == 3, try writer.cut(to: 3) else { exit(4) }
            try writer.write(Array("def".utf8))
            try writer.finish()
            guard folder.text(of: "target") == "abcdef" else { exit(5) }
            let failed = try FileWriter(path: folder.path("target"))
            await FullDisk.during(after: 4) {
                guard (try? failed.write(Array("ghijkl".utf8))) == nil else { exit(6) }
            }
            guard (try? failed.finish()) == nil, folder.names == ["target"] else { exit(7) }
            guard folder.text(of: "target") == "abcdef" else { exit(8) }
        }
    }

    @Test("After a full disk a journal has no partial line, and continues when there is space")
    func fullJournal() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            let journal = try JournalFile(path: folder.path("journal"), kind: "t", version: 1)
            _ = try journal.lines()
            try journal.append(Array("one".utf8))
            await FullDisk.during(after: 10) {
                guard (try? journal.append(Array("two".utf8))) == nil else { exit(2) }
            }
            guard folder.text(of: "journal") == "t 1\none\n" else { exit(3) }
            try journal.append(Array("three".utf8))
            guard folder.text(of: "journal") == "t 1\none\nthree\n" else { exit(4) }
        }
    }
    #endif
}

/// A download whose responses the test delivers itself.
private struct HandedDownload {
    let folder: TemporaryDirectory
    let target: HTTPResponse.Download
    private let request: HTTPRequest

    init() throws {
        folder = try TemporaryDirectory()
        target = HTTPResponse.Download(path: folder.path("down"))
        request = HTTPRequest(url: try HTTPURL(parsing: "https://a.example/file"))
    }

    /// Begins an attempt.
    ///
    /// - Returns: the attempt, and the range that it requests.
    func begin() -> (attempt: HTTPResponse.Download.Attempt, range: String?) {
        let (request, attempt) = target.begin(request)
        return (attempt, request.fields["Range"])
    }

    /// Returns a response head for the rest of ten bytes.
    static func head(from start: Int = 0) -> HTTPResponse.Head {
        var head = HTTPResponse.Head(status: start == 0 ? 200 : 206, fields: ["ETag": #""a""#])
        head.fields["Content-Length"] = "\(10 - start)"
        if start > 0 { head.fields["Content-Range"] = "bytes \(start)-9/10" }
        return head
    }
}

@Suite("Downloads whose file cannot be written")
struct DownloadDiskTests {
    #if canImport(Glibc)
    @Test("Bytes of a failed write are requested again, and the partial write is not in the file")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let download = try HandedDownload()
            let first = download.begin().attempt
            guard try first.receive(HandedDownload.head()) else { exit(2) }
            try first.write(Array("abcd".utf8))
            await FullDisk.during(after: 6) {
                guard (try? first.write(Array("efgh".utf8))) == nil else { exit(3) }
            }
            let (second, range) = download.begin()
            guard range == "bytes=4-9", try second.receive(HandedDownload.head(from: 4)) else { exit(4) }
            try second.write(Array("efghij".utf8))
            try second.finish()
            guard download.folder.text(of: "down") == "abcdefghij" else { exit(5) }
            guard download.folder.names == ["down"] else { exit(6) }
        }
    }
    #endif

    @Test("If the file cannot be moved into place, the next attempt downloads it again from the start")
    func lastStep() throws {
        let download = try HandedDownload()
        let path = download.folder.path("down")
        for isBlocked in [true, false] {
            let (attempt, range) = download.begin()
            #expect(range == nil)
            try #expect(attempt.receive(HandedDownload.head()))
            try attempt.write(Array("abcdefghij".utf8))
            guard isBlocked else {
                try attempt.finish()
                continue
            }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let error = #expect(throws: TransportError.self) { try attempt.finish() }
            #expect(error?.code == .file)
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(download.folder.text(of: "down") == "abcdefghij" && download.folder.names == ["down"])
    }
}
