// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation

/// Runs a `LocalBox` until the process is killed, for benchmarks and for tests of what a killed test server leaves.
///
///     boxserver FOLDER|- TOKEN [PORT]
///
/// It prints its port as soon as it accepts requests. `-` is a temporary directory.
@main
struct BoxServer {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2 else {
            FileHandle.standardError.write(Data("boxserver FOLDER|- TOKEN [PORT]\n".utf8))
            exit(64)
        }
        var configuration = LocalBoxConfiguration()
        configuration.storage = words[0] == "-" ? .temporary : .folder(words[0])
        configuration.accessToken = words[1]
        configuration.port = words.count > 2 ? Int(words[2]) : nil
        let box = try await LocalBox.start(configuration)
        FileHandle.standardOutput.write(Data("\(box.port)\n".utf8))
        // Stops when the process that started it exits, because that process holds the other end of standard input.
        while try FileHandle.standardInput.read(upToCount: 1) != nil {}
        await box.stop()
    }
}
