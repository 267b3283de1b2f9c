// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSync

/// Uses a copy in a process of its own, for tests that kill it or that put another SQLite in its place.
///
///     syncworker encrypt FILE KEY | sync FILE PORT TOKEN
///
/// The objects of the copy are described in `FILE.json`. The output is a count, the peak of the memory, and `done`, or
/// the code of an error.
@main
struct SyncWorker {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 3 else {
            FileHandle.standardError.write(Data("syncworker encrypt FILE KEY | sync FILE PORT TOKEN\n".utf8))
            exit(64)
        }
        let schema = try SyncSchema(describe: Array(Data(contentsOf: URL(filePath: words[1] + ".json"))))
        var options = SyncStore.Options()
        do {
            if words[0] == "encrypt" {
                let key = Secret(words[2])
                options.prepare = {
                    try $0.setKey(key)
                    // The format of the oldest SQLCipher in use, so that any version can read the file.
                    try $0.run("PRAGMA cipher_compatibility = 3")
                }
            }
            let store = try await SyncStore.open(words[1], schema: schema, options: options)
            if words[0] == "encrypt" {
                try store.edit { try $0.create("Account", ["Name": "Secret name"]) }
                say("\(try store.query("SELECT Name FROM Account").count)")
            } else {
                let client = try RestClient(
                    instanceURL: "http://127.0.0.1:\(words[2])", accessToken: Secret(words.last ?? ""))
                say("\(try await store.sync(with: client).created)")
            }
            store.close()
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            say(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map(String.init) ?? "")
            say("done")
        } catch let error as SyncError {
            say("\(error.code)")
        }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
