// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import RestTesting
import Testing

@Suite("Downloads that later processes resume")
struct PartFileTests {
    private let script: ContentStub
    private var folder: TemporaryDirectory { script.folder }
    private static let part = ".a.0123456789.part"

    init() throws {
        script = try ContentStub()
    }

    private var options: DownloadOptions {
        var options = ContentStub.options(attempts: 2)
        options.keepsPart = true
        return options
    }

    /// Runs a download that is interrupted after some bytes, as if its process had ended.
    private func leave(_ bytes: String, rev: String = "0123456789") async throws {
        script.respond(bytes, rev: rev)
        var options = options
        options.retryPolicy.maximumAttempts = 1
        // The bytes are progress, so another attempt follows. It is rejected permanently.
        script.stub.transport.enqueue(status: 400, "no")
        _ = try await ContentStub.failure(of: script.download(options))
    }

    @Test("received bytes are kept if a download is interrupted, and the next download of that revision resumes")
    func goesOn() async throws {
        try await leave("some c")
        #expect(folder.names == [Self.part] && folder.text(of: Self.part) == "some c")
        script.respond("ontent", from: 6)
        _ = try await script.download(options).value
        #expect(script.ranges == [nil, "bytes=6-", "bytes=6-"])
        #expect(folder.names == ["a"] && folder.text(of: "a") == ContentStub.content)
    }

    @Test("bytes of another revision are removed, and so is a part file that is longer than the file")
    func otherRevision() async throws {
        try await leave("SOME C", rev: "000000001")
        script.respond("ontent", from: 6)
        script.respond(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.names == ["a"] && folder.text(of: "a") == ContentStub.content)
        try write("longer than the content", 0o600)
        script.stub.transport.enqueue(status: 416, fields: ["Content-Range": "bytes */12"])
        script.respond(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.names == ["a"])
    }

    @Test("damaged bytes in a part file are detected, and the next download starts from the beginning")
    func damaged() async throws {
        try write("SOME C", 0o600)
        script.respond("ontent", from: 6)
        #expect(try await ContentStub.failure(of: script.download(options)).rest.code == .contentHash)
        #expect(folder.names.isEmpty)
        script.respond(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.text(of: "a") == ContentStub.content)
    }

    @Test("a part file that other users can change, or that is in use, is not resumed")
    func others() async throws {
        try write("some c", 0o666)
        script.respond(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.text(of: "a") == ContentStub.content && folder.text(of: Self.part) == "some c")
        try FileManager.default.removeItem(atPath: folder.path(Self.part))
        let writer = try FileWriter(path: folder.path("a"), replaces: true, goingOnWith: Self.part)
        try writer.write(Array("some c".utf8))
        script.respond(ContentStub.content)
        _ = try await script.download(options).value
        #expect(script.ranges == [nil, nil])
        #expect(folder.text(of: Self.part) == "some c")
        writer.discard()
        #expect(folder.names == ["a"])
    }

    @Test("a restart starts from the beginning, and without the option no part file is kept")
    func restart() async throws {
        try await leave("some c")
        script.respond("onte", from: 6)
        script.stub.transport.enqueue(status: 400, "no")
        let download = script.download(options)
        _ = try await ContentStub.failure(of: download)
        script.respond(ContentStub.content)
        download.restart()
        _ = try await download.value
        #expect(script.ranges.last == .some(nil) && folder.names == ["a"])
        script.respond("some c")
        _ = try await ContentStub.failure(of: script.download(to: "b"))
        script.respond("")
        _ = try await ContentStub.failure(of: script.download(options, to: "c"))
        #expect(folder.names == ["a"])
    }

    private func write(_ text: String, _ mode: Int) throws {
        try folder.write(text, to: Self.part)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(Self.part))
    }
}

@Suite("The destination of downloads")
struct PlaceTests {
    private let script: ContentStub
    private var folder: TemporaryDirectory { script.folder }

    init() throws {
        script = try ContentStub()
    }

