// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

/// The openssl command in a separate directory, for what the library reads and signs.
struct OpenSSL {
    let folder: TemporaryStore

    init() throws { folder = try TemporaryStore() }

    @discardableResult
    func run(_ line: String) throws -> Int32 {
        let words = ["openssl"] + line.split(separator: " ").map(String.init)
        return try RunningProgram.tool(words, in: URL(fileURLWithPath: folder.path)).status
    }

    func key(_ line: String, _ name: String = "key.pem") throws -> String {
        try #require(try run("\(line) -out \(name)") == 0)
        return String(decoding: try folder.bytes(name), as: UTF8.self)
    }
}
