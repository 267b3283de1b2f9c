// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@testable import RestTransport

@Suite("File locks")
struct FileLockTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func lock(_ name: String) throws(FileLock.Failure) -> FileLock? {
        try FileLock(folder.path(name), in: AT_FDCWD)
    }

    @Test("a lock has one holder at a time, and releasing it leaves the file in place")
    func holders() throws {
        var first = try lock("a")
        #expect(first != nil)
        #expect(try lock("a") == nil && lock("b") != nil)
        first = nil
        #expect(try lock("a") != nil)
        #expect(FileManager.default.fileExists(atPath: folder.path("a")))
    }

    @Test("a symbolic link, a pipe or a directory is rejected as a lock file, without blocking")
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

    @Test("a lock file that cannot be created is a different error from a lock that is held")
    func missing() {
        let failure = #expect(throws: FileLock.Failure.self) { try lock("missing/a") }
        guard case .notCreated(ENOENT) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
