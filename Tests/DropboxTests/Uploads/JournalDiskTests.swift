// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
import RestTesting
import Testing

@testable import Dropbox

@Suite("A journal on a full disk")
struct JournalDiskTests {
    @Test("What does not fit is an error, and the lines before it stay whole")
    func fullDisk() async {
        // In a process of its own: there no file may become longer than this, as on a disk that is full.
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200, rlim_max: 200)
            let folder = try TemporaryFolder()
            let path = folder.path("journal")
            guard unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
            var noted = 0
            do {
                let journal = try UploadJournal(path: path)
                for number in 0..<50 {
                    try journal.add(UploadRecord(owner: "user \(number)"))
                    noted = number
                }
                exit(3)
            } catch {
                guard let error = error as? RestError, error.code == .journal, error.message.contains(path) else {
                    exit(4)
                }
            }
            // The one that did not fit is not there, and the journal goes on.
            let journal = try UploadJournal(path: path)
            try journal.claim("user \(noted)")
            guard noted > 0, folder.text(of: "journal")?.hasSuffix("\n") == true else { exit(5) }
        }
    }
}
#endif
