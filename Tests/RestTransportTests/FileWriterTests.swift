// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Testing

@Suite("FileWriter")
struct FileWriterTests {
    private static let otherVolume = "/dev/shm"

    /// A folder that goes with its last reference.
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

    @Test("A file that is moved takes the place of the old one, or of none", arguments: [true, false])
    func moves(hasOld: Bool) throws {
        let folder = try Folder()
        try folder.write("new", "source")
        if hasOld { try folder.write("old", "target") }
        try FileWriter.move(folder.path + "/source", to: folder.path + "/target")
        #expect(try folder.text("target") == "new")
        #expect(try folder.names() == ["target"])
    }

    @Test(
        "A file of another volume is copied whole and removed there",
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

    @Test("A move that fails leaves the old file and says so")
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
