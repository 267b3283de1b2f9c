// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RestTransport

@Suite("The identity of files")
struct FilePlaceTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/rest-" + UUID().uuidString

    /// Makes a directory with files and links for some work.
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

    @Test("all paths and links to one file are one place, also before the file exists")
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

    @Test("what is no regular file has no place, so that several may use it")
    func others() throws {
        try withFiles { folder in
            for path in ["/dev/null", folder, "\(folder)/sub/", "\(folder)/loop", "\(folder)/none/x", "a\u{0}b", ""] {
                #expect(FilePlace(path) == nil, "\(path)")
            }
            #expect(FilePlace.collision(of: ["/dev/null", "/dev/null"], with: ["/dev/null"]) == nil)
        }
    }

    @Test("an output that is an input, another output or an open file is found")
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
