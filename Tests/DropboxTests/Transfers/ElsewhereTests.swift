// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Calls that are sent by other means")
struct ElsewhereTests {
    private let stub = Stub()

    private func answer(_ status: Int, _ fields: HTTPFields = [:], _ body: String = "") -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(body.utf8))
    }

    @Test("The request has its server, its token and all that the route needs")
    func requests() async throws {
        let box = stub.team.asMember("dbmid:1")
        let download = try await box.files.download(path: "/a").signedRequest()
        #expect("\(download.url)" == "https://content.dropboxapi.com/2/files/download")
        #expect(download.fields["Authorization"] == "Bearer t")
        #expect(download.fields["Dropbox-API-Select-User"] == "dbmid:1")
        #expect(download.fields["Dropbox-API-Arg"] == #"{"path":"/a"}"# && download.body == .empty)
        let upload = try await box.files.upload(body: .file(path: "/tmp/a"), path: "/a").signedRequest()
        #expect(upload.fields["Content-Type"] == "application/octet-stream")
        let nobody = try await box.files.listFolderLongpoll(cursor: "c").signedRequest()
        #expect(nobody.url.description.hasPrefix("https://notify.dropboxapi.com/"))
        #expect(nobody.fields["Authorization"] == nil)
        let app = try await stub.itself.check.app(query: "x").signedRequest()
        #expect(app.fields.values(of: "Authorization") == ["Basic YXBwS2V5OmFwcFNlY3JldA=="])
        #expect(stub.transport.requests.isEmpty)
    }

    @Test("A token that has ended is renewed first")
    func renewal() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(1))
        var stub = stub
        stub.configuration.clock = clock
        let server = AuthorizationServer.dropbox()
        let accounts = try await AccountManager.open(
            store: InMemoryCredentialStore(), transport: stub.transport, clock: clock)
        let account = try await accounts.add(
            Credential(
                accessToken: "a1", refreshToken: "r1", instance: server.origin, userID: "dbid:A",
                lifetime: .seconds(14_400),
                login: Credential.Login(server: server.origin, endpoints: server, clientID: "appKey")))
        let box = try DropboxClient(account: account.id, of: accounts, app: stub.app, configuration: stub.configuration)
        let call = box.files.download(path: "/a")
        #expect(try await call.signedRequest().fields["Authorization"] == "Bearer a1")
        clock.advance(by: .seconds(14_500))
        stub.transport.enqueue(#"{"access_token":"a2","token_type":"bearer","expires_in":14400}"#)
        #expect(try await call.signedRequest().fields["Authorization"] == "Bearer a2")
    }

    @Test("The answer means what it means to the client: a result, the route's own failure, or any other")
    func answers() throws {
        let download = stub.user.files.download(path: "/a")
        #expect(try download.value(in: answer(200, ["Dropbox-API-Result": ContentStub.file()])).size == 12)
        let metadata = stub.user.files.getMetadata(path: "/f")
        guard case .folder = try metadata.value(in: answer(200, [:], Stub.folder)) else {
            Issue.record("no folder")
            return
        }
        try stub.user.auth.tokenRevoke().value(in: answer(200))
        let missing = answer(409, [:], #"{"error":{".tag":"path","path":{".tag":"not_found"}}}"#)
        #expect { try download.value(in: missing) } throws: { error in
            guard case .route(.path(.notFound), _)? = error as? CallError<Files.DownloadError> else { return false }
            return true
        }
        for (bad, code) in [(answer(200), RestError.Code.decoding), (answer(503), .server)] {
            #expect { try download.value(in: bad) } throws: { error in
                (error as? CallError<Files.DownloadError>)?.rest.code == code
            }
        }
        #expect { try metadata.value(in: answer(200, [:], "<html>")) } throws: { error in
            let rest = (error as? CallError<Files.GetMetadataError>)?.rest
            return rest?.code == .decoding && rest?.body == Array("<html>".utf8)
        }
    }
}
