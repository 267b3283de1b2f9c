// SPDX-License-Identifier: Apache-2.0

#if canImport(EmbeddedBox)
import Dropbox
import EmbeddedBox
import Foundation
import RestBase
import RestTesting
import Synchronization
import Testing

/// A test server, a proxy for file contents that damages some exchanges, and a directory for downloads.
struct BoxStage {
    let box: LocalBox
    let proxy: FaultProxy
    let folder: TemporaryDirectory
    var configuration = RestClient.Configuration()

    /// Starts the servers, with one of the faults for each connection to the proxy.
    init(_ faults: [NetworkFault?] = []) async throws {
        try await self.init(script: faults.map { [$0] })
    }

    /// Starts the servers, with faults for each connection and each exchange on it.
    init(script: [[NetworkFault?]]) async throws {
        box = try await LocalBox.start()
        proxy = try FaultProxy(to: box.port, plan: FaultPlan(script: script))
        folder = try TemporaryDirectory()
        configuration.transportLimits.firstByteTimeout = .seconds(2)
        configuration.transportLimits.idleTimeout = .seconds(2)
        configuration.retryPolicy.transientScale = .zero
    }

    /// Returns a client that uses the proxy for downloads only.
    func client(_ token: String? = nil) -> DropboxClient {
        var hosts = DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: box.port))
        hosts.download = proxy.origin
        return DropboxClient(
            accessToken: Secret(token ?? box.accessToken), app: DropboxApp(hosts: hosts), configuration: configuration)
    }

    @discardableResult
    func put(_ bytes: [UInt8], at path: String = "/a") async throws -> Files.FileMetadata {
        try await client().files.upload(body: .bytes(bytes), path: path, mode: .overwrite).value
    }

    /// Returns options that retry without a delay.
    static func options(attempts: Int = 4) -> DownloadOptions {
        var options = DownloadOptions()
        options.retryPolicy.maximumAttempts = attempts
        options.retryPolicy.transientScale = .zero
        return options
    }

    func download(_ options: DownloadOptions = options()) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        client().download("/a", to: folder.path("a"), options)
    }

    var bytes: [UInt8]? { FileManager.default.contents(atPath: folder.path("a")).map { Array($0) } }

    func stop() async {
        await proxy.stop()
        await box.stop()
    }

    /// Returns pseudorandom bytes, so that no two parts of a file are equal.
    static func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}

@Suite("Responses of a test server")
struct BoxResponseTests {
    private static let content = BoxStage.content(100_000)

    @Test(
        "a range of a file is downloaded from a real server",
        arguments: [HTTPRequest.ByteRange.bytes(10..<50), .from(99_000), .last(7)])
    func parts(range: HTTPRequest.ByteRange) async throws {
        let stage = try await BoxStage()
        try await stage.put(Self.content)
        var options = BoxStage.options()
        options.range = range
        _ = try await stage.download(options).value
        let whole = Self.content
        let expected =
            switch range {
            case .bytes(let bytes): Array(whole[Int(bytes.lowerBound)..<Int(bytes.upperBound)])
            case .from(let start): Array(whole[Int(start)...])
            case .last(let count): Array(whole.suffix(Int(count)))
            }
        #expect(stage.bytes == expected)
        await stage.stop()
    }

    @Test("an empty file is downloaded as an empty file", arguments: [true, false])
    func empty(overwrites: Bool) async throws {
        let stage = try await BoxStage()
        try await stage.put([])
        var options = BoxStage.options()
        options.overwrites = overwrites
        _ = try await stage.download(options).value
        #expect(stage.bytes == [])
        #expect(try await stage.client().download("/a", limit: 0).value.bytes.isEmpty)
        await stage.stop()
    }

    @Test("the file of a shared link is downloaded, and resumed, like any other file")
    func link() async throws {
        let stage = try await BoxStage([.byteLimit(20_000, .response)])
        try await stage.put(Self.content)
        let link = try await stage.client().sharing.createSharedLinkWithSettings(path: "/a").value
        let call = stage.client().sharing.getSharedLinkFile(url: link.url)
        _ = try await call.download(to: stage.folder.path("a"), BoxStage.options()).value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }

    @Test("a token without the required scope is a typed error that names the scope")
    func scope() async throws {
        let stage = try await BoxStage()
        try await stage.put(Self.content)
        let token = stage.box.issueAccessToken(scopes: ["account_info.read"])
        let download = stage.client(token).download("/a", to: stage.folder.path("a"), BoxStage.options())
        let error = try await ContentStub.failure(of: download)
        #expect(error.rest.dropbox.missingScope == "files.content.read")
        #expect(stage.folder.names.isEmpty)
        await stage.stop()
    }