    private func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }

    private func options(_ overwrites: Bool = true, makesFolders: Bool = false) -> DownloadOptions {
        var options = ContentStub.options()
        (options.overwrites, options.makesFolders) = (overwrites, makesFolders)
        return options
    }

    @Test("a file that must not be replaced is kept and named in the error, and nothing is sent")
    func existing() async throws {
        try folder.write("mine", to: "a")
        let error = try await ContentStub.failure(of: script.download(options(false))).rest
        #expect(error.code == .fileExists)
        #expect(error.message.contains(folder.path("a")))
        #expect(script.stub.transport.requests.isEmpty)
        #expect(folder.text(of: "a") == "mine" && folder.names == ["a"])
    }

    @Test("a file that appears during the download is also kept")
    func appearing() async throws {
        var stub = script.stub
        stub.configuration.interceptors = [Changing { [folder] in try folder.write("mine", to: "a") }]
        script.respond(ContentStub.content)
        let download = stub.user.download("/a", to: folder.path("a"), options(false))
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .fileExists)
        #expect(folder.text(of: "a") == "mine" && folder.names == ["a"])
    }

    /// Changes the directory after the call was sent.
    private struct Changing: Interceptor {
        let change: @Sendable () throws -> Void

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            let response = try await next(request)
            try? change()
            return response
        }
    }

    @Test("without an existing file, a download that must not replace a file succeeds")
    func free() async throws {
        script.respond(ContentStub.content)
        _ = try await script.download(options(false)).value
        #expect(folder.text(of: "a") == ContentStub.content && folder.names == ["a"])
    }

    @Test("missing directories are an error that names them, or are created")
    func folders() async throws {
        let error = try await ContentStub.failure(of: script.download(options(), to: "x/y/a")).rest
        #expect(error.code == .file)
        #expect(error.message.contains(folder.path("x/y/a")))
        #expect(script.stub.transport.requests.isEmpty && folder.names.isEmpty)
        script.respond(ContentStub.content)
        _ = try await script.download(options(makesFolders: true), to: "x/y/a").value
        #expect(folder.text(of: "x/y/a") == ContentStub.content)
    }

    @Test(
        "an invalid destination is reported before anything is sent",
        arguments: [
            "file/a", "folder", "", "folder/", "a\0b", String(repeating: "n", count: 300),
            String(repeating: "n/", count: 3_000),
        ], [false, true])
    func impossible(name: String, makesFolders: Bool) async throws {
        try folder.write("mine", to: "file")
        try makeDirectory("folder")
        let error = try await ContentStub.failure(of: script.download(options(makesFolders: makesFolders), to: name))
            .rest
        #expect(error.code == .file, "\(error)")
        #expect(error.message.contains(folder.path(name)))
        #expect(script.stub.transport.requests.isEmpty)
        #expect(folder.text(of: "file") == "mine" && folder.names == ["file", "folder"])
    }

    @Test("a directory in which the operating system allows no files is a typed error")
    func system() async throws {
        script.respond(ContentStub.content)
        let path = "/proc/rest-sdk-download"
        let download = script.stub.user.download("/a", to: path, options())
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .file)
        #expect(error.message.contains("/proc/"))
    }

    @Test("a name with a line feed or of the maximum length is valid")
    func names() async throws {
        for name in ["a\nb", String(repeating: "n", count: 255), "ä 🍺"] {
            script.respond(ContentStub.content)
            _ = try await script.download(options(false), to: name).value
            #expect(folder.text(of: name) == ContentStub.content)
        }
    }

    @Test("a directory that disappears during the download is a typed error, and is not created again")
    func vanished() async throws {
        try makeDirectory("x")
        var stub = script.stub
        stub.configuration.interceptors = [
            Changing { [folder] in try FileManager.default.removeItem(atPath: folder.path("x")) }
        ]
        script.respond(ContentStub.content)
        let download = stub.user.download("/a", to: folder.path("x/a"), options())
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .file)
        #expect(error.message.contains(folder.path("x/a")))
        #expect(folder.names.isEmpty)
    }
}

