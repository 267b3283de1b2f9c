// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

/// The openssl command in a folder of its own, which makes and checks what the library reads and signs.
struct OpenSSL {
    let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    /// Runs a command line in the folder.
    ///
    /// - Returns: its exit status.
    @discardableResult
    func run(_ line: String) throws -> Int32 {
        let process = Process.tool()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + line.split(separator: " ").map(String.init)
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Makes a key and gives its PEM text.
    func key(_ line: String, _ name: String = "key.pem") throws -> String {
        try #require(try run("\(line) -out \(name)") == 0)
        return String(decoding: try folder.bytes(name), as: UTF8.self)
    }
}
