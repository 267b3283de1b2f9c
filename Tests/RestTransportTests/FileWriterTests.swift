// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import RestTransport

@Suite("FileWriter")
struct FileWriterTests {
    private static let otherVolume = "/dev/shm"

    /// A directory that is removed with its last reference.
    private final class Folder {
        let path: String

        init(in parent: String = NSTemporaryDirectory()) throws {
            path = parent + "/rest-files-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
        }

        func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    @Test("A large file is written whole, although the disk starts writing early", arguments: [1_000, 65_536, 5 << 20])
    func early(chunk: Int) throws {
        let folder = try Folder()
        let bytes = (0..<(9 << 20) + 7).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let writer = try FileWriter(path: folder.path + "/file")
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try writer.write(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        try writer.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/file")) == Data(bytes))
        #if os(Linux)
        #expect(EarlySync.isKnown)
        #endif
    }

    @Test("A moved file replaces an existing file, or creates a new one", arguments: [true, false])
    func moves(hasOld: Bool) throws {
        let folder = try Folder()
        try folder.write("new", "source")
        if hasOld { try folder.write("old", "target") }
        try FileWriter.move(folder.path + "/source", to: folder.path + "/target")
        #expect(try folder.text("target") == "new")
        #expect(try folder.names() == ["target"])
    }

    @Test(
        "A file on another volume is copied whole, and the original is removed",
        .enabled(if: FileManager.default.isWritableFile(atPath: otherVolume)), arguments: [0, 65_536, 200_001])
    func volumes(size: Int) throws {
        let (here, there) = (try Folder(), try Folder(in: Self.otherVolume))
        let text = String((0..<size).map { "abcdefghijk".utf8.map { Character(UnicodeScalar($0)) }[$0 % 11] })
        try there.write(text, "source")
        try here.write("old", "target")
        try FileWriter.move(there.path + "/source", to: here.path + "/target")
        #expect(try here.text("target") == text)
        #expect(try here.names() == ["target"])
        #expect(try there.names() == [])
    }

    /// Records the steps that reach the disk, in order, and whether the file was in place before each step.
    private final class Disk: Sendable {
        let steps = Mutex<[String]>([])
        let target: String

        init(target: String) { self.target = target }

        func sync(_ descriptor: Int32) -> Int32 {
            var status = stat()
            let isFolder = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            let isPlaced = FileManager.default.fileExists(atPath: target)
            let step = "\(isFolder ? "folder" : "\(status.st_size) bytes") \(isPlaced ? "after" : "before")"
            steps.withLock { $0.append(step) }
            return 0
        }
    }

    @Test("The bytes are synced before the file gets its name, and the name is synced before the call ends")
    func syncs() throws {
        let folder = try Folder()
        let disk = Disk(target: folder.path + "/target")
        let writer = try FileWriter(path: disk.target, sync: disk.sync)
        try writer.write(Array("abc".utf8))
        try writer.finish()
        #expect(disk.steps.withLock(\.self) == ["3 bytes before", "folder after"])
        let brief = try FileWriter(path: disk.target, sync: disk.sync)
        try brief.finish(isKept: false)
        #expect(disk.steps.withLock(\.self.count) == 2)
    }

    @Test("If a sync fails, the old file remains")
    func syncFails() throws {
        let folder = try Folder()
        try folder.write("old", "target")
        let writer = try FileWriter(path: folder.path + "/target") { _ in
            errno = EIO
            return -1
        }
        try writer.write(Array("new".utf8))
        let error = #expect(throws: TransportError.self) { try writer.finish() }
        #expect(error?.code == .file)
        #expect(error?.systemErrors.first?.number == Int(EIO))
        #expect(try folder.text("target") == "old")
        #expect(try folder.names() == ["target"])
    }

    @Test("A file can have the longest possible name, and an unfinished writer leaves no file")
    func longName() throws {
        let folder = try Folder()
        let name = String(repeating: "n", count: 255)
        let writer = try FileWriter(path: folder.path + "/" + name)
        try writer.write(Array("abc".utf8))
        try writer.finish()
        #expect(try folder.text(name) == "abc")
        _ = try FileWriter(path: folder.path + "/other")
        #expect(try folder.names() == [name])
    }

    @Test("A file has no name in the directory until it is complete, so a killed process leaves nothing")
    func killed() throws {
        let folder = try Folder()
        let writer = try FileWriter(path: folder.path + "/target", access: .usual)
        try writer.write(Array("abc".utf8))
        #if os(Linux)
        #expect(try folder.names() == [])
        #endif
        try writer.finish()
        #expect(try folder.names() == ["target"] && folder.text("target") == "abc")
    }

    @Test("A file is written in an open directory even if that directory moves, and replaces a leftover temporary file")
    func openDirectory() throws {
        let folder = try Folder()
        try folder.write("old", "target")
        try folder.write("half", ".temporary")
        let directory = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(directory) }
        try FileManager.default.moveItem(atPath: folder.path, toPath: folder.path + "-moved")
        defer { try? FileManager.default.moveItem(atPath: folder.path + "-moved", toPath: folder.path) }
        let writer = try FileWriter(path: "target", in: directory, temporary: ".temporary")
        try writer.write(Array("new".utf8))
        let written = writer.state
        try writer.finish()
        #expect(written != nil && FileState("target", in: directory) == written)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "-moved")
        #expect(names == ["target"])
        #expect(try String(contentsOfFile: folder.path + "-moved/target", encoding: .utf8) == "new")
    }

