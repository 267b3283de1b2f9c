// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// A program that runs as a real process, with pipes or files as its standard streams.
package final class RunningProgram: Sendable {
    package struct Outcome: Sendable {
        /// The exit status, or the negative number of the signal that ended the program, such as a trap.
        package let status: Int32
        package let bytes: [UInt8]
        package let errors: String

        package var output: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The error of a program that exited with an error, or before it printed what the test waits for.
    package struct Failed: Error {
        package let status: Int32
        package let text: String

        package init(status: Int32, text: String) { (self.status, self.text) = (status, text) }
    }

    package let process: Process
    private let input = Pipe(), output = Pipe()
    private let complaints = Complaints()
    /// Bytes that were read from standard output and not yet returned.
    private let rest = Mutex<[UInt8]>([])

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: the executable.
    ///   - arguments: the arguments, without the program's name.
    ///   - environment: the whole environment. By default, that of every tool.
    ///   - text: the whole standard input, or `nil` if the test writes it later.
    ///   - folder: the working directory.
    ///   - limit: the maximum duration in seconds.
    /// - Throws: an error if the program does not start.
    package init(
        _ program: URL, _ arguments: [String], environment: [String: String] = Process.toolEnvironment(),
        input text: String? = "", in folder: URL? = nil, limit: Int = 300
    ) throws {
        process = Process.tool(limit: limit)
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        if let folder { process.currentDirectoryURL = folder }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, complaints.pipe)
        try process.run()
        complaints.read()
        guard let text else { return }
        guard !text.isEmpty else {
            try closeInput()
            return
        }
        // A program that prints before it reads must not wait for the test. A program that reads nothing may have
        // exited already. The resulting SIGPIPE is blocked in this thread.
        Thread.detachNewThread { [input] in
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
            try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? input.fileHandleForWriting.close()
        }
    }

    /// Runs a program and waits until it exits.
    @discardableResult
    package static func run(
        _ program: URL, _ arguments: [String], environment: [String: String] = Process.toolEnvironment(),
        input: String = "", in folder: URL? = nil
    ) throws -> Outcome {
        try RunningProgram(program, arguments, environment: environment, input: input, in: folder).wait()
    }

    /// Runs a program of the search path and waits until it exits.
    @discardableResult
    package static func tool(_ words: [String], input: String = "", in folder: URL? = nil) throws -> Outcome {
        try run(URL(fileURLWithPath: "/usr/bin/env"), words, input: input, in: folder)
    }

    package func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

    package func closeInput() throws { try input.fileHandleForWriting.close() }

    /// Returns the next line of standard output, or `nil` at its end.
    package func nextLine() -> [UInt8]? {
        rest.withLock { rest in
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeFirst(end + 1) }
                    return Array(rest[..<end])
                }
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { return nil }
                rest += data
            }
        }
    }

    /// Returns the lines of standard output up to and including the first line that contains `words`.
    package func outputLines(through words: String) throws -> [String] {
        var lines: [String] = []
        while let line = nextLine() {
            lines.append(String(decoding: line, as: UTF8.self))
            if lines.last?.contains(words) == true { return lines }
        }
        let outcome = wait()
        throw Failed(status: outcome.status, text: lines.joined(separator: "\n") + outcome.errors)
    }

    /// Waits on another thread until the program exits, and returns its output.
    package func finish() async -> Outcome {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.wait()) }
        }
    }

    /// Waits until the program exits, and returns its output.
    package func wait() -> Outcome {
        let printed = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Outcome(status: status, bytes: rest.withLock { $0 } + printed, errors: complaints.text)
    }

    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// Reads a program's standard error continuously, so that the program never waits for a reader.
private final class Complaints: Sendable {
    let pipe = Pipe()
    private let data = Mutex(Data())
    private let reading = DispatchGroup()

    /// The whole standard error, available after the program has closed it.
    var text: String {
        reading.wait()
        return String(decoding: data.withLock { $0 }, as: UTF8.self)
    }

    func read() {
        DispatchQueue.global().async(group: reading) { [self] in
            let read = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
            data.withLock { $0 = read }
        }
    }
}
