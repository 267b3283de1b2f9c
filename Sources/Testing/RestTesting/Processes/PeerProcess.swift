// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestBase

/// A program whose output is read by blocking methods, to be called on a separate thread.
package final class PeerProcess: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// The time in milliseconds without output after which the output counts as ended.
    private static let patience: Int32 = 30_000

    private let process: ChildProcess
    private let stream: Socket

    /// Starts a program with an empty environment.
    package init(_ program: String, _ arguments: [String]) throws {
        // Sockets, not pipes, because writing to a program that has ended must not end this process.
        let (ours, theirs) = try Socket.pair()
        defer { withExtendedLifetime(theirs) {} }
        stream = ours
        do throws(ChildProcess.NotStarted) {
            let stream = ChildProcess.Stream.descriptor(theirs.descriptor)
            process = try ChildProcess(program, arguments, environment: [:], streams: (stream, stream, .null))
        } catch {
            throw Failure(description: "\(program) cannot start (error \(error.code))")
        }
    }

    package static func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
        let peer = try PeerProcess(program, arguments)
        var bytes: [UInt8] = []
        while let chunk = peer.read() { bytes += chunk }
        let status = peer.process.wait().status
        guard status == 0 else {
            throw Failure(description: "\(program) \(arguments) exited with status \(status ?? -1)")
        }
        return bytes
    }

    /// The next bytes of the program's output, or `nil` at the end.
    package func read() -> [UInt8]? {
        guard Socket.waitForInput([stream], milliseconds: Self.patience)[0] else { return nil }
        return stream.receive(upTo: 4_096).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Sends input to the program, if it has not ended.
    package func write(_ text: String) { _ = stream.send(Array(text.utf8)) }

    /// Waits for the end of the program, discarding its output, and returns whether it ended within the time.
    package func hasEnded(withinMilliseconds limit: Int32) -> Bool {
        Socket.waitForInput([stream], milliseconds: limit)[0] && read() == nil
    }

    package func end() {
        process.kill()
        process.wait()
    }
}
#endif
