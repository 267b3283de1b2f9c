// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox

/// Runs a box until Control-C, for trying the other commands.
struct BoxCommand {
    let context: Context

    func run() async throws -> ExitStatus {
        let box = try await LocalBox.start()
        let variables = [("HOST", box.origin), ("KEY", box.appKey), ("TOKEN", box.accessToken)]
        for (name, value) in variables { context.terminal.print("export BOXSYNC_\(name)=\(value)") }
        context.terminal.flush()
        context.terminal.note(
            "A box is at \(box.origin), and everything in it is gone with it. Press Control-C to end it.")
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await box.stop()
        return .interrupted
    }
}
