// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// A program that runs as a real process, with pipes or files as its standard streams.
package final class RunningProgram: Sendable {
    /// What a program left behind.
    package struct Outcome: Sendable {
        /// The exit status; the negative signal if one ended the program, as a trap does.
        package let status: Int32
        package let bytes: [UInt8]
        package let errors: String

        package var output: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The program ended before it printed what the test waits for, or with an error.
    package struct Failed: Error {
        package let status: Int32
        package let text: String

        package init(status: Int32, text: String) { (self.status, self.text) = (status, text) }
    }

    package let process: Process
    private let input = Pipe(), output = Pipe()
    private let complaints = Complaints()
    /// What was read and not taken yet.
    private let rest = Mutex<[UInt8]>([])

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: the file to run.
    ///   - arguments: without the program's name.
    ///   - environment: all of it; by default that of every tool.
    ///   - text: all that the program can read; `nil` for what the test writes later.
    ///   - folder: the directory in which it runs.
    ///   - limit: the maximum duration in seconds.
    /// - Throws: an error when it does not start.
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
        // A program that prints before it reads must not wait for a reader. One that reads nothing may have ended, and
        // the signal for that ends with the thread, which blocks it.
        Thread.detachNewThread { [input] in
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
            try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? input.fileHandleForWriting.close()
        }
    }

    /// Runs a program to its end.
    @discardableResult
    package static func run(
        _ program: URL, _ arguments: [String], environment: [String: String] = Process.toolEnvironment(),
        input: String = "", in folder: URL? = nil
    ) throws -> Outcome {
        try RunningProgram(program, arguments, environment: environment, input: input, in: folder).wait()
    }

    /// Runs a program of the search path to its end.
    @discardableResult
    package static func tool(_ words: [String], input: String = "", in folder: URL? = nil) throws -> Outcome {
        try run(URL(fileURLWithPath: "/usr/bin/env"), words, input: input, in: folder)
    }

    package func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

    package func closeInput() throws { try input.fileHandleForWriting.close() }

    /// The next line of standard output; `nil` at the end.
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

    /// The lines up to and with the first one that contains the words, read from standard output.
    package func outputLines(through words: String) throws -> [String] {
        var lines: [String] = []
        while let line = nextLine() {
            lines.append(String(decoding: line, as: UTF8.self))
            if lines.last?.contains(words) == true { return lines }
        }
        let outcome = wait()
        throw Failed(status: outcome.status, text: lines.joined(separator: "\n") + outcome.errors)
    }

    /// Waits for the end on a thread of its own, and collects what was printed.
    package func finish() async -> Outcome {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.wait()) }
        }
    }

    /// Waits for the end and collects what was printed.
    package func wait() -> Outcome {
        let printed = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Outcome(status: status, bytes: rest.withLock { $0 } + printed, errors: complaints.text)
    }

    /// Ends the program.
    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// What a program writes to its standard error, read all the time so that it never waits.
private final class Complaints: Sendable {
    let pipe = Pipe()
    private let data = Mutex(Data())
    private let reading = DispatchGroup()

    /// All of it, when the program has ended.
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
