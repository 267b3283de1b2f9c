// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

extension Verb {
    static let orgEnv = Verb(
        "org env", operands: ["[NAME]"], "prints the variables of an org that runs in the background",
        notes: [
            """
            eval "$(soql org env NAME)" makes it the org of the commands and programs in a shell. The name is local by \
            default. The variables are those that 'soql org start --background' prints.
            """
        ], []
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 1)
        return OrgEnvironmentCommand(name: arguments.words.first ?? "local")
    }
}

/// Prints the variables of an org that runs.
struct OrgEnvironmentCommand: Command {
    let name: String

    func run() async throws {
        guard let org = try OrgPlaces.find(name) else {
            throw CommandFailure("no org named '\(name)' runs", near: name, try OrgPlaces.running().map(\.name))
        }
        try StandardOutput.write(org.settings)
    }
}

/// Starts an org in a second process, and returns when it answers.
///
/// An org of the name that runs already stays as it is.
struct OrgBackgroundCommand: Command {
    let name: String
    /// The command line of the second process.
    let line: [String]

    func run() async throws {
        let path = try OrgPlaces.path(of: name)
        switch try OrgState(of: name) {
        case .none: break
        case .starting: throw CommandFailure("an org named '\(name)' is starting; try again")
        case .running(let org):
            StandardOutput.note("The embedded org '\(name)' is already running at \(org.address), as it was started.")
            return try StandardOutput.write(org.settings)
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
