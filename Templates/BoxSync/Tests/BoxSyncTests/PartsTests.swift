// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import BoxSyncCore

/// What needs no box.
struct PartsTests {
    @Test("The bar fits, and says less where there is less room")
    func progressLine() {
        let line = ProgressLine(start: 1_000_000, done: 11_000_000, total: 41_000_000, elapsed: .seconds(5))
        #expect(
            line.text(columns: 80)
                == "[#########..........................] 26 %  11 MB of 41 MB  2.0 MB/s  0:15 left")
        #expect(line.text(columns: 50) == "[#....] 26 %  11 MB of 41 MB  2.0 MB/s  0:15 left")
        #expect(line.text(columns: 33) == "26 %  11 MB of 41 MB  2.0 MB/s")
        #expect(line.text(columns: 30) == "[#.....] 26 %  11 MB of 41 MB")
        for columns in 0...200 { #expect(line.text(columns: columns).count < max(1, columns)) }
        let unknown = ProgressLine(start: 0, done: 812, total: nil, elapsed: .zero)
        #expect(unknown.text(columns: 80) == "812 B")
        let empty = ProgressLine(start: 0, done: 0, total: 0, elapsed: .zero)
        #expect(empty.text(columns: 26) == "[#####] 100 %  0 B of 0 B")
    }

    @Test(
        "Sizes have three digits at most",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_949, "9.9 kB"), (9_950, "10 kB"), (999_499, "999 kB"),
            (999_500, "1.0 MB"), (Int64.max, "9.2 EB"),
        ])
    func sizes(_ size: Int64, _ text: String) {
        #expect(size.asBytes == text)
    }

    @Test("A command line says what to do, or is refused")
    func invocations() throws {
        let up = try Invocation(["up", "--exclude=*.o", "a", "--overwrite", "--", "--b"])
        #expect(up.verb == .up)
        #expect(up.words == ["a", "--b"])
        #expect(up.options.overwrites)
        #expect(up.options.excludes == ["*.o"])
        #expect(try Invocation(["up", "--help"]).verb == nil)
        for words in [["up", "a"], ["fly"], ["ls", "--overwrite"], ["use"], ["up", "--dry-run=yes", "a", "b"]] {
            #expect(throws: UsageError.self) { try Invocation(words) }
        }
        #expect(throws: UsageError.self) { try Invocation(["logout", "--all", "me"]) }
        #expect(throws: UsageError.self) { try Invocation(["up", "a", "b", "--exclude"]) }
    }

    @Test("Patterns with a slash are about paths, others about names")
    func exclusions() {
        let exclusions = Exclusions(["*.o", "build/*"])
        for path in [".git", "a/.git", "x.o", "a/b/x.o", "build/x", ".123456.part"] {
            #expect(exclusions.contain(path))
        }
        for path in ["git", "a/build/x", "x.out", "build", ".gitignore"] { #expect(!exclusions.contain(path)) }
        #expect(exclusions.containPart(of: "a/.git/config"))
        #expect(!exclusions.containPart(of: "a/git/config"))
    }

    @Test("What a terminal would obey is not shown")
    func oneLine() {
        #expect("a\u{1B}[2Jb\nc\u{202E}d".onOneLine == "a?[2Jb?c?d")
    }

    @Test("A folder that cannot be read is named, and the rest is there")
    func unreadableFolder() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "boxsync-walk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        try Data().write(to: root.appending(path: "file"))
        // Nobody may read it, the system's own user neither: a path below it would be too long.
        let name = String(repeating: "n", count: 250)
        var folders = [open(root.path, O_RDONLY | O_DIRECTORY)]
        // From the deepest on, because their paths are too long to remove them at once.
        defer {
            for folder in folders.reversed() {
                unlinkat(folder, name, AT_REMOVEDIR)
                close(folder)
            }
        }
        for _ in 0..<17 {
            try #require(mkdirat(folders[folders.count - 1], name, 0o700) == 0)
            folders.append(openat(folders[folders.count - 1], name, O_RDONLY | O_DIRECTORY))
        }
        let walked = try await LocalFolder.walk(root.path, without: Exclusions([]))
        #expect(walked.files.map(\.path) == ["file"])
        #expect(walked.problems.count == 1)
        #expect(walked.problems.first?.path.hasPrefix(name) == true)
        await #expect(throws: Failure.self) {
            try await LocalFolder.walk(root.appending(path: "file").path, without: Exclusions([]))
        }
    }
}