@Suite("Ranges of a file")
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
        "the Range header names the range, and only its bytes are downloaded",
        arguments: [
            (HTTPRequest.ByteRange.bytes(5..<9), "bytes=5-8", "bytes 5-8/12", "cont"),
            (.from(9), "bytes=9-", "bytes 9-11/12", "ent"), (.last(4), "bytes=-4", "bytes 8-11/12", "tent"),
            (.bytes(10..<100), "bytes=10-99", "bytes 10-11/12", "nt"),
        ])
    func parts(range: HTTPRequest.ByteRange, asked: String, given: String, bytes: String) async throws {
        script.respond(bytes, from: 0, fields: ["Content-Range": given])
        _ = try await part(range).value
        #expect(script.ranges == [asked])
        #expect(script.stub.field("Accept-Encoding", 0) == "identity")
        #expect(script.folder.text(of: "a") == bytes)
        // A server that does not support ranges.
        script.respond(content, fields: ["Content-Length": "12"])
        _ = try await part(range).value
        #expect(script.folder.text(of: "a") == bytes)
    }

    @Test(
        "a range other than the requested one is rejected",
        arguments: ["bytes 4-7/12", "bytes 5-9/12", "bytes 5-8/13", "bytes 5-8", "bytes */12", "items 5-8/12", ""])
    func otherPart(given: String) async throws {
        try script.folder.write("mine", to: "a")
        script.respond("cont", from: 0, fields: ["Content-Range": given])
        #expect(try await ContentStub.failure(of: part(.bytes(5..<9))).rest.code == .transport)
        #expect(script.folder.text(of: "a") == "mine" && script.folder.names == ["a"])
    }

    @Test("a response with more or fewer bytes than its range is rejected", arguments: ["conte", "con", ""])
    func otherAmount(bytes: String) async throws {
        script.respond(bytes, from: 5, fields: ["Content-Range": "bytes 5-8/12"])
        #expect(try await ContentStub.failure(of: part(.bytes(5..<9))).rest.code == .transport)
        #expect(script.folder.names.isEmpty)
    }

    @Test("an interrupted download of a range resumes within its bounds")
    func rest() async throws {
        script.respond("c", from: 5, fields: ["Content-Range": "bytes 5-8/12"])
        script.respond("ont", from: 6, fields: ["Content-Range": "bytes 6-8/12"])
        _ = try await part(.bytes(5..<9), attempts: 2).value
        #expect(script.ranges == ["bytes=5-8", "bytes=6-8"])
        #expect(script.folder.text(of: "a") == "cont")
    }

    @Test("a range that was not requested, and a range after the end, are errors")
    func outside() async throws {
        script.respond("x", from: 0)
        #expect(try await ContentStub.failure(of: script.download()).rest.code == .decoding)
        script.stub.transport.enqueue(status: 416, fields: ["Content-Range": "bytes */12"])
        #expect(try await ContentStub.failure(of: part(.from(50))).rest.code == .rangeNotSatisfiable)
        script.respond(content)
        #expect(try await ContentStub.failure(of: part(.from(50))).rest.code == .rangeNotSatisfiable)
    }

    @Test("a file that has become shorter is downloaded from the beginning")
    func shorter() async throws {
        script.respond("SOME CONTE", fields: ["Dropbox-API-Result": ContentStub.file("000000001", size: 20)])
        script.stub.transport.enqueue(status: 416, fields: ["Content-Range": "bytes */12"])
        script.respond(content)
        _ = try await script.download(ContentStub.options(attempts: 2)).value
        #expect(script.ranges == [nil, "bytes=10-", nil])
        #expect(script.folder.text(of: "a") == content)
    }

    @Test("a range without bytes is not sent", arguments: [HTTPRequest.ByteRange.bytes(5..<5), .from(-1), .last(0)])
    func none(range: HTTPRequest.ByteRange) async throws {
        #expect(try await ContentStub.failure(of: part(range)).rest.code == .invalidRequest)
        #expect(script.stub.transport.requests.isEmpty)
    }

    @Test("a stream of a range has only the range's bytes")
    func stream() async throws {
        script.respond(content)
        let (file, stream) = try await script.stub.user.files.download(path: "/a").stream(.bytes(5..<9))
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk }
        #expect(String(decoding: bytes, as: UTF8.self) == "cont")
        #expect(file.size == 12 && stream.place.start == 5)
    }
}
