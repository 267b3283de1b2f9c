// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@testable import RestTransport

@Suite("Locks of files")
struct FileLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lock(_ name: String) throws(FileLock.Failure) -> FileLock? {
        try FileLock(folder.path(name), in: AT_FDCWD)
    }

    @Test("one holder has the lock at a time, and releasing it makes it free; the file stays")
    func holders() throws {
        var first = try lock("a")
        #expect(first != nil)
        #expect(try lock("a") == nil && lock("b") != nil)
        first = nil
        #expect(try lock("a") != nil)
        #expect(FileManager.default.fileExists(atPath: folder.path("a")))
    }

    @Test("a link, a pipe and a directory are no locks, and block nobody")
    func strangers() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("a"))
        #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
        for name in ["link", "pipe", "folder"] {
            let failure = #expect(throws: FileLock.Failure.self) { try lock(name) }
            guard case .notOwn = failure else {
                Issue.record("\(name): \(String(describing: failure))")
                continue
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
    }

    @Test("a lock file that cannot be created is told apart from one that is taken")
    func missing() {
        let failure = #expect(throws: FileLock.Failure.self) { try lock("missing/a") }
        guard case .notCreated(ENOENT) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
