// SPDX-License-Identifier: Apache-2.0

#if canImport(EmbeddedBox)
import RestBase
import Dropbox
import Foundation
import EmbeddedBox
import RestTesting

/// A box, a proxy before its contents that spoils some exchanges, and a folder for what is downloaded.
struct BoxStage {
    let box: LocalBox
    let proxy: FaultProxy
    let folder: TemporaryFolder
    var configuration = RestClient.Configuration()

    /// Starts all of it; contents go through the proxy, each of whose connections has one fault.
    init(_ faults: [NetworkFault?] = []) async throws {
        try await self.init(script: faults.map { [$0] })
    }

    /// Starts all of it with faults by connection and by exchange on it.
    init(script: [[NetworkFault?]]) async throws {
        box = try await LocalBox.start()
        proxy = try FaultProxy(to: box.port, plan: FaultPlan(script: script))
        folder = try TemporaryFolder()
        configuration.transportLimits.firstByteTimeout = .seconds(2)
        configuration.transportLimits.idleTimeout = .seconds(2)
        configuration.retryPolicy.transientScale = .zero
    }

    /// A client whose downloads go through the proxy, and nothing else does.
    func client(_ token: String? = nil) -> DropboxClient {
        var hosts = DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: box.port))
        hosts.download = proxy.origin
        return DropboxClient(
            accessToken: Secret(token ?? box.accessToken), app: DropboxApp(hosts: hosts), configuration: configuration)
    }

    /// Writes a file at the box.
    @discardableResult
    func put(_ bytes: [UInt8], at path: String = "/a") async throws -> Files.FileMetadata {
        try await client().files.upload(body: .bytes(bytes), path: path, mode: .overwrite).value
    }

    /// Options that go on without waiting.
    static func options(attempts: Int = 4) -> DownloadOptions {
        var options = DownloadOptions()
        options.retryPolicy.maximumAttempts = attempts
        options.retryPolicy.transientScale = .zero
        return options
    }

    func download(_ options: DownloadOptions = options()) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        client().download("/a", to: folder.path("a"), options)
    }

    /// What is in the downloaded file.
    var bytes: [UInt8]? { FileManager.default.contents(atPath: folder.path("a")).map { Array($0) } }

    /// Stops the servers.
    func stop() async {
        await proxy.stop()
        await box.stop()
    }

    /// Bytes that no two places of have in common for long.
    static func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
#endif
