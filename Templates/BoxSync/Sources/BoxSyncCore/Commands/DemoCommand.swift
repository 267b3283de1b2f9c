// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends a folder to a box inside this process, lists it and fetches it again.
struct DemoCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let box = try await LocalBox.start()
        let folder = FileManager.default.temporaryDirectory.appending(path: "boxsync-\(UUID().uuidString)")
        let result = await Result.of { try await show(box, in: folder) }
        try? FileManager.default.removeItem(at: folder)
        await box.stop()
        return try result.get()
    }

    private func show(_ box: LocalBox, in folder: URL) async throws -> ExitStatus {
        let (here, there) = (folder.appending(path: "here"), folder.appending(path: "there"))
        let texts = ["readme.txt": "Hello, box.\n", "2026/may.csv": "day,sum\n1,7\n", "2026/empty.txt": ""]
        for (name, text) in texts {
            let file = here.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let settings = Settings([
            "BOXSYNC_TOKEN": box.accessToken, "BOXSYNC_HOST": box.origin, "HOME": folder.path,
        ])
        let steps: [(Verb, [String])] = [
            (.up, [here.path, "/Demo"]), (.ls, ["/Demo"]), (.down, ["/Demo", there.path]),
            (.up, [there.path, "/Demo"]),
        ]
        for (verb, words) in steps {
            context.terminal.note("$ boxsync \(verb) \(words.joined(separator: " "))")
            let step = Context(words: words, options: context.options, settings: settings, terminal: context.terminal)
            let status = await Command.run(verb, step)
            guard status == .done else { return status }
        }
        for (name, text) in texts {
            guard try String(contentsOf: there.appending(path: name), encoding: .utf8) == text else {
                throw Failure("\(name) came back with another content")
            }
        }
        return .done
    }
}

extension Result where Failure == any Error {
    fileprivate static func of(_ work: () async throws -> Success) async -> Result {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}
