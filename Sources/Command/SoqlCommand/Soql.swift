// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The `soql` command.
package enum Soql {
    /// Runs the command line of this process, and exits.
    package static func run() async {
        Settings.takeSecrets()
        // Writing to a closed pipe then returns an error instead.
        signal(SIGPIPE, SIG_IGN)
        do {
            guard StandardOutput.openMissingStreams() else { throw StandardOutput.WriteFailed(code: EBADF) }
            // Commands read user input here, while an interrupt still terminates the process.
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
