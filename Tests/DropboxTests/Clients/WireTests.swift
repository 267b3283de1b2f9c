// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Requests of calls")
struct WireTests {
    private var stub = Stub()

    @Test("a call of a user is sent to the API host with the token and JSON")
    func rpc() async throws {
        stub.transport.enqueue(Stub.folder)
        _ = try await stub.user.files.getMetadata(path: "/f").value
        #expect(stub.url(0) == "https://api.dropboxapi.com/2/files/get_metadata")
        #expect(stub.transport.requests[0].method == .post)
        #expect(stub.field("Authorization", 0) == "Bearer t")
        #expect(stub.field("Content-Type", 0) == "application/json")
        #expect(stub.body(0).contains(#""path":"/f""#))
    }

    @Test("a longpoll request is sent to the notify host without credentials, with a timeout of eight minutes")
    func longpoll() async throws {
        stub.transport.enqueue(#"{"changes":false}"#)
        let member = stub.team.asMember("dbmid:1").withPathRoot(.root("1"))
        let call = member.files.listFolderLongpoll(cursor: "c")
        _ = try await call.value
        #expect(stub.url(0) == "https://notify.dropboxapi.com/2/files/list_folder/longpoll")
        for name in ["Authorization", "Dropbox-API-Select-User", "Dropbox-API-Path-Root"] {
            #expect(stub.field(name, 0) == nil, "\(name)")
        }
        #expect(try call.request.makeRequest().timeout == .seconds(480))
        #expect(try call.timeout(.seconds(5)).request.makeRequest().timeout == .seconds(5))
    }

    @Test("a client with one origin sends all requests to it")
    func oneOrigin() async throws {
        let configuration = RestClient.Configuration(transport: stub.transport)
        let client = try DropboxClient(
            accessToken: "t", origin: "http://127.0.0.1:8080", configuration: configuration)
        stub.transport.enqueue(Stub.folder)
        stub.transport.enqueue(#"{"changes":false}"#)
        _ = try await client.files.getMetadata(path: "/f").value
        _ = try await client.files.listFolderLongpoll(cursor: "c").value
        #expect(stub.url(0) == "http://127.0.0.1:8080/2/files/get_metadata")
        #expect(stub.field("Authorization", 0) == "Bearer t")
        #expect(stub.url(1) == "http://127.0.0.1:8080/2/files/list_folder/longpoll")
        for origin in ["http://box.example.com", "https://box.example.com/2", "box"] {
            let error = #expect(throws: RestError.self) { try DropboxClient(accessToken: "t", origin: origin) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test("file contents are sent to and received from the content host, or from a separate download host")
    func content() async throws {
        var stub = stub
        stub.app.hosts.download = Origin(scheme: .https, host: "down.example.com")
        let file = """
            {"name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
            "rev":"0123456789","size":1}
            """
        stub.transport.enqueue(file)
        stub.transport.enqueue(fields: ["dropbox-api-result": file], "x")
        _ = try await stub.user.files.upload(body: .bytes([1]), path: "/héllø🍺").value
        let content = try await stub.user.files.download(path: "/a").value
        #expect(stub.url(0) == "https://content.dropboxapi.com/2/files/upload")
        #expect(stub.field("Content-Type", 0) == "application/octet-stream")
        #expect(stub.field("Dropbox-API-Arg", 0)?.contains(#"/h\u00e9ll\u00f8\ud83c\udf7a"#) == true)
        #expect(stub.url(1) == "https://down.example.com/2/files/download")
        #expect(stub.field("Content-Type", 1) == nil)
        #expect(content.value.rev == "0123456789")
        #expect(content.bytes == Array("x".utf8))
    }

    @Test("the timeout of an upload depends on its size")
    func uploadTime() throws {
        let (small, large) = (HTTPBody.bytes([1]), HTTPBody.file(path: "/tmp/a"))
        let times = try [small, large].map {
            try stub.user.files.upload(body: $0, path: "/a").request.makeRequest().timeout
        }
        #expect(times == [.seconds(3600), .seconds(3600 + (150 << 20) / 10_000)])
    }

    @Test("an upload from memory is limited to 150 MiB, and requests to other hosts keep the general limit")
    func limits() async throws {
        let limit = 150 << 20
        stub.transport.enqueue(status: 400, "no")
        let fitting = stub.user.files.upload(body: .bytes([UInt8](repeating: 0, count: limit)), path: "/a")
        #expect(await Self.code(of: fitting) == .api)
        let large = stub.user.files.upload(body: .bytes([UInt8](repeating: 0, count: limit + 1)), path: "/a")
        #expect(await Self.code(of: large) == .invalidRequest)
        let text = String(repeating: "x", count: RestRequest.maximumBodySize)
        let wordy = stub.user.files.getMetadata(path: text)
        #expect(await Self.code(of: wordy) == .invalidRequest)
        #expect(stub.transport.requests.count == 1)
    }

    private static func code<Output, Failure>(of call: RouteCall<Output, Failure>) async -> RestError.Code? {
        do throws(CallError<Failure>) {
            _ = try await call.value
            return nil
        } catch {
            return error.rest.code
        }
    }

    @Test("the user agent, the locale and a host's headers are sent, also by derived clients")
    func fields() async throws {
        var stub = stub
        stub.app.userAgent = "BoxSync/1.0"
        stub.app.locale = "de-AT"
        stub.app.hosts.fields = [.api: ["key1": "value1", "Content-Type": "text/plain"]]
        stub.transport.enqueue(Stub.folder)
        _ = try await stub.team.asAdmin("dbmid:2").files.getMetadata(path: "/f").value
        #expect(stub.field("User-Agent", 0) == "BoxSync/1.0 RestSDK/\(RestClient.version)")
        #expect(stub.field("Dropbox-API-User-Locale", 0) == "de-AT")
        #expect(stub.field("key1", 0) == "value1")
        #expect(stub.field("Content-Type", 0) == "application/json")
        #expect(stub.field("Authorization", 0) == "Bearer t")
    }

    @Test("an Authorization header for a host replaces the token")
    func ownAuthorization() async throws {
        var stub = stub
        stub.app.hosts.fields = [.api: ["Authorization": "Test 1"]]
        stub.transport.enqueue(Stub.folder)
        _ = try await stub.user.files.getMetadata(path: "/f").value
        #expect(stub.transport.requests[0].fields.values(of: "Authorization") == ["Test 1"])
    }

    @Test("all hosts can be one server of a test")
    func oneServer() async throws {
        var stub = stub
        stub.app.hosts = DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: 8080))
        stub.transport.enqueue(#"{"changes":false}"#)
        _ = try await stub.user.files.listFolderLongpoll(cursor: "c").value
        #expect(stub.url(0) == "http://127.0.0.1:8080/2/files/list_folder/longpoll")
    }
}

@Suite("Types of Dropbox that other SDKs read or write incorrectly")
struct TypesTests {
    private static let file = """
        "name":"a","id":"id:1","client_modified":"2020-01-01T00:00:00Z","server_modified":"2020-01-01T00:00:00Z",\
        "rev":"0123456789","size":18446744073709551615
        """

    private func read<Value: StoneType>(_ text: String) throws -> Value { try Value(json: Array(text.utf8)) }
    private func text(_ value: some StoneType) throws -> String { String(decoding: try value.json(), as: UTF8.self) }

    @Test("a tag without a value is written as an object, and read in both forms and with additional fields")
    func voidTags() throws {
        #expect(try text(Files.WriteMode.add) == #"{".tag":"add"}"#)
        for form in [#"{".tag":"add"}"#, #""add""#, #"{".tag":"add","more":1}"#] {
            #expect(try read(form) as Files.WriteMode == .add)
        }
        #expect(try text(Files.WriteMode.update("abc")) == #"{".tag":"update","update":"abc"}"#)
        #expect(throws: JSONDecodingError.self) { try read(#"{".tag":"new"}"#) as Files.WriteMode }
    }

    @Test("an open union that inherits its openness accepts new tags, and writes them back")
    func inherited() throws {
        let new: Files.AddTagError = try read(#"{".tag":"brand_new","n":1}"#)
        guard case .other(let tag) = new else { throw Unexpected("\(new)") }
        #expect(tag.tag == "brand_new")
        #expect(try text(new) == #"{".tag":"brand_new","n":1}"#)
    }

    @Test("the fields of a nullable struct are next to its tag, or absent")
    func nullable() throws {
        let flat = #"{".tag":"update","deadline":"2020-10-12T17:00:00Z"}"#
        let update: FileRequests.UpdateFileRequestDeadline = try read(flat)
        guard case .update(let deadline?) = update else { throw Unexpected("\(update)") }
        #expect(deadline.allowLateUploads == nil)
        #expect(try text(update) == flat)
        let nothing: FileRequests.UpdateFileRequestDeadline = try read(#"{".tag":"update"}"#)
        #expect(nothing == .update(nil))
        let path: Files.LookupError = try read(#"{".tag":"malformed_path"}"#)
        #expect(path == .malformedPath(nil))
        #expect(try text(Files.LookupError.malformedPath("x")) == #"{".tag":"malformed_path","malformed_path":"x"}"#)
    }

    @Test("subtypes are enum cases: a closed set rejects other tags, and an open set keeps the common fields")
    func subtypes() throws {
        guard case .file(let file) = try read(#"{".tag":"file",\#(Self.file)}"#) as Files.Metadata else {
            throw Unexpected("no file")
        }
        #expect(file.size == .max)
        #expect(throws: JSONDecodingError.self) { try read(#"{".tag":"link","name":"a"}"#) as Files.Metadata }
        let alone: Files.FileMetadata = try read("{\(Self.file)}")
        #expect(try alone == read(#"{".tag":"file",\#(Self.file)}"#))
        let permissions = """
            {"can_revoke":false,"visibility_policies":[],"can_set_expiry":false,"can_remove_expiry":false,\
            "allow_download":true,"can_allow_download":true,"can_disallow_download":false,"allow_comments":true,\
            "team_restricts_comments":false}
            """
        let link: Sharing.SharedLinkMetadata = try read(
            #"{".tag":"album","url":"https://x","name":"a","link_permissions":\#(permissions)}"#)
        guard case .other(let tag, let base) = link else { throw Unexpected("\(link)") }
        #expect(tag.tag == "album" && base.name == "a")
    }

    @Test("a result of a batch has the file's fields next to the tag")
    func batch() throws {
        let entry: Files.UploadSessionFinishBatchResultEntry = try read(#"{".tag":"success",\#(Self.file)}"#)
        guard case .success(let file) = entry else { throw Unexpected("\(entry)") }
        #expect(file.id == "id:1")
    }

    @Test("a value of the wrong type is an error that names its field")
    func wrong() {
        for bad in [#""size":true"#, #""size":-1"#, #""size":"1""#, #""size":18446744073709551616"#] {
            let text = "{\(Self.file.replacing(#""size":18446744073709551615"#, with: bad))}"
            let error = #expect(throws: JSONDecodingError.self) { try read(text) as Files.FileMetadata }
            #expect(error.map { "\($0)".contains("size") } == true, "\(bad)")
        }
        let time = Self.file.replacing("2020-01-01T00:00:00Z", with: "2020-13-01")
        #expect(throws: JSONDecodingError.self) { try read("{\(time)}") as Files.FileMetadata }
    }

    @Test("a string that does not match its pattern in the spec is left to the server to check")
    func pattern() async {
        let stub = Stub()
        stub.transport.enqueue(status: 400, "no such path")
        await #expect(throws: CallError<Files.GetMetadataError>.self) {
            try await stub.user.files.getMetadata(path: "no slash").value
        }
        #expect(stub.transport.requests.count == 1)
    }
}
