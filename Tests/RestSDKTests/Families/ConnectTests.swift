// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import Testing

@Suite("Files and notifications of the Connect API")
struct ConnectTests {
    private static let file = "069000000000001AAA"
    private static let user = "005000000000001AAA"
    private static let community = "0DB000000000001AAA"
    private static let date = Date(timeIntervalSince1970: 1_769_681_472.5)

    private func http(_ request: RestRequest) throws -> HTTPRequest {
        let origin = Origin(scheme: .https, host: "example.my.salesforce.com")
        return try RestClient(instanceURL: "\(origin)", accessToken: "t").httpRequest(for: request, instance: origin)
    }

    private static let targets: [(RestRequest, String, String)] = [
        (.files(), "GET", "files/users/me?page=0"),
        (.files(.groups, of: user, page: 3), "GET", "files/users/\(user)/filter/groups?page=3"),
        (.files(.shared), "GET", "files/users/me/filter/sharedwithme?page=0"),
        (.files(community: community), "GET", "communities/\(community)/files/users/me?page=0"),
        (.fileDetails(file), "GET", "files/\(file)"),
        (.fileDetails(file, version: 2), "GET", "files/\(file)?versionNumber=2"),
        (.fileDetails(of: [file, file]), "GET", "files/batch/\(file)%2C\(file)"),
        (
            .fileRendition(file, type: "PDF", page: 1, version: 2, community: community), "GET",
            "communities/\(community)/files/\(file)/rendition?type=PDF&page=1&versionNumber=2"
        ),
        (.fileContent(file), "GET", "files/\(file)/content"),
        (.fileShares(file, page: 1), "GET", "files/\(file)/file-shares?page=1"),
        (
            .uploadFile(.bytes("x", [1], fileName: "a"), title: "A", community: community), "POST",
            "communities/\(community)/files/users/me"
        ),
        (.notifications(), "GET", "notifications"),
        (
            .notifications(size: 50, before: date, trimsMessages: false), "GET",
            "notifications?size=50&before=2026-01-29T10%3A11%3A12.5Z&trimMessages=false"
        ),
        (.notification(file), "GET", "notifications/\(file)"),
        (.notificationStatus, "GET", "notifications/status"), (.notificationTypes, "GET", "notifications/types"),
        (.markNotification(file, isSeen: true), "PATCH", "notifications/\(file)"),
        (.uploadFileVersion(.bytes("x", [1], fileName: "a"), of: file), "POST", "files/\(file)"),
        (.renameFile(file, title: "B", community: community), "PATCH", "communities/\(community)/files/\(file)"),
        (.deleteFile(file), "DELETE", "files/\(file)"), (.profilePhoto(), "GET", "user-profiles/me/photo"),
        (
            .uploadProfilePhoto(.bytes("x", [1], fileName: "a.png"), of: user, community: community), "POST",
            "communities/\(community)/user-profiles/\(user)/photo"
        ),
        (.deleteProfilePhoto(of: user), "DELETE", "user-profiles/\(user)/photo"),
        (.notificationAction("approve/it", of: file), "POST", "notifications/\(file)/actions/approve%2Fit"),
        (.markNotifications(.ids([file]), isSeen: true), "PATCH", "notifications"),
        (
            .primingRecords(relayToken: "a+b", changedAfter: date), "GET",
            "briefcase/priming-records?relayToken=a%2Bb&changedAfterTimestamp=2026-01-29T10%3A11%3A12.5Z"
        ),
    ]

    @Test("methods and URLs are as documented, with and without a community", arguments: targets.indices)
    func addresses(index: Int) throws {
        let (request, method, target) = Self.targets[index]
        let http = try http(request)
        #expect(http.method.rawValue == method)
        #expect(http.url.target == "/services/data/v66.0/connect/\(target)")
    }

