// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("For whom calls are made")
struct CallerTests {
    private let stub = Stub()

    @Test("Members, admins and path roots are header fields; the pipeline is shared")
    func derived() async throws {
        let team = stub.team
        for _ in 0..<3 { stub.transport.enqueue(Stub.folder) }
        let member = team.asMember("dbmid:1")
        _ = try await member.withPathRoot(.root("1")).files.getMetadata(path: "/f").value
        _ = try await team.asAdmin("dbmid:2").withPathRoot(.namespaceID("é")).files.getMetadata(path: "/f").value
        _ = try await member.withPathRoot(.home).withPathRoot(nil).files.getMetadata(path: "/f").value
        #expect((0..<3).map { stub.field("Dropbox-API-Select-User", $0) } == ["dbmid:1", nil, "dbmid:1"])
        #expect((0..<3).map { stub.field("Dropbox-API-Select-Admin", $0) } == [nil, "dbmid:2", nil])
        #expect(
            (0..<3).map { stub.field("Dropbox-API-Path-Root", $0) } == [
                #"{".tag":"root","root":"1"}"#, #"{".tag":"namespace_id","namespace_id":"\u00e9"}"#, nil,
            ])
        let isShared = member.withPathRoot(.home).routes.client === team.routes.client
        #expect(isShared)
    }

    @Test("A route for app and user takes the token where there is one, else the app's key and secret")
    func appAndUser() async throws {
        stub.transport.enqueue(Stub.page)
        stub.transport.enqueue(Stub.page)
        _ = try await stub.user.files.listFolder(path: "").value
        _ = try await stub.itself.files.listFolder(path: "").value
        #expect(
            (0..<2).map { stub.field("Authorization", $0) } == [
                "Bearer t", "Basic YXBwS2V5OmFwcFNlY3JldA==",
            ])
    }

    @Test("A route of the app alone takes its key and secret, whoever calls")
    func appAlone() async throws {
        stub.transport.enqueue(#"{"result":"x"}"#)
        _ = try await stub.user.check.app(query: "x").value
        #expect(stub.transport.requests[0].fields.values(of: "Authorization") == ["Basic YXBwS2V5OmFwcFNlY3JldA=="])
    }

    @Test("Without a token a user's route is not sent, nor without a secret the app's")
    func nobody() async throws {
        var publicApp = stub
        publicApp.app.secret = nil
        await #expect(throws: CallError<Files.GetMetadataError>.self) {
            try await stub.itself.files.getMetadata(path: "/f").value
        }
        await #expect(throws: CallError<Check.EchoError>.self) {
            try await publicApp.itself.check.app(query: "x").value
        }
        #expect(stub.transport.requests.isEmpty)
    }
}
