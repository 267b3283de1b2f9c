// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestText

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Starts an org in a second process, and returns when it answers.
struct OrgBackgroundCommand: Command {
    let name: String
    /// The command line of the second process.
    let line: [String]

    func run() async throws {
        let path = try OrgPlaces.path(of: name)
        guard case .none = try OrgState(of: name) else {
            throw CommandFailure("an org named '\(name)' runs already; see 'soql org list'")
        }
        let log = OrgPlaces.log(of: path)
        let output = try OrgProcess.start(line, log: log)
        defer { close(output) }
        guard try Self.hasSpoken(output), case .running(let org) = try OrgState(of: name) else {
            // What it said goes to our user, as if it had been started here.
            let reason = (try? StandardInput.read(file: log))?.trimmingBlanks ?? ""
            FileFacts.remove(log)
            throw CommandFailure("the org did not start: " + (reason.isEmpty ? "it says nothing" : reason))
        }
        try await check(org)
        StandardOutput.note("The embedded org '\(name)' listens on \(org.address). Connect with --account \(name), or:")
        try StandardOutput.write(org.settings)
        StandardOutput.note("'soql org stop \(name)' ends it.")
    }

    /// Waits for the first words of the other process, which come when it listens; `false` when it ended before.
    private static func hasSpoken(_ output: Int32) throws(CancellationError) -> Bool {
        var byte: UInt8 = 0
        while true {
            try StandardInput.waitForInput(at: output)
            let count = unsafe read(output, &byte, 1)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Asks it something; an org of https is trusted by its own certificate, which this process does not have.
    private func check(_ org: RunningOrg) async throws {
        guard org.certificateFile == nil else { return }
        let client = try RestClient(instanceURL: org.address, accessToken: Secret(org.token))
        _ = try await client.limits()
    }
}
