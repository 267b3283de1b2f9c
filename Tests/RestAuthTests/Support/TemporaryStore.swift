// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestTransport

@testable import RestAuth

/// A directory for one test's store, removed with this object.
final class TemporaryStore: Sendable {
    let path: String

    /// Creates a directory, in memory if `isVolatile`, for tests that save thousands of times.
    init(isVolatile: Bool = false) throws {
        let memory = "/dev/shm"
        let isInMemory = isVolatile && FileManager.default.isWritableFile(atPath: memory)
        let place = isInMemory ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
        path = place.appendingPathComponent("store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try setMode(0o700, "")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(of name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }
    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(of: name)))) }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
        try setMode(0o600, name)
    }

    func setMode(_ mode: Int, _ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(of: name))
    }

    func mode(_ name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(of: name))[.posixPermissions] as? Int ?? -1
    }

    func link(_ name: String, as other: String) throws {
        try FileManager.default.linkItem(atPath: path(of: name), toPath: path(of: other))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(of: name)) }
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func names(in inner: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(of: inner)).sorted()
    }

    /// Returns the names without the lock files, which are kept.
    func names(ofRecords: Void) throws -> [String] { try names().filter { !$0.hasSuffix(".lock") } }
}

extension FileCredentialStore {
    /// A store on a disk whose syncs of files and directories fail with the error that `code` returns.
    init(
        directory: String, onEvent: @escaping @Sendable (FileCredentialStore.Event) -> Void = { _ in },
        failing code: @escaping @Sendable (_ isDirectory: Bool) -> Int32?
    ) {
        self.init(directory: directory, onEvent: onEvent) { descriptor in
            var status = stat()
            _ = unsafe fstat(descriptor, &status)
            guard let code = code(status.st_mode & S_IFMT == S_IFDIR) else { return fsync(descriptor) }
            errno = code
            return -1
        }
    }
}

extension Credential {
    static let usualInstance = Origin(scheme: .https, host: "example.my.salesforce.com")

    static func numbered(_ number: Int) -> Credential {
        Credential(
            accessToken: Secret("a\(number)"), refreshToken: Secret("r\(number)"), instance: usualInstance,
            identityURL: "https://login.salesforce.com/id/00D/005", issuedAtMilliseconds: 1_278_448_832_702,
            scopes: ["api", "refresh_token"])
    }
}

#if os(Linux)
/// A separate session bus with a gnome-keyring, both of which end with this object.
final class KeyringSession {
    private static let programs = ["/usr/bin/secret-tool", "/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon"]

    let environment: [String: String]
    private var programs: [RunningProgram] = []

    /// Starts a session with its files in `home`, with a locked keyring if there is no password.
    init(home: String, password: String?) throws {
        var variables = ["HOME": home, "XDG_RUNTIME_DIR": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let bus = try RunningProgram(
            URL(fileURLWithPath: Self.programs[1]), ["--session", "--nofork", "--print-address=1"],
            environment: variables)
        variables["DBUS_SESSION_BUS_ADDRESS"] = String(decoding: bus.nextLine() ?? [], as: UTF8.self)
        environment = variables
        programs = [bus]
        guard let password else { return }
        let keyring = try RunningProgram(
            URL(fileURLWithPath: Self.programs[2]), ["--foreground", "--unlock", "--components=secrets"],
            environment: variables, input: password)
        programs.append(keyring)
        // It prints its control directory after it has read the password.
        _ = keyring.nextLine()
    }

    deinit {
        for program in programs.reversed() { program.kill() }
    }
}
#endif
