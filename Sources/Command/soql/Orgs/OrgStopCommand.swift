// SPDX-License-Identifier: Apache-2.0

import RestBase

extension Verb {
    static let orgStop = Verb(
        "org stop", operands: ["NAME | --all"], "ends orgs that run in the background", [.allOrgs]
    ) { arguments in
        guard arguments.has(.allOrgs) != (arguments.words.count == 1), arguments.words.count <= 1 else {
            throw UsageError("name one org, or give --all")
        }
        return OrgStopCommand(name: arguments.words.first)
    }
}

extension Option {
    static let allOrgs = Option("--all", "end all of them")
}

/// Ends orgs, and waits until they have ended.
struct OrgStopCommand: Command {
    /// How long an org may take to end by itself.
    private static let patience = Duration.seconds(10)

    /// `nil` for all.
    let name: String?

    func run() async throws {
        let names = try name.map { [$0] } ?? OrgPlaces.running().map(\.name)
        for name in names {
            guard try await Self.stop(name) else {
                throw CommandFailure("no org named '\(name)' runs", near: name, try OrgPlaces.running().map(\.name))
            }
            StandardOutput.note("The org '\(name)' has ended.")
        }
        if names.isEmpty { StandardOutput.note("No org runs.") }
    }

    /// Asks an org to end; one that does not is ended.
    ///
    /// The number is used only while the file is locked, by which it is the org's.
    ///
    /// - Returns: whether there was one.
    private static func stop(_ name: String) async throws -> Bool {
        guard let lock = try OrgLock(name) else { return false }
        defer { lock.end() }
        guard case .running(let org) = try OrgState(of: name), !lock.isFree else { return false }
        let limit = ContinuousClock.now + patience
        kill(org.process, SIGTERM)
        while !lock.isFree {
            if .now > limit { kill(org.process, SIGKILL) }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }
}