    @Test("A file that appears in the meantime is not replaced unless requested, and nothing else is left")
    func appears() throws {
        let folder = try Folder()
        let writer = try FileWriter(path: folder.path + "/target", replaces: false)
        try writer.write(Array("new".utf8))
        try folder.write("theirs", "target")
        let error = #expect(throws: TransportError.self) { try writer.finish() }
        #expect(error?.isFileThere == true)
        #expect(try folder.names() == ["target"] && folder.text("target") == "theirs")
    }

    @Test("A failed move throws and leaves the old file")
    func fails() throws {
        let folder = try Folder()
        try folder.write("old", "target")
        let error = #expect(throws: TransportError.self) {
            try FileWriter.move(folder.path + "/missing", to: folder.path + "/target")
        }
        #expect(error?.code == .file)
        #expect(try folder.text("target") == "old")
        #expect(try folder.names() == ["target"])
    }
}

@Suite("The identity of files")
struct FilePlaceTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/rest-" + UUID().uuidString

    /// Runs `work` in a directory with files, hard links and symbolic links.
    private func withFiles(_ work: (String) throws -> Void) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        for name in ["a", "b"] { try Data(name.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        try files.linkItem(atPath: folder + "/a", toPath: folder + "/hard")
        for (link, target) in [("soft", "a"), ("sub/up", "../a"), ("lost", "new"), ("far", "lost"), ("loop", "loop")] {
            try files.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: target)
        }
        try files.createSymbolicLink(atPath: folder + "/dir", withDestinationPath: folder)
        try work(folder)
    }

    @Test("all paths and links to a file have the same identity, even before the file exists")
    func same() throws {
        try withFiles { folder in
            let equal = [
                ["a", "./a", "sub/../a", "hard", "soft", "sub/up", "dir/a", "dir/dir/soft"],
                ["new", "lost", "far", "dir/new", "sub/../new", "dir//new"], ["b"], ["sub/new"], ["other"],
            ]
            let places = try equal.map { paths in
                let found = try paths.map { try #require(FilePlace("\(folder)/\($0)"), "\($0)") }
                #expect(Set(found).count == 1, "\(paths)")
                return found[0]
            }
            #expect(Set(places).count == equal.count)
        }
    }

    @Test("a path that is not a regular file has no identity, so several outputs may share it")
    func others() throws {
        try withFiles { folder in
            for path in ["/dev/null", folder, "\(folder)/sub/", "\(folder)/loop", "\(folder)/none/x", "a\u{0}b", ""] {
                #expect(FilePlace(path) == nil, "\(path)")
            }
            #expect(FilePlace.collision(of: ["/dev/null", "/dev/null"], with: ["/dev/null"]) == nil)
        }
    }

    @Test("an output that is also an input, another output or an open file is found")
    func collisions() throws {
        try withFiles { folder in
            func path(_ name: String) -> String { "\(folder)/\(name)" }
            let input = FilePlace.collision(of: [path("b"), path("soft")], with: [path("hard")])
            #expect(input?.output == path("soft") && input?.other == path("hard"))
            let output = FilePlace.collision(of: [path("new"), path("lost")], with: [path("a")])
            #expect(output?.output == path("lost") && output?.other == path("new"))
            #expect(FilePlace.collision(of: [path("new"), path("b")], with: [path("a"), path("soft")]) == nil)
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path("a")))
            let open = FilePlace.collision(of: [path("soft")], with: [], open: [(file.fileDescriptor, "the pipe")])
            #expect(open?.other == "the pipe")
        }
    }
}
