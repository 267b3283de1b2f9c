// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Parts of a content")
struct RangeTests {
    private let script: ContentStub
    private let content = ContentStub.content

    init() throws {
        script = try ContentStub()
    }

    private func part(
        _ range: HTTPRequest.ByteRange, attempts: Int = 1
    ) -> Transfer<Files.FileMetadata, Files.DownloadError> {
        var options = ContentStub.options(attempts: attempts)
        options.range = range
        return script.download(options)
    }

    @Test(
        "The field names the part, and what comes is the part",
        arguments: [
            (HTTPRequest.ByteRange.bytes(5..<9), "bytes=5-8", "bytes 5-8/12", "cont"),
            (.from(9), "bytes=9-", "bytes 9-11/12", "ent"), (.last(4), "bytes=-4", "bytes 8-11/12", "tent"),
            (.bytes(10..<100), "bytes=10-99", "bytes 10-11/12", "nt"),
        ])
    func parts(range: HTTPRequest.ByteRange, asked: String, given: String, bytes: String) async throws {
        script.answer(bytes, from: 0, fields: ["Content-Range": given])
        _ = try await part(range).value
        #expect(script.ranges == [asked])
        #expect(script.stub.field("Accept-Encoding", 0) == "identity")
        #expect(script.folder.text(of: "a") == bytes)
        // A server that knows no ranges.
        script.answer(content, fields: ["Content-Length": "12"])
        _ = try await part(range).value
        #expect(script.folder.text(of: "a") == bytes)
    }

    @Test(
        "Another part than was asked for is refused",
        arguments: ["bytes 4-7/12", "bytes 5-9/12", "bytes 5-8/13", "bytes 5-8", "bytes */12", "items 5-8/12", ""])
    func otherPart(given: String) async throws {
        try script.folder.write("mine", to: "a")
        script.answer("cont", from: 0, fields: ["Content-Range": given])
        #expect(try await ContentStub.failure(of: part(.bytes(5..<9))).rest.code == .transport)
        #expect(script.folder.text(of: "a") == "mine" && script.folder.names == ["a"])
    }

    @Test("More or fewer bytes than the part has are refused", arguments: ["conte", "con", ""])
    func otherAmount(bytes: String) async throws {
        script.answer(bytes, from: 5, fields: ["Content-Range": "bytes 5-8/12"])
        #expect(try await ContentStub.failure(of: part(.bytes(5..<9))).rest.code == .transport)
        #expect(script.folder.names.isEmpty)
    }

    @Test("A part that breaks off goes on within its bounds")
    func rest() async throws {
        script.answer("c", from: 5, fields: ["Content-Range": "bytes 5-8/12"])
        script.answer("ont", from: 6, fields: ["Content-Range": "bytes 6-8/12"])
        _ = try await part(.bytes(5..<9), attempts: 2).value
        #expect(script.ranges == ["bytes=5-8", "bytes=6-8"])
        #expect(script.folder.text(of: "a") == "cont")
    }

    @Test("A part that nobody asked for, and one behind the end, are errors")
    func outside() async throws {
        script.answer("x", from: 0)
        #expect(try await ContentStub.failure(of: script.download()).rest.code == .decoding)
        script.stub.transport.enqueue(status: 416, fields: ["Content-Range": "bytes */12"])
        #expect(try await ContentStub.failure(of: part(.from(50))).rest.code == .rangeNotSatisfiable)
        script.answer(content)
        #expect(try await ContentStub.failure(of: part(.from(50))).rest.code == .rangeNotSatisfiable)
    }

    @Test("A file that became shorter meanwhile is begun anew")
    func shorter() async throws {
        script.answer("SOME CONTE", fields: ["Dropbox-API-Result": ContentStub.file("000000001", size: 20)])
        script.stub.transport.enqueue(status: 416, fields: ["Content-Range": "bytes */12"])
        script.answer(content)
        _ = try await script.download(ContentStub.options(attempts: 2)).value
        #expect(script.ranges == [nil, "bytes=10-", nil])
        #expect(script.folder.text(of: "a") == content)
    }

    @Test("A range without bytes is not sent", arguments: [HTTPRequest.ByteRange.bytes(5..<5), .from(-1), .last(0)])
    func none(range: HTTPRequest.ByteRange) async throws {
        #expect(try await ContentStub.failure(of: part(range)).rest.code == .invalidRequest)
        #expect(script.stub.transport.requests.isEmpty)
    }

    @Test("The bytes as they come are those of the part too")
    func stream() async throws {
        script.answer(content)
        let (file, stream) = try await script.stub.user.files.download(path: "/a").stream(.bytes(5..<9))
        var bytes: [UInt8] = []
        for try await piece in stream { bytes += piece }
        #expect(String(decoding: bytes, as: UTF8.self) == "cont")
        #expect(file.size == 12 && stream.place.start == 5)
    }
}
