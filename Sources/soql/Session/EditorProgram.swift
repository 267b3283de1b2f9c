// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

import Dispatch

/// The user's own editor, which has the terminal until it ends.
enum EditorProgram {
    /// The editor did not do its work.
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// The command that the environment names.
    private static var command: String { Settings.value("VISUAL") ?? Settings.value("EDITOR") ?? "vi" }

    /// Lets the user edit a text, in a file that only this user can read and that is gone afterwards.
    ///
    /// - Throws: ``Failed``, and ``UsageError`` for what cannot be read back.
    static func edit(_ text: String) async throws -> String {
        let folder = Settings.value("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/soql-XXXXXX.soql".utf8CString)
        // The name of the file is put into the place of the template.
        let file = unsafe mkstemps(&template, 5)
        guard file >= 0 else { throw Failed(description: "no file can be made in \(folder): \(systemMessage(errno))") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unsafe unlink(path) }
        do {
            defer { close(file) }
            try StandardOutput.write(Array((text + "\n").utf8), to: file)
        }
        let status = await run(path)
        guard status == 0 else { throw Failed(description: "the editor '\(command)' ended with an error") }
        return try StandardInput.read(file: path)
    }

    /// Runs the editor to its end; Control-C is the editor's meanwhile.
    private static func run(_ path: String) async -> Int32 {
        let before = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, before) }
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "editor").async { continuation.resume(returning: started(path)) }
        }
    }

    private static func started(_ path: String) -> Int32 {
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // What this process ignores, and what the threads of a dispatch queue block, the editor must hear.
        var (none, ignored) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&ignored)
        for number in [SIGINT, SIGPIPE] { unsafe sigaddset(&ignored, number) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // The strings are copied for the call and freed after it; the child has its own copy by then.
        let texts = ["sh", "-c", "\(command) \"$1\"", "sh", path]
        let words = unsafe texts.map { unsafe strdup($0) } + [nil]
        let settings = unsafe Settings.all.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var child = pid_t()
        guard unsafe posix_spawn(&child, "/bin/sh", nil, &attributes, words, settings) == 0 else { return -1 }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
