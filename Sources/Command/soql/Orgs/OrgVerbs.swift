// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    private let name: String
    /// The command line of the second process, which runs the same org in its foreground.
    private let line: [String]

    init(_ arguments: Arguments) {
        name = arguments[.orgName] ?? "local"
        let kept = Verb.orgStart.options.filter { ![Option.background, .orgName].map(\.name).contains($0.name) }
        let words = kept.flatMap { option in
            arguments.all(option).map { option.value == nil ? option.name : "\(option.name)=\($0)" }
        }
        line = Verb.orgStart.words + ["--name=\(name)"] + words
    }

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
        let output = try start(log: log)
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

    /// Starts this program a second time, in a session of its own that no terminal ends.
    ///
    /// - Parameter log: the file of its standard error.
    /// - Returns: the reading end of its standard output.
    /// - Throws: `CommandFailure` when the system does not start it.
    private func start(log: String) throws(CommandFailure) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw CommandFailure("no pipe can be made: \(systemMessage(errno))") }
        defer { close(ends[1]) }
        // What this process has open, or was given by whoever started it, is kept from the other one: a program that
        // waits for the end of a pipe of ours would wait for the end of the org.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }  // bounded: the system's
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        do throws(ChildProcess.NotStarted) {
            _ = try ChildProcess(
                ProgramFile.executable, line, environment: Settings.all,
                streams: (.null, .descriptor(ends[1]), .file(log, flags: O_WRONLY | O_CREAT | O_TRUNC)), group: .session
            )
            return ends[0]
        } catch {
            close(ends[0])
            throw CommandFailure("the org cannot be started: \(systemMessage(error.code))")
        }
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
        _ = try await client.send(.limits)
    }
}

extension Verb {
    static let orgList = Verb("org list", "lists the orgs that run in the background", Option.output) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return OrgListCommand(output: OutputOptions(arguments))
    }
}

/// Lists the orgs that run; what others left behind is taken away.
struct OrgListCommand: Command {
    let output: OutputOptions

    func run() async throws {
        let rows = try OrgPlaces.running().map { name, org -> JSONObject in
            [
                "name": JSONValue(name), "address": JSONValue(org.address), "process": JSONValue(Int(org.process)),
                "started": JSONValue(org.started), "username": JSONValue(org.username),
            ]
        }
        guard !rows.isEmpty || output.format != nil else {
            return StandardOutput.note("No org runs. Start one with 'soql org start --background'.")
        }
        try await Listing(rows, columns: ["name", "address", "process", "started", "username"]).print(output)
    }
}

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
        guard let file = OrgPlaces.opened(try OrgPlaces.path(of: name)) else { return false }
        defer { close(file) }
        guard case .running(let org) = try OrgState(of: name), !OrgPlaces.isFree(file) else { return false }
        let limit = ContinuousClock.now + patience
        kill(org.process, SIGTERM)
        while !OrgPlaces.isFree(file) {
            if .now > limit { kill(org.process, SIGKILL) }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }
}
