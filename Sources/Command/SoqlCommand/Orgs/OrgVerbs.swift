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
        "org env", operands: ["[NAME]"], "print the environment variables of an org in the background",
        notes: [
            """
            Run eval "$(soql org env NAME)" to use the org for all commands and programs in a shell. The default name \
            is local. The variables are the same as 'soql org start --background' prints.
            """
        ], []
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 1)
        let name = arguments.words.first ?? "local"
        return Command {
            guard let org = try OrgPlace.find(name) else { throw try OrgPlace.missing(name) }
            try StandardOutput.write(org.settings)
        }
    }
}

extension Verb {
    static let orgConsole = Verb(
        "org console", operands: ["[NAME]"], "print a new URL of the console of an org in the background",
        notes: [
            """
            The URL opens the console once, in one browser, and replaces a URL that has not been used. Open consoles \
            remain open. The default name is local. The command needs the key of the org, which is in a file that only \
            the user who started the org can read.
            """
        ], []
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 1)
        let name = arguments.words.first ?? "local"
        return Command {
            guard let org = try OrgPlace.find(name) else { throw try OrgPlace.missing(name) }
            guard let key = org.consoleKey else {
                throw CommandFailure("org '\(name)' has no console; start it without --no-console")
            }
            var configuration = RestClient.Configuration()
            configuration.transport =
                org.certificateFile.map { PlatformTransport.make(RestClient.TransportLimits(), authoritiesFile: $0) }
                ?? Settings.transport
            let client = try RestClient(
                instanceURL: org.address, accessToken: Secret(key), configuration: configuration)
            let request = RestRequest(name: "console", method: .post, resource: .serverPath("/console/url"))
            guard let url = try await client.send(request).payload["url"]?.string else {
                throw CommandFailure("org '\(name)' sent no URL of its console")
            }
            try StandardOutput.write("\(url.singleLine)\n")
        }
    }
}

extension OrgPlace {
    fileprivate static func missing(_ name: String) throws -> CommandFailure {
        CommandFailure("org '\(name)' is not running", near: name, try running().map(\.name))
    }
}

/// Starts an org in a second process and returns when it responds, unless an org with the same name is running.
struct BackgroundOrg: Sendable {
    private let name: String
    /// The arguments of the second process, which runs the same org in the foreground.
    private let line: [String]

    init(_ arguments: Arguments) {
        name = arguments[.orgName] ?? "local"
        let kept = Verb.orgStart.options.filter { ![Option.background, .orgName].map(\.name).contains($0.name) }
        let words = kept.flatMap { option in
            arguments.all(option).map { option.value == nil ? option.name : "\(option.name)=\($0)" }
        }
        line = Verb.orgStart.words + ["--name=\(name)"] + words
    }

    func start() async throws {
        let place = try OrgPlace(name)
        switch place.state {
        case .none: break
        case .starting: throw CommandFailure("org '\(name)' is starting; try again")
        case .running(let org):
            StandardOutput.note("the embedded org '\(name)' is already running at \(org.address) and was not changed")
            return try StandardOutput.write(org.settings)
        }
        let output = try launch(log: place.log)
        defer { close(output) }
        guard try Self.hasSpoken(output), case .running(let org) = place.state else {
            // The log is shown to the user, as if the org had been started in the foreground.
            let reason = (try? StandardInput.read(file: place.log))?.trimmingBlanks ?? ""
            FileFacts.remove(place.log)
            throw CommandFailure("the org did not start: " + (reason.isEmpty ? "it exited without a message" : reason))
        }
        // The org must respond, except over https, because this process does not trust the org's certificate.
        if org.certificateFile == nil {
            _ = try await RestClient(instanceURL: org.address, accessToken: Secret(org.token)).send(.limits)
        }
        StandardOutput.note("the embedded org '\(name)' listens on \(org.address); use --account \(name), or:")
        try StandardOutput.write(org.settings)
        org.noteConsole()
        StandardOutput.note("run 'soql org stop \(name)' to stop the org")
    }

    /// Starts this program again in a separate session, which survives the terminal, and returns a pipe from its
    /// output.
    private func launch(log: String) throws(CommandFailure) -> Int32 {
        guard let pipe = PipeEnds() else { throw CommandFailure("cannot create a pipe: \(systemMessage(errno))") }
        defer { close(pipe.writing) }
        // The org must not inherit open descriptors of this process: a program that waits for the end of a pipe would
        // wait for the end of the org.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }  // bounded: the system's
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        do throws(ChildProcess.NotStarted) {
            _ = try ChildProcess(
                ProgramFile.executable, line, environment: Settings.all,
                streams: (.null, .descriptor(pipe.writing), .file(log, flags: O_WRONLY | O_CREAT | O_TRUNC)),
                group: .session)
            return pipe.reading
        } catch {
            close(pipe.reading)
            throw CommandFailure("the org cannot be started: \(systemMessage(error.code))")
        }
    }

    /// Waits for the first output when the org is listening, or returns false if the process exits before.
    private static func hasSpoken(_ output: Int32) throws(CancellationError) -> Bool {
        var byte: UInt8 = 0
        while true {
            try StandardInput.waitForInput(at: output)
            let count = unsafe read(output, &byte, 1)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

}

extension Verb {
    static let orgList = Verb("org list", "list the orgs in the background", Option.output) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return Command {
            let orgs = try OrgPlace.running()
            guard !orgs.isEmpty || arguments.has(.format) else {
                return StandardOutput.note("no org is running; start one with 'soql org start --background'")
            }
            let listing = Listing(
                orgs,
                [
                    "name": { JSONValue($0.name) }, "address": { JSONValue($0.org.address) },
                    "process": { JSONValue(Int($0.org.process)) }, "started": { JSONValue($0.org.started) },
                    "username": { JSONValue($0.org.username) },
                ])
            try await listing.print(arguments)
        }
    }

    static let orgStop = Verb(
        "org stop", operands: ["NAME | --all"], "stop orgs in the background", [.allOrgs]
    ) { arguments in
        guard arguments.has(.allOrgs) != (arguments.words.count == 1), arguments.words.count <= 1 else {
            throw UsageError("give the name of one org, or --all")
        }
        return Command {
            let names = try arguments.words.isEmpty ? OrgPlace.running().map(\.name) : arguments.words
            for name in names {
                guard try await OrgPlace.stop(name) else { throw try OrgPlace.missing(name) }
                StandardOutput.note("stopped org '\(name)'")
            }
            if names.isEmpty { StandardOutput.note("no org is running") }
        }
    }
}

extension Option {
    static let allOrgs = Option("--all", "stop all orgs")
}

extension OrgPlace {
    /// The time that an org has to exit on request.
    private static let patience = Duration.seconds(10)

    /// Asks an org to stop, kills it if it does not, and returns whether it was running.
    ///
    /// The process id is used only while the file is locked, which ensures that it is the org's.
    fileprivate static func stop(_ name: String) async throws -> Bool {
        let place = try OrgPlace(name)
        guard let file = place.opened() else { return false }
        defer { close(file) }
        guard case .running(let org) = place.state, !isFree(file) else { return false }
        let limit = ContinuousClock.now + patience
        kill(org.process, SIGTERM)
        while !isFree(file) {
            if .now > limit { kill(org.process, SIGKILL) }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }
}
