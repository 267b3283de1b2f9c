// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The `soql` command.
package enum Soql {
    /// Does what the command line of this process says, and ends the process.
    package static func run() async {
        Settings.takeSecrets()
        // Who writes to a reader that has gone is told so by an error.
        signal(SIGPIPE, SIG_IGN)
        do {
            guard StandardOutput.openMissingStreams() else { throw StandardOutput.WriteFailed(code: EBADF) }
            // What a command reads from its user is read here, while an interrupt still ends the process.
            let command = try Invocation.command(for: Array(CommandLine.arguments.dropFirst()))
            let work: @Sendable () async -> ExitStatus = { await outcome(of: command) }
            if command.takesInterrupts { exit(await work().rawValue) }
            await Interrupt.endProcess(after: work)
        } catch {
            exit(Diagnostics.report(error).rawValue)
        }
    }

    private static func outcome(of command: Command) async -> ExitStatus {
        do {
            try await command.run()
            return .success
        } catch {
            return Diagnostics.report(error)
        }
    }
}
