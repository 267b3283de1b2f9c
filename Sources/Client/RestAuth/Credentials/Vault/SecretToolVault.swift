// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import RestBase
public import RestTransport

extension SystemCredentialStore {
    /// Stores credentials in the desktop's keyring, through the Secret Service and its `secret-tool` command (Debian
    /// package `libsecret-tools`).
    ///
    /// Tokens are passed to the tool on standard input, never on its command line or in its environment. If the session
    /// bus or the keyring does not respond, or the keyring is locked, the error is `.temporarilyUnavailable`. The tool
    /// accepts at most 8,191 bytes. If a record is longer, the error is `.notWritable`.
    ///
    /// - Parameters:
    ///   - service: the service name that distinguishes the items from those of other programs.
    ///   - lockDirectory: a directory of the user for the lock files, which all programs with these items share.
    ///   - tool: the path of `secret-tool`.
    ///   - timeout: the maximum time for one run of the tool.
    ///   - clock: the clock that measures the timeout and the wait for locks.
    /// - Returns: the store.
    public static func secretService(
        service: String, lockDirectory: String, tool: String = "/usr/bin/secret-tool", timeout: Duration = .seconds(3),
        clock: any MonotonicClock = ContinuousClock()
    ) -> SystemCredentialStore {
        let vault = SecretToolVault(
            service: service, tool: tool, environment: SecretToolVault.sessionEnvironment, timeout: timeout,
            clock: clock)
        return SystemCredentialStore(vault: vault, lockDirectory: lockDirectory, clock: clock)
    }
}

struct SecretToolVault: SecretVault {
    /// The maximum size in bytes, because the tool truncates a longer item and its exit status does not report it.
    private static let maximumSize = 8_191

    let service: String
    var attributeNames = (service: "service", item: "account")
    let tool: String
    let environment: [String: String]
    let timeout: Duration
    let clock: any MonotonicClock

    @concurrent
    func read(_ name: String) async throws(Credential.StoreError) -> [UInt8]? {
        let response = try await run(["lookup"] + attributes(name))
        if response.status == 0 { return response.output }
        try Self.check(response)
        // The tool also reports "none" for an item that it may not open.
        guard try await items(["search"] + attributes(name)).count == 0 else { throw Self.locked }
        return nil
    }

    @concurrent
    func replace(
        _ name: String, with bytes: [UInt8], over _: ReplacedItem
    ) async throws(Credential.StoreError) -> Credential.StoreError? {
        guard bytes.count <= Self.maximumSize else {
            throw Credential.StoreError(
                .notWritable, "secret-tool stores at most \(Self.maximumSize) bytes; choose another store")
        }
        let response = try await run(["store", "--label=\(service) \(name)"] + attributes(name), input: bytes)
        guard response.status == 0 else { throw Self.refused(response) }
        return nil
    }

    @concurrent
    func remove(_ name: String) async throws(Credential.StoreError) -> Credential.StoreError? {
        let response = try await run(["clear"] + attributes(name))
        if response.status == 0 { return nil }
        try Self.check(response)
        guard try await items(["search"] + attributes(name)).count == 0 else { throw Self.locked }
        return nil
    }

    @concurrent
    func names() async throws(Credential.StoreError) -> [String] {
        let (count, names) = try await items(["search", "--all", attributeNames.service, service])
        // The attributes of locked items are hidden.
        guard names.count == count else { throw Self.locked }
        return names
    }

    private func attributes(_ name: String) -> [String] {
        [attributeNames.service, service, attributeNames.item, name]
    }

    /// The number of items that the tool finds, and the names that are visible.
    private func items(_ arguments: [String]) async throws(Credential.StoreError) -> (count: Int, names: [String]) {
        let response = try await run(arguments)
        guard response.status == 0 else { throw Self.refused(response) }
        let label = Array("attribute.\(attributeNames.item) = ".utf8)
        let lines = (response.output + [0x0A] + response.errors).split(separator: 0x0A)
        return (
            lines.count { $0.starts(with: Array("[/".utf8)) },
            lines.filter { $0.starts(with: label) }.map { String(decoding: $0.dropFirst(label.count), as: UTF8.self) }
        )
    }

    private func run(
        _ arguments: [String], input: [UInt8] = []
    ) async throws(Credential.StoreError) -> ToolRun.Result {
        do throws(ToolRun.Failure) {
            return try await ToolRun.result(
                of: tool, arguments, environment: environment, input: input, until: clock.now + timeout, clock: clock)
        } catch {
            throw Self.error(error, tool)
        }
    }
}

