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

/// The file that describes a named org, and whose lock shows that the org is running.
///
/// The process of the org holds the kernel's exclusive lock of its file as long as it lives, even if it crashes. Other
/// processes take only the shared lock of a non-empty file. A file without a lock therefore belongs to a process that
/// has exited, and its process id may have been reused. For that reason no process is ever stopped by an id from an
/// unlocked file.
struct OrgPlace: Sendable {
    /// The state of the org according to the file.
    enum State {
        case running(RunningOrg)
        /// The process is running but has not published its connection data.
        case starting
        /// The org does not exist, and a leftover file has been removed.
        case none
    }

    private static let ending = ".org"

    let name: String
    private let path: String
    /// The file descriptor if this process runs the org.
    private var descriptor: Int32 = -1

    /// Creates the location of a named org, including its directory with access only for this user.
    ///
    /// The directory is `soql/orgs` below `XDG_STATE_HOME` or `~/.local/state` (XDG Base Directory Specification 0.8).
    init(_ name: String) throws {
        guard Self.isName(name) else {
            throw UsageError("invalid org name; use letters, digits, '-', '_' and '.', starting with a letter or digit")
        }
        let folder = try Self.folder()
        do { try Settings.make(folder: folder) } catch { throw CommandFailure("\(folder) cannot be created") }
        (self.name, path) = (name, "\(folder)/\(name)\(Self.ending)")
    }

    /// The file for the org's log.
    var log: String { "\(path.removing(suffix: Self.ending) ?? path[...]).log" }

    /// Locks the name for the org of this process, or throws if an org with the name is running.
    mutating func claim() throws(CommandFailure) {
        for _ in 0..<1_000 {
            let opened = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            let code = errno
            guard opened >= 0 else {
                guard code == EEXIST else { throw CommandFailure("\(path) cannot be created: \(systemMessage(code))") }
                // Reading `state` removes the file of an org that has exited. Such a file is never reused.
                guard case .none = state else {
                    throw CommandFailure("org '\(name)' is already running; run 'soql org list' to see it")
                }
                continue
            }
            // Another process may have removed the file before it was locked.
            if FileLock.lock(opened), FileState.isOpen(opened, at: path) {
                descriptor = opened
                return
            }
            close(opened)
        }
        throw CommandFailure("another process keeps removing \(path); try again")
    }

    /// Writes the connection data of the org.
    func publish(_ org: RunningOrg) throws {
        let bytes = try org.json()
        guard ftruncate(descriptor, 0) == 0, FileBytes.write(bytes, to: descriptor, at: 0) else {
            throw CommandFailure("\(path) cannot be written: \(systemMessage(errno))")
        }
    }

    /// Releases the name, while the lock remains until the process exits.
    ///
    /// If the org did not run, the log remains for the command that started it in the background.
    func release(hasRun: Bool) {
        if hasRun { FileFacts.remove(log) }
        FileFacts.remove(path)
    }
}

extension OrgPlace {
    /// The current state according to the file.
    var state: State {
        guard let opened = opened() else { return .none }
        defer { close(opened) }
        if Self.isFree(opened) {
            // Its process has exited. The lock is held during the removal, so that no new org can use the file.
            if FileState.isOpen(opened, at: path) {
                FileFacts.remove(path)
                FileFacts.remove(log)
            }
            return .none
        }
        let text = try? StandardInput.read(file: path)
        return (text.flatMap { try? RunningOrg(json: Array($0.utf8)) }).map { .running($0) } ?? .starting
    }

    /// Opens the file to check its lock, or returns `nil` if it does not exist.
    func opened() -> Int32? {
        let opened = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        return opened >= 0 ? opened : nil
    }

    /// Whether the process of an org has ended, also when its file has lost its name.
    static func isFree(_ file: Int32) -> Bool { FileLock.lock(file, isShared: true) }

    /// The running orgs, sorted by name, after removing the files of orgs that have exited.
    static func running() throws -> [(name: String, org: RunningOrg)] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: try folder())) ?? []
        return try files.sorted().compactMap { file in
            guard let name = file.removing(suffix: ending).map(String.init) else { return nil }
            return try find(name).map { (name, $0) }
        }
    }

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
            throw UsageError("HOME is not set; set it to the directory with your orgs")
        }
        return "\(state)/orgs"
    }
}

/// The connection and login data of a running embedded org.
struct RunningOrg: Codable, Sendable {
    let process: Int32
    let started: String
    let address: String
    let token: String
    let clientID: String
    let clientSecret: String
    let username: String
    let password: String
    /// The file with the certificate to trust, or `nil` for http.
    let certificateFile: String?
    /// The URL that opens the console once, or `nil` without a console.
    let console: String?
    /// The key that makes further URLs of the console.
    let consoleKey: String?

    init(_ org: LocalOrg, certificateFile: String?) {
        process = getpid()
        started = Date().ISO8601Format()
        (address, token) = (org.instanceURL, org.issueCredential().accessToken)
        (clientID, clientSecret) = (org.clientID, org.clientSecret)
        (username, password) = (org.username, org.password)
        self.certificateFile = certificateFile
        (console, consoleKey) = (org.makeConsoleURL(), org.consoleKey)
    }

    func noteConsole() {
        if let console { StandardOutput.note("open the console once in a browser: \(console)") }
    }

    /// Creates a client of the org, whose login lasts as long as the org.
    func client(_ configuration: RestClient.Configuration) throws -> RestClient {
        try RestClient(
            loginURL: address, clientID: clientID, clientSecret: Secret(clientSecret), configuration: configuration)
    }

    /// Shell commands that set the environment variables by which `soql` and other tools find the org.
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