    @Test("a result that is missing or is not JSON is a typed error", arguments: ["<html>", "{\"name\":", nil])
    func result(field: String?) async throws {
        let stage = try await BoxStage()
        try await stage.put(Self.content)
        try stage.folder.write("mine", to: "a")
        let fields = field.map { ["Dropbox-API-Result": $0] } ?? [:]
        stage.box.faults.add(.body("bytes", status: 200, fields: fields), matching: "/files/download")
        let error = try await ContentStub.failure(of: stage.download())
        #expect(error.rest.code == .decoding)
        #expect(stage.folder.text(of: "a") == "mine" && stage.folder.names == ["a"])
        await stage.stop()
    }

    @Test("a download resumes after truncated bodies and server errors")
    func trouble() async throws {
        let stage = try await BoxStage()
        try await stage.put(Self.content)
        stage.box.faults.add(.truncate(after: 30_000), matching: "/files/download")
        stage.box.faults.add(.body("", status: 503), matching: "/files/download")
        stage.box.faults.add(.rateLimited(retryAfter: 0), matching: "/files/download")
        stage.box.faults.add(.close, matching: "/files/download")
        stage.box.faults.add(.reset, matching: "/files/download")
        _ = try await stage.download(BoxStage.options(attempts: 10)).value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }

    /// Returns a client of a linked account whose token can be renewed.
    private func linked(_ stage: BoxStage) async throws -> DropboxClient {
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: stage.box.port)
        var hosts = DropboxHosts(all: origin)
        hosts.download = stage.proxy.origin
        let app = DropboxApp(key: stage.box.appKey, secret: Secret(stage.box.appSecret), hosts: hosts)
        let accounts = try await AccountManager.open(
            store: InMemoryCredentialStore(), transport: PlatformTransport.shared)
        let account = try await accounts.add(
            Credential(
                accessToken: Secret(stage.box.accessToken), refreshToken: Secret(stage.box.refreshToken),
                instance: origin, userID: stage.box.accountID,
                login: Credential.Login(server: origin, endpoints: .dropbox(hosts), clientID: stage.box.appKey)))
        return try DropboxClient(
            account: account.id, of: accounts, app: app, configuration: stage.configuration)
    }

    @Test("ten calls with an expired token renew it once")
    func tenCalls() async throws {
        let stage = try await BoxStage()
        try await stage.put(Self.content)
        let client = try await linked(stage)
        stage.box.faults.expireAccessTokens()
        let names = await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { try? await client.files.getMetadata(path: "/a").value.name }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == Array(repeating: "a", count: 10))
        #expect(stage.box.journal.entries.filter { $0.target.hasPrefix("/oauth2/token") }.count == 1)
        await stage.stop()
    }

    @Test("an access token that expires during a download is renewed")
    func renewal() async throws {
        let stage = try await BoxStage([.byteLimit(40_000, .response)])
        try await stage.put(Self.content)
        stage.box.faults.add(.expiredAccessToken, matching: "/files/download", skipping: 1)
        let client = try await linked(stage)
        _ = try await client.download("/a", to: stage.folder.path("a"), BoxStage.options()).value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }
}

@Suite("Downloads from a test server over an unreliable network")
struct BoxDownloadTests {
    private static let content = BoxStage.content(1_000_000)

    @Test("after repeated interruptions a download requests only the missing bytes")
    func cuts() async throws {
        let cuts = (0..<6).map { _ in NetworkFault.byteLimit(150_000, .response) }
        let stage = try await BoxStage(cuts)
        try await stage.put(Self.content)
        _ = try await stage.download(BoxStage.options(attempts: 2)).value
        #expect(stage.bytes == Self.content)
        #expect(stage.folder.names == ["a"])
        let passed = stage.proxy.journal.exchanges.map(\.responseBytes).reduce(0, +)
        #expect(passed < 1_020_000, "\(passed)")
        await stage.stop()
    }

