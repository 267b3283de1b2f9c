// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
            guard case .running = try OrgState(of: name) else {
                throw CommandFailure("no org named '\(name)' runs", near: name, try OrgPlaces.running().map(\.name))
            }
            try await stop(name)
            StandardOutput.note("The org '\(name)' has ended.")
        }
        if names.isEmpty { StandardOutput.note("No org runs.") }
    }

    /// Asks it to end; one that does not is ended.
    ///
    /// The number is used right after its file was seen locked, by which it is the org's.
    private func stop(_ name: String) async throws {
        let limit = ContinuousClock.now + Self.patience
        var asked: Int32?
        while case .running(let org) = try OrgState(of: name) {
            guard asked == nil || asked == org.process else { return }
            if asked == nil { kill(org.process, SIGTERM) } else if .now > limit { kill(org.process, SIGKILL) }
            asked = org.process
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
