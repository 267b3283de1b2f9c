// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestTransport
import SOQLCheck

#if canImport(Darwin)
import MachO
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An error message of a verb for its user, with the exit status.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ description: String, status: ExitStatus = .failure) {
        (self.description, self.status) = (description, status)
    }

    /// Creates the error, with a suggestion of the name in `known` that is nearest to `word`.
    init(_ description: String, near word: String, _ known: [String]) {
        self.init(description + (word.nearest(in: known).map { "; did you mean '\($0)'?" } ?? ""))
    }
}

extension Option {
    static let yes = Option("--yes", short: "-y", "do not ask for confirmation")
    static let dryRun = Option("--dry-run", "print the requests, and write nothing")
}

extension Arguments {
    /// Whether the user must confirm changes and deletions of existing records.
    private var wantsQuestion: Bool { !has(.yes) && !has(.dryRun) }

    /// Rejects a command that needs a confirmation if standard input is not a terminal.
    func checkQuestion() throws(UsageError) {
        guard !wantsQuestion || StandardInput.isTerminal else {
            throw UsageError("cannot ask for confirmation without a terminal; use --yes, or --dry-run to preview")
        }
    }

    /// Asks for confirmation of a change (such as `delete 3 records of Account`) in the client's org, and throws
    /// without it.
    func ask(_ question: String, of client: RestClient) async throws {
        guard wantsQuestion else { return }
        let place = try await client.signedRequest(for: .resources).url.origin
        StandardOutput.prompt("soql: \(question) at \(place)? [y/N] ".singleLine + " ")
        var response: [UInt8] = []
        while !response.contains(UInt8(ascii: "\n")) {
            try StandardInput.waitForInput()
            guard let chunk = StandardInput.chunk() else { break }
            response += chunk
        }
        let word = String(decoding: response, as: UTF8.self).trimmingBlanks.lowercased()
        guard ["y", "yes"].contains(word) else { throw CommandFailure("nothing was done") }
    }
}

/// Prints requests instead of sending them.
enum DryRun {
    /// Prints a request: the method and the URL, then its body.
    static func print(_ request: RestRequest, of client: RestClient) throws {
        let built = try client.httpRequest(for: request)
        var bytes = Array("\(built.method) \(built.url.target)\n".utf8)
        if let body = built.body.inMemory, !body.isEmpty { bytes += body + [UInt8(ascii: "\n")] }
        try TextOutput.write(bytes)
    }

    static func end() { StandardOutput.note("nothing was written (--dry-run)") }
}

/// Writes text that is not a list of records.
enum TextOutput {
    /// Writes to standard output, without control characters on a terminal.
    static func write(_ bytes: [UInt8], isRaw: Bool = false) throws {
        guard StandardOutput.isTerminal, !isRaw else { return try StandardOutput.write(bytes) }
        var filter = TerminalFilter(.blank)
        try StandardOutput.write(filter.filtered(bytes))
    }
}

/// Information about files by path.
enum FileFacts {
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// The status of a file, or of the target of a symbolic link, or `nil` if the file does not exist.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    static func remove(_ path: String) { unsafe unlink(path) }

    /// The target of the symbolic links at a path, even if it does not exist, or `nil` if the links are circular.
    static func followed(_ path: String) -> String? {
        var path = path
        // The maximum number of links that Linux follows.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
            path = target.hasBytes(prefix: "/") ? target : FileWriter.folder(of: path) + target
        }
        return nil
    }

    /// The absolute path without symbolic links, or `nil` if the file does not exist.
    static func resolved(_ path: String) -> String? {
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}

/// The executable file of this program.
enum ProgramFile {
    /// The path that starts the program again.
    static var executable: String {
        #if canImport(Darwin)
        var size: UInt32 = 4_096
        var path = [CChar](repeating: 0, count: Int(size))
        guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return CommandLine.arguments[0] }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
        // The same file, even if its name now refers to another file.
        return "/proc/self/exe"
        #endif
    }

    /// The absolute path without symbolic links.
    static var path: String { FileFacts.resolved(executable) ?? executable }
}

extension String {
    /// The parent directory of a path, or the current directory for a plain name.
    var parentDirectory: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The last component of a path.
    var lastPart: String { split(separator: "/").last.map(String.init) ?? "" }
}

extension Arguments {
    /// Shows a note on standard error, unless `--quiet` is set.
    func note(_ text: String) {
        if !has(.quiet) { StandardOutput.note(text) }
    }
}

extension RestError {
    /// Notifies the user if it is unknown whether a write was applied.
    func noteOutcome() {
        guard outcome == .unknown else { return }
        StandardOutput.note("soql: the outcome is unknown; check the record before you send it again")
    }
}

extension Connection {
    /// Opens a connection for some work, and closes it regardless of the result.
    ///
    /// The work runs once because it may write data or read standard input. An older API version is reported, not
    /// retried. For work on one object, errors about unknown names include suggestions.
    static func work<Result: Sendable>(
        _ arguments: Arguments, on object: String? = nil, _ body: (RestClient) async throws -> Result
    ) async throws -> Result {
        try await closing(open(arguments), object) { connection in
            do {
                return try await body(connection.client)
            } catch let error as RestError where error.code == .notFound {
                guard let version = await connection.olderVersion() else { throw error }
                throw CommandFailure("the server's newest API version is \(version); use --api-version \(version)")
            }
        }
    }

    /// Like `work`, for requests that only read, and which are repeated if the server supports only an older version.
    static func read<Result: Sendable>(
        _ arguments: Arguments, on object: String? = nil, _ body: (RestClient) async throws -> Result
    ) async throws -> Result {
        try await closing(open(arguments), object) { try await $0.withClient(body) }
    }

    /// Closes a connection after some work, even if the work fails.
    static func closing<Result: Sendable>(
        _ connection: Connection, _ object: String?, _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            var error = error
            if let object, let rest = error as? RestError {
                error = await NameHint(client: connection.client, object: object).reported(rest)
            }
            await connection.close()
            throw error
        }
    }
}