extension SecretToolVault {
    /// The variables for finding the session bus, and no others, because the environment may contain tokens.
    static var sessionEnvironment: [String: String] {
        let names = [
            "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
        ]
        return names.reduce(into: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]) { settings, name in
            // Copied at once, because the pointer becomes invalid when the environment changes.
            if let value = unsafe getenv(name) { settings[name] = unsafe String(cString: value) }
        }
    }

    private static let locked = Credential.StoreError(
        .temporarilyUnavailable, "the keyring is locked; unlock it and try again")

    /// Throws unless the tool reports "none": status 1 without output.
    private static func check(_ response: ToolRun.Result) throws(Credential.StoreError) {
        guard response.status == 1, response.output.isEmpty, response.errors.isEmpty else { throw refused(response) }
    }

    private static func refused(_ response: ToolRun.Result) -> Credential.StoreError {
        let words = String(decoding: response.errors.prefix { $0 != 0x0A }.prefix(200), as: UTF8.self)
        return Credential.StoreError(
            .temporarilyUnavailable,
            "the Secret Service is unavailable: \(words.isEmpty ? "no reason given" : words)")
    }

    private static func error(_ failure: ToolRun.Failure, _ tool: String) -> Credential.StoreError {
        let reason =
            switch failure {
            case .notStarted(ENOENT): "\(tool) not found; install libsecret-tools, or choose another store"
            case .notStarted(let code): "\(tool) cannot be started (system error \(code))"
            case .timedOut: "it does not respond"
            case .tooMuchOutput: "\(tool) printed too much output"
            case .cancelled: "cancelled"
            }
        return Credential.StoreError(.temporarilyUnavailable, "the Secret Service is unavailable: \(reason)")
    }
}

/// Runs a program with bytes on standard input and returns its output.
enum ToolRun {
    struct Result {
        /// The exit status, or `nil` if a signal ended the program.
        var status: Int32?
        var output: [UInt8] = []
        var errors: [UInt8] = []
    }

    enum Failure: Error {
        /// The program cannot be started, with the system's error number.
        case notStarted(Int32)
        /// The program did not end in time and was killed.
        case timedOut
        /// The program printed too much and was killed.
        case tooMuchOutput
        /// The caller cancelled the run, and the program was killed.
        case cancelled
    }

    private static let maximumOutput = 8 << 20

    /// Runs a program to its end, without blocking a thread, with no other environment than the given one.
    ///
    /// - Throws: `Failure` if the program does not start or does not end before the deadline, when it is killed.
    static func result(
        of program: String, _ arguments: [String], environment: [String: String], input: [UInt8],
        until deadline: ContinuousClock.Instant, clock: any MonotonicClock
    ) async throws(Failure) -> Result {
        // The first of each pair stays in this process. They are sockets, because a write to a pipe whose reader is
        // gone would end this process with a signal.
        let (sending, printing, complaining): ((Socket, Socket), (Socket, Socket), (Socket, Socket))
        do throws(Socket.Failure) {
            (sending, printing, complaining) = try (Socket.pair(), Socket.pair(), Socket.pair())
        } catch {
            throw .notStarted(error.code)
        }
        defer { withExtendedLifetime((sending, printing, complaining)) {} }
        let child: ChildProcess
        do throws(ChildProcess.NotStarted) {
            let descriptors = [sending, printing, complaining].map { ChildProcess.Stream.descriptor($0.1.descriptor) }
            child = try ChildProcess(
                program, arguments, environment: environment, streams: (descriptors[0], descriptors[1], descriptors[2]))
        } catch {
            throw .notStarted(error.code)
        }
        var (pending, result, ending) = (input[...], Result(), ChildProcess.Ending?.none)
        func killed(because failure: Failure) -> Failure {
            if ending == nil {
                child.kill()
                child.wait()
            }
            return failure
        }
        if pending.isEmpty { sending.0.finishSending() }
        var pause = Duration.milliseconds(1)
        while true {
            // Checked before its streams, which then have all of its output. A child that it started may continue to
            // write, so the limits of time and size also apply after its end.
            ending = ending ?? child.endingIfOver()
            var isMoving = take(from: printing.0, &result.output)
            isMoving = take(from: complaining.0, &result.errors) || isMoving
            if !pending.isEmpty, let count = sending.0.sendSome(pending, isWaiting: false) {
                pending = pending.dropFirst(count)
                if pending.isEmpty { sending.0.finishSending() }
                isMoving = true
            }
            if result.output.count + result.errors.count > maximumOutput { throw killed(because: .tooMuchOutput) }
            if let ending, !isMoving {
                result.status = ending.status
                return result
            }
            guard clock.now < deadline else { throw killed(because: .timedOut) }
            if isMoving { continue }
            do {
                try await clock.sleep(until: min(clock.now + pause, deadline), tolerance: nil)
            } catch {
                throw killed(because: .cancelled)
            }
            pause = min(pause * 2, .milliseconds(16))
        }
    }

    private static func take(from socket: Socket, _ bytes: inout [UInt8]) -> Bool {
        guard let more = socket.receive(upTo: 8_192, isWaiting: false), !more.isEmpty else { return false }
        bytes += more
        return true
    }
}
#endif
