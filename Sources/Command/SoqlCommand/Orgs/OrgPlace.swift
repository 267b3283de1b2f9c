// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestSDK
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file in which a named org says how it is reached, and whose lock says that it runs.
///
/// The process of the org holds the kernel's lock of its file for as long as it lives, however it ends, and nobody else
/// takes that lock of a file with something in it: who only looks takes the shared one. So a file whose lock is free is
/// of a process that has ended, and the process number in it may be another program's by now: nobody is ever stopped by
/// a number whose file is not locked.
struct OrgPlace: Sendable {
    /// What the file says.
    enum State {
        case running(RunningOrg)
        /// Its process lives and has not said yet how it is reached.
        case starting
        /// There is none; a file that was left behind is gone now.
        case none
    }

    private static let ending = ".org"

    let name: String
    private let path: String
    /// The file while the org of this process has it.
    private var descriptor: Int32 = -1

    /// The place of a name, whose folder is made, for this user alone.
    ///
    /// The folder is `soql/orgs` below `XDG_STATE_HOME`, or `~/.local/state` (XDG Base Directory Specification 0.8).
    ///
    /// - Throws: ``UsageError`` for a name that is none.
    init(_ name: String) throws {
        guard Self.isName(name) else {
            throw UsageError("an org's name has letters, digits, '-', '_' and '.', and begins with a letter or a digit")
        }
        let folder = try Self.folder()
        do { try Settings.make(folder: folder) } catch { throw CommandFailure("\(folder) cannot be made") }
        (self.name, path) = (name, "\(folder)/\(name)\(Self.ending)")
    }

    /// Where the org says what it has to say.
    var log: String { "\(path.removing(suffix: Self.ending) ?? path[...]).log" }

    /// Takes the place for the org of this process.
    ///
    /// - Throws: ``CommandFailure`` when an org of the name runs.
    mutating func claim() throws(CommandFailure) {
        for _ in 0..<1_000 {
            let opened = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            let code = errno
            guard opened >= 0 else {
                guard code == EEXIST else { throw CommandFailure("\(path) cannot be made: \(systemMessage(code))") }
                // The file of an org that has ended is taken away by looking at it, and never written anew.
                guard case .none = state else {
                    throw CommandFailure("an org named '\(name)' runs already; see 'soql org list'")
                }
                continue
            }
            // Whoever looked before it was locked may have taken it away: then the lock is one of no file.
            if FileLock.lock(opened), FileState.isOpen(opened, at: path) {
                descriptor = opened
                return
            }
            close(opened)
        }
        throw CommandFailure("\(path) does not stay where it is")
    }

    /// Says how the org is reached.
    func publish(_ org: RunningOrg) throws {
        let bytes = try org.json()
        guard ftruncate(descriptor, 0) == 0, FileBytes.write(bytes, to: descriptor, at: 0) else {
            throw CommandFailure("\(path) cannot be written: \(systemMessage(errno))")
        }
    }

    /// Gives the name up; the lock stays until the process has ended.
    ///
    /// Whoever started an org in the background reads in its log why it did not run, and removes the log.
    func release(hasRun: Bool) {
        if hasRun { FileFacts.remove(log) }
        FileFacts.remove(path)
    }
}

extension OrgPlace {
    /// What the file says now.
    var state: State {
        guard let opened = opened() else { return .none }
        defer { close(opened) }
        if Self.isFree(opened) {
            // Nobody has it any more. The lock is held while the file goes, so that no new org can be at it.
            if FileState.isOpen(opened, at: path) {
                FileFacts.remove(path)
                FileFacts.remove(log)
            }
            return .none
        }
        let text = try? StandardInput.read(file: path)
        return (text.flatMap { try? RunningOrg(json: Array($0.utf8)) }).map { .running($0) } ?? .starting
    }

    /// Opens the file to look at its lock; `nil` when there is none.
    func opened() -> Int32? {
        let opened = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        return opened >= 0 ? opened : nil
    }

    /// Whether the process of an org has ended, also when its file has lost its name.
    static func isFree(_ file: Int32) -> Bool { FileLock.lock(file, isShared: true) }

    /// The orgs that run, by their names; files of others are taken away.
    static func running() throws -> [(name: String, org: RunningOrg)] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: try folder())) ?? []
        return try files.sorted().compactMap { file in
            guard let name = file.removing(suffix: ending).map(String.init) else { return nil }
            return try find(name).map { (name, $0) }
        }
    }

    /// The org of a name, if it runs.
    static func find(_ name: String) throws -> RunningOrg? {
        guard isName(name), FileFacts.exists("\(try folder())/\(name)\(ending)") else { return nil }
        guard case .running(let org) = try OrgPlace(name).state else { return nil }
        return org
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.first.map(ASCII.isAlphanumeric) == true
            && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-_.".utf8.contains($0) }
    }

    private static func folder() throws(UsageError) -> String {
        guard let state = Settings.folder("XDG_STATE_HOME", ".local/state") else {
            throw UsageError("HOME is not set; it is needed to find the orgs in the background")
        }
        return "\(state)/orgs"
    }
}

/// An embedded org that runs, and how to log in to it.
struct RunningOrg: Codable, Sendable {
    let process: Int32
    let started: String
    let address: String
    let token: String
    let clientID: String
    let clientSecret: String
    let username: String
    let password: String
    /// The file with the certificate to be trusted; `nil` for http.
    let certificateFile: String?

    init(_ org: LocalOrg, certificateFile: String?) {
        process = getpid()
        started = Date().ISO8601Format()
        (address, token) = (org.instanceURL, org.issueCredential().accessToken)
        (clientID, clientSecret) = (org.clientID, org.clientSecret)
        (username, password) = (org.username, org.password)
        self.certificateFile = certificateFile
    }

    /// A client of it, whose login lasts as long as the org.
    func client(_ configuration: RestClient.Configuration) throws -> RestClient {
        try RestClient(
            loginURL: address, clientID: clientID, clientSecret: Secret(clientSecret), configuration: configuration)
    }

    /// Lines for a shell, so that `soql` and other tools find the org in their environment.
    var settings: String {
        let trust = certificateFile.map { file in
            ["REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"].map { "export \($0)=\(file.shellQuoted)\n" }
                .joined()
        }
        return """
            export SF_INSTANCE_URL=\(address.shellWord)
            export SF_ACCESS_TOKEN=\(token.shellQuoted)
            export SF_LOGIN_URL=\(address.shellWord)
            export SF_CLIENT_ID=\(clientID.shellWord)
            export SF_CLIENT_SECRET=\(clientSecret.shellWord)
            export SF_USERNAME=\(username.shellWord)
            export SF_PASSWORD=\(password.shellWord)
            \(trust ?? "")
            """
    }
}