    @Test("a file is shared and unshared as a record, and bodies have the documented content")
    func bodies() throws {
        let share = try http(.shareFile(Self.file, with: Self.user, as: .viewer))
        #expect(share.url.path == "/services/data/v66.0/sobjects/ContentDocumentLink")
        let body = #"{"ContentDocumentId":"\#(Self.file)","LinkedEntityId":"\#(Self.user)","ShareType":"V"}"#
        #expect(share.body == .bytes(Array(body.utf8)))
        #expect(try http(.unshareFile(Self.file)).method == .delete)
        let marks: [(RestRequest, String)] = [
            (.markNotification(Self.file, isRead: true), #"{"read":"true"}"#),
            (.renameFile(Self.file, title: "B"), #"{"title":"B"}"#),
            (
                .markNotifications(.ids([Self.file]), isRead: true),
                #"{"read":"true","notificationIds":["\#(Self.file)"]}"#
            ),
            (
                .markNotifications(.before(Self.date), isSeen: false),
                #"{"seen":"false","before":"2026-01-29T10:11:12.5Z"}"#
            ),
        ]
        for (request, body) in marks { #expect(try http(request).body == .bytes(Array(body.utf8))) }
        guard
            case .bytes(let form) = try http(.uploadFile(.bytes("x", [104, 105], fileName: "a.txt"), title: "A")).body
        else {
            Issue.record("the form is not in memory")
            return
        }
        let text = String(decoding: form, as: UTF8.self)
        let json = try #require(text.firstRange(of: "name=\"json\""))
        let data = try #require(text.firstRange(of: "name=\"fileData\"; filename=\"a.txt\""))
        #expect(json.lowerBound < data.lowerBound)
        #expect(text.contains(#"{"title":"A","desc":""}"#))
    }

    @Test("a file can be uploaded, versioned, listed, renamed, downloaded and deleted")
    func fileLife() async throws {
        try await withClient { client, _ in
            let first = Array("first".utf8)
            let made = try await client.send(.uploadFile(.bytes("x", first, fileName: "notes.txt"), title: "Notes"))
            let id = try #require(made.payload["id"]?.string)
            let second = try await client.send(
                .uploadFileVersion(.bytes("x", Array("second".utf8), fileName: "notes.txt"), of: id))
            #expect(second.payload["id"]?.string == id)
            #expect(try await client.send(.fileContent(id)).body == Array("second".utf8))
            #expect(try await client.send(.fileContent(id, version: 1)).body == first)
            let renamed = try await client.send(.renameFile(id, title: "Minutes"))
            #expect(renamed.payload["title"] == "Minutes")
            let list = try await client.send(.files())
            #expect(list.payload["files"]?.array?.contains { $0["id"]?.string == id } == true)
            let details = try await client.send(.fileDetails(of: [id, "069000000000999AAA"]))
            #expect(details.payload["results"]?.array?.compactMap { $0["statusCode"]?.int } == [200, 404])
            _ = try await client.send(.deleteFile(id))
            await expectFailure(.notFound) { try await client.send(.fileDetails(id)) }
        }
    }

    @Test("a user's photo is uploaded as a form with its own part")
    func photo() throws {
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
        let request = try http(.uploadProfilePhoto(.bytes("x", picture, fileName: "me.png", type: "image/png")))
        guard case .bytes(let form) = request.body else { return #expect(Bool(false), "the form is not in memory") }
        let text = String(decoding: form, as: UTF8.self)
        #expect(text.contains("form-data; name=\"fileUpload\"; filename=\"me.png\"\r\nContent-Type: image/png\r\n\r\n"))
        #expect(form.firstRange(of: picture) != nil)
    }

    @Test("priming records are read: records by object and type, token, rule errors and counts")
    func primingRecords() async throws {
        let stub = StubTransport()
        stub.enqueue(
            """
            {"primingRecords":{"Account":{"Master":[{"id":"\(Self.file)","systemModstamp":"2026-01-29T10:11:12.500Z"}]},
            "Contact":{}},"relayToken":"r","ruleErrors":[{"ruleId":"1"}],"stats":{"ruleCountTotal":100,
            "recordCountTotal":96,"ruleCountServed":100,"recordCountServed":99}}
            """)
        let client = try RestClient.of(stub)
        let response = try await client.send(.primingRecords()).decode(RestRequest.PrimingRecords.self)
        #expect(response.primingRecords["Account"]?["Master"]?.map(\.systemModstamp) == [Self.date])
        #expect(response.primingRecords["Contact"]?.isEmpty == true)
        #expect(response.relayToken == "r")
        #expect(response.ruleErrors.map(\.ruleId) == ["1"])
        #expect(response.stats.recordCountServed == 99)
    }

    @Test(
        "invalid arguments are rejected by name",
        arguments: [
            (.files(page: -1), "page"), (.files(of: "me"), "user"), (.files(community: "x"), "community"),
            (.fileDetails("x"), "id"), (.fileDetails(of: []), "ids"), (.fileDetails(of: [file, "x"]), "ids[1]"),
            (.fileRendition(file, type: ""), "type"), (.fileShares(file, page: -1), "page"),
            (.shareFile(file, with: "x", as: .collaborator), "entity"), (.unshareFile("x"), "id"),
            (.uploadFile(.bytes("x", [], fileName: "a"), title: ""), "title"),
            (.uploadFile(.bytes("x", [], fileName: "a", type: "a\r\nb: c"), title: "A"), "type"),
            (.form([], to: .data(["x"])), "parts"), (.blob("A", id: "x", field: "B"), "id"),
            (.notifications(size: 51), "size"), (.notifications(before: date, after: date), "after"),
            (.notifications(after: Date(timeIntervalSince1970: 1e15)), "date"), (.notification("x"), "id"),
            (.markNotifications(.ids([]), isRead: true), "notifications"), (.markNotifications(.ids([file])), "isRead"),
            (.markNotifications(.ids([file]), isRead: true, isSeen: false), "isSeen"),
            (.markNotifications(.ids(["x"]), isRead: true), "notifications[0]"),
            (.notificationAction("", of: file), "action"), (.markNotification("x", isRead: true), "id"),
            (.markNotification(file), "isRead"), (.uploadFileVersion(.bytes("x", [], fileName: "a"), of: "x"), "id"),
            (.renameFile(file, title: " "), "title"), (.deleteFile("x"), "id"), (.profilePhoto(of: "x"), "user"),
            (.uploadProfilePhoto(.bytes("x", [], fileName: "a"), of: "x"), "user"),
            (.deleteProfilePhoto(of: ""), "user"),
        ] as [(RestRequest, String)])
    func refused(request: RestRequest, argument: String) throws {
        let error = #expect(throws: RestError.self) { try http(request) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("\(argument): ") == true, "\(error?.message ?? "")")
    }
}
