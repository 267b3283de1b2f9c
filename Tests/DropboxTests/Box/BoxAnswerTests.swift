// SPDX-License-Identifier: Apache-2.0

#if canImport(EmbeddedBox)
import Dropbox
import EmbeddedBox
import RestTesting
import Testing

@Suite("What a box gives and refuses")
struct BoxAnswerTests {
    private static let content = BoxStage.content(100_000)

    @Test("Parts come from a real server", arguments: [HTTPRequest.ByteRange.bytes(10..<50), .from(99_000), .last(7)])
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

    @Test("An empty file is a file", arguments: [true, false])
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

    @Test("A file behind a link comes by the same means")
    func link() async throws {
        let stage = try await BoxStage([.byteLimit(20_000, .answer)])
        try await stage.put(Self.content)
        let link = try await stage.client().sharing.createSharedLinkWithSettings(path: "/a").value
        let call = stage.client().sharing.getSharedLinkFile(url: link.url)
        _ = try await call.download(to: stage.folder.path("a"), BoxStage.options()).value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }

    @Test("A token without the scope is a typed error that names it")
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

    @Test("A result that is no JSON, or none at all, is a typed error", arguments: ["<html>", "{\"name\":", nil])
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

    @Test("Bodies that the server cuts short, and servers in trouble, are gone on from")
    func trouble() async throws {
        let stage = try await BoxStage()
        try await stage.put(Self.content)
        stage.box.faults.add(.truncate(after: 30_000), matching: "/files/download")
        stage.box.faults.add(.status(503), matching: "/files/download")
        stage.box.faults.add(.rateLimited(retryAfter: 0), matching: "/files/download")
        stage.box.faults.add(.close, matching: "/files/download")
        stage.box.faults.add(.reset, matching: "/files/download")
        _ = try await stage.download(BoxStage.options(attempts: 10)).value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }

    /// A client of a linked account, whose token can be renewed.
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

    @Test("Ten calls with an ended token renew it once")
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

    @Test("An access token that ends in the middle of a download is renewed")
    func renewal() async throws {
        let stage = try await BoxStage([.byteLimit(40_000, .answer)])
        try await stage.put(Self.content)
        stage.box.faults.add(.expiredAccessToken, matching: "/files/download", skipping: 1)
        let client = try await linked(stage)
        _ = try await client.download("/a", to: stage.folder.path("a"), BoxStage.options()).value
        #expect(stage.bytes == Self.content)
        await stage.stop()
    }
}
#endif
