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

/// Why a verb did not do all of its work, in words for its user, and the exit status that says so.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ description: String, status: ExitStatus = .failure) {
        (self.description, self.status) = (description, status)
    }

    /// A message; the name among the known ones that is nearest to what was written is offered.
    init(_ description: String, near word: String, _ known: [String]) {
        self.init(description + (word.nearest(in: known).map { "; did you mean '\($0)'?" } ?? ""))
    }
}

extension Option {
    static let yes = Option("--yes", short: "-y", "do it without a question")
    static let dryRun = Option("--dry-run", "print what would be sent, and write nothing")
}

extension Arguments {
    /// Whether the user is asked before records that are there are changed or deleted.
    private var wantsQuestion: Bool { !has(.yes) && !has(.dryRun) }

    /// Refuses early what nobody could be asked about.
    ///
    /// - Throws: ``UsageError`` where standard input is no terminal.
    func checkQuestion() throws(UsageError) {
        guard !wantsQuestion || StandardInput.isTerminal else {
            throw UsageError("nobody can be asked here; give --yes to go on, or --dry-run to see what would be sent")
        }
    }

    /// Asks on the terminal before what cannot be undone.
    ///
    /// - Parameters:
    ///   - question: what is to be done, such as `delete 3 records of Account`.
    ///   - client: the client of the org that it is done to, which the question names.
    /// - Throws: ``CommandFailure`` for any other answer than yes.
    func ask(_ question: String, of client: RestClient) async throws {
        guard wantsQuestion else { return }
        let place = try await client.signedRequest(for: .resources).url.origin
        StandardOutput.prompt("soql: \(question) at \(place)? [y/N] ".singleLine + " ")
        var answer: [UInt8] = []
        while !answer.contains(UInt8(ascii: "\n")) {
            try StandardInput.waitForInput()
            guard let piece = StandardInput.piece() else { break }
            answer += piece
        }
        let word = String(decoding: answer, as: UTF8.self).trimmingBlanks.lowercased()
        guard ["y", "yes"].contains(word) else { throw CommandFailure("nothing was done") }
    }
}

/// Prints requests in place of sending them.
enum DryRun {
    /// Prints a request: the method and the address, then its body.
    ///
    /// - Throws: `RestError` for one that could not be sent either.
    static func print(_ request: RestRequest, of client: RestClient) throws {
        let built = try client.httpRequest(for: request)
        var bytes = Array("\(built.method) \(built.url.target)\n".utf8)
        if let body = built.body.inMemory, !body.isEmpty { bytes += body + [UInt8(ascii: "\n")] }
        try TextOutput.write(bytes)
    }

    /// Says that this was all.
    static func end() { StandardOutput.note("Nothing was written (--dry-run).") }
}

/// Text that is no list of records.
enum TextOutput {
    /// Writes it to standard output; a terminal gets no control characters.
    static func write(_ bytes: [UInt8], isRaw: Bool = false) throws {
        guard StandardOutput.isTerminal, !isRaw else { return try StandardOutput.write(bytes) }
        var filter = TerminalFilter(.blank)
        try StandardOutput.write(filter.filtered(bytes))
    }
}

/// What is known of files by their names.
enum FileFacts {
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// What the system tells of a file, or of the file that a link leads to; `nil` when nothing is there.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    static func remove(_ path: String) { unsafe unlink(path) }

    /// The path that the symbolic links at a path lead to, even if nothing is there yet; `nil` if they form a circle.
    static func followed(_ path: String) -> String? {
        var path = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
            path = target.hasBytes(prefix: "/") ? target : FileWriter.folder(of: path) + target
        }
        return nil
    }

    /// The absolute path without links; `nil` when nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}

/// The file that this program was started from.
enum ProgramFile {
    /// What starts it again.
    static var executable: String {
        #if canImport(Darwin)
        var size: UInt32 = 4_096
        var path = [CChar](repeating: 0, count: Int(size))
        guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return CommandLine.arguments[0] }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
        // The same file, also when its name leads to another one by now.
        return "/proc/self/exe"
        #endif
    }

    /// Where it is.
    static var path: String { FileFacts.resolved(executable) ?? executable }
}

extension String {
    /// The folder that a path is in; of a bare name the present one.
    var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The last part of a path.
    var lastPart: String { split(separator: "/").last.map(String.init) ?? "" }
}

extension Arguments {
    /// Tells the user something on standard error, unless nothing but errors is wanted.
    func note(_ text: String) {
        if !has(.quiet) { StandardOutput.note(text) }
    }
}

extension RestError {
    /// Tells the user when nobody knows whether a write was applied.
    func noteOutcome() {
        guard outcome == .unknown else { return }
        StandardOutput.note("soql: the outcome is unknown: the org may have done it; look before you send it again")
    }
}

extension Connection {
    /// Opens a connection for some work, and closes it whatever becomes of the work.
    ///
    /// The work is done once, as it may write or read standard input: an older server is told, not met. For work on one
    /// object, names that the org does not know are met with near ones.
    static func work<Result: Sendable>(
        _ arguments: Arguments, on object: String? = nil, _ body: (RestClient) async throws -> Result
    ) async throws -> Result {
        try await closing(open(arguments), object) { connection in
            do {
                return try await body(connection.client)
            } catch let error as RestError where error.code == .notFound {
                guard let version = await connection.olderVersion() else { throw error }
                throw CommandFailure("the server supports API version \(version) at most; use --api-version \(version)")
            }
        }
    }

    /// The same for work that only asks the org: it is done once more when the server is older.
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
