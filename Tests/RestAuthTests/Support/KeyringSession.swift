// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation

#if os(Linux)
/// A session bus of its own with a gnome-keyring whose files are in a folder; both end with this object.
final class KeyringSession {
    private static let programs = ["/usr/bin/secret-tool", "/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon"]

    /// What a program of the session sees.
    let environment: [String: String]
    private var processes: [Process] = []

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - home: the folder of its files.
    ///   - password: unlocks the key ring; without one it stays locked.
    /// - Throws: the failure to start its processes.
    init(home: String, password: String?) throws {
        var variables = ["HOME": home, "XDG_RUNTIME_DIR": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let bus = Process.tool()
        let output = Pipe()
        bus.executableURL = URL(fileURLWithPath: Self.programs[1])
        bus.arguments = ["--session", "--nofork", "--print-address=1"]
        bus.environment = variables
        bus.standardOutput = output
        bus.standardError = FileHandle.nullDevice
        try bus.run()
        let address = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        variables["DBUS_SESSION_BUS_ADDRESS"] = address.trimmingCharacters(in: .whitespacesAndNewlines)
        environment = variables
        processes = [bus]
        guard let password else { return }
        let keyring = Process.tool()
        let (input, ready) = (Pipe(), Pipe())
        keyring.executableURL = URL(fileURLWithPath: Self.programs[2])
        keyring.arguments = ["--foreground", "--unlock", "--components=secrets"]
        keyring.environment = variables
        keyring.standardInput = input
        keyring.standardOutput = ready
        keyring.standardError = FileHandle.nullDevice
        try keyring.run()
        processes.append(keyring)
        input.fileHandleForWriting.write(Data(password.utf8))
        try input.fileHandleForWriting.close()
        // It prints its control folder when it has taken the password.
        _ = ready.fileHandleForReading.availableData
    }

    deinit {
        for process in processes.reversed() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }
}
#endif
