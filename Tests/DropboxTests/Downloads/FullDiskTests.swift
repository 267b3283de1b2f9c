// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Dropbox
import Glibc
import RestTesting
import Testing

@Suite("Downloads onto a full disk")
struct FullDiskTests {
    @Test("A disk that takes no more is a typed error that names the file; what was there stays, and nothing else does")
    func fullDisk() async {
        // In a process of its own: there no file may become longer than this, as on a disk that is full.
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 5, rlim_max: 5)
            let script = try ContentStub()
            try script.folder.write("mine", to: "a")
            guard unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
            script.answer(ContentStub.content)
            let error = try await ContentStub.failure(of: script.download()).rest
            guard error.code == .file, error.message.contains(script.folder.path("a")) else { exit(3) }
            guard error.systemErrors.contains(where: { $0.number == Int(EFBIG) }) else { exit(4) }
            guard script.folder.names == ["a"], script.folder.text(of: "a") == "mine" else { exit(5) }
        }
    }
}
#endif