    @Test(
        "a download is complete after resets, lost responses, silence and closed connections",
        arguments: [
            [NetworkFault.reset, .reset, .byteLimit(0, .response)], [.droppedResponse, .byteLimit(5_000, .response)],
            [.byteLimit(100, .response), .byteLimit(400_000, .response), .reset],
            [.byteLimit(400_000, .response), .blackhole(.response)], [.slices(bytes: 1_000, pause: .zero)],
        ])
    func faults(script: [NetworkFault]) async throws {
        var stage = try await BoxStage(script)
        stage.configuration.retryPolicy = .never
        stage.configuration.transportLimits.firstByteTimeout = .milliseconds(500)
        try await stage.put(Self.content)
        _ = try await stage.download().value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }

    @Test("a file with a damaged byte never appears at the destination", arguments: [100_000, 999_000])
    func corrupted(place: Int) async throws {
        let stage = try await BoxStage([.corruptByte(place, .response)])
        try stage.folder.write("mine", to: "a")
        try await stage.put(Self.content)
        #expect(try await ContentStub.failure(of: stage.download()).rest.code == .contentHash)
        #expect(stage.folder.text(of: "a") == "mine" && stage.folder.names == ["a"])
        await stage.stop()
    }

    @Test("a network that delivers nothing ends the download with a typed error and leaves no file")
    func dead() async throws {
        var stage = try await BoxStage(Array(repeating: .byteLimit(300, .response), count: 40))
        stage.configuration.retryPolicy = .never
        try await stage.put(Self.content)
        let download = stage.download(BoxStage.options(attempts: 3))
        #expect(try await ContentStub.failure(of: download).rest.code == .transport)
        #expect(stage.folder.names.isEmpty)
        await stage.stop()
    }

    @Test("whatever the network does, a file is correct or missing", arguments: 0..<12)
    func random(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let script = (0..<8).map { _ -> NetworkFault? in
            switch Int.random(in: 0..<6, using: &random) {
            case 0: nil
            case 1: .reset
            case 2: .corruptByte(Int.random(in: 0..<120_000, using: &random), .response)
            case 3: .droppedResponse
            default: .byteLimit(Int.random(in: 0..<80_000, using: &random), .response)
            }
        }
        let content = BoxStage.content(100_000, seed: UInt64(seed))
        let stage = try await BoxStage(script)
        try await stage.put(content)
        let download = stage.download()
        do throws(CallError<Files.DownloadError>) {
            _ = try await download.value
            #expect(stage.bytes == content)
        } catch {
            #expect(stage.folder.names.isEmpty, "\(error)")
        }
        await stage.stop()
    }

    @Test("a file that is overwritten during its download arrives complete, from one revision")
    func rewritten() async throws {
        var stage = try await BoxStage([.byteLimit(400_000, .response)])
        let first = try await stage.put(Self.content)
        let other = BoxStage.content(1_000_000, seed: 2)
        let writer = stage
        stage.configuration.interceptors = [
            Rewriting { try await writer.put(other) }
        ]
        let file = try await stage.download().value
        #expect(file.rev != first.rev)
        #expect(stage.bytes == other)
        await stage.stop()
    }

    /// Overwrites the file before the second request.
    private final class Rewriting: Interceptor {
        private let requests = Atomic(0)
        private let write: @Sendable () async throws -> Files.FileMetadata

        init(_ write: @escaping @Sendable () async throws -> Files.FileMetadata) { self.write = write }

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            if requests.add(1, ordering: .relaxed).newValue == 2 { _ = try? await write() }
            return try await next(request)
        }
    }

    @Test("a pause keeps the received bytes, and a cancellation keeps nothing")
    func pause() async throws {
        // The transfer is so slow that it cannot finish before the pause.
        let slow = NetworkFault.slices(bytes: 64_000, pause: .milliseconds(300))
        let stage = try await BoxStage(script: [[slow], [nil, slow], [slow]])
        try await stage.put(Self.content)
        let download = stage.download()
        var updates = download.progress.makeAsyncIterator()
        download.resume()
        while let update = await updates.next(), update.progress.received < 50_000 {}
        download.pause()
        download.resume()
        _ = try await download.value
        #expect(stage.bytes == Self.content)
        #expect(stage.proxy.journal.exchanges.last.map { $0.responseBytes < 990_000 } == true)
        try stage.folder.write("mine", to: "a")
        download.restart()
        var again = download.progress.makeAsyncIterator()
        while let update = await again.next(), update.attempt < 3 || update.progress.received < 50_000 {}
        download.cancel()
        #expect(try await ContentStub.failure(of: download).rest.code == .cancelled)
        #expect(stage.folder.text(of: "a") == "mine")
        await stage.stop()
    }
}
#endif
