// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
import RestTesting
import Testing

@testable import Dropbox

@Suite("Downloads onto a full disk")
struct FullDiskTests {
    @Test("A disk that takes no more is a typed error that names the file; what was there stays, and nothing else does")
    func fullDisk() async {
        // In a process of its own: there no file may become longer than this, as on a disk that is full.
        await #expect(processExitsWith: .success) {
            let script = try ContentStub()
            try script.folder.write("mine", to: "a")
            script.answer(ContentStub.content)
            let error = try await FullDisk.during(after: 5) {
                try await ContentStub.failure(of: script.download()).rest
            }
            guard error.code == .file, error.message.contains(script.folder.path("a")) else { exit(3) }
            guard error.systemErrors.contains(where: { $0.number == Int(EFBIG) }) else { exit(4) }
            guard script.folder.names == ["a"], script.folder.text(of: "a") == "mine" else { exit(5) }
        }
    }

    @Test("What a write that failed left in a file is not in the content that goes on", arguments: [true, false])
    func goesOn(keepsPart: Bool) async {
        await #expect(processExitsWith: .success) { [keepsPart] in
            let folder = try TemporaryFolder()
            let target = ContentTarget.file(path: folder.path("a"), overwrites: true, makesFolders: false)
            let identity = ContentIdentity(
                revision: "0123456789", size: 12, hash: ContentHash(of: Array(ContentStub.content.utf8)).text)
            let content = try PartialContent(0, identity, nil, at: (0, 12), into: target, keepsPart: keepsPart)
            try content.add(Array("some c".utf8))
            await FullDisk.during(after: 8) {
                guard (try? content.add(Array("ontent".utf8))) == nil else { exit(2) }
            }
            // Without a word about where it goes on, nothing is taken.
            guard (try? content.add(Array("ontent".utf8))) == nil, content.count == 6 else { exit(3) }
            try content.goOn()
            try content.add(Array("ontent".utf8))
            guard try content.finish().isEmpty, folder.names == ["a"] else { exit(4) }
            guard folder.text(of: "a") == ContentStub.content else { exit(5) }
        }
    }
}
#endif
