// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import RestTesting
import Testing

@Suite("Downloads that others go on with")
struct PartFileTests {
    private let script: ContentStub
    private var folder: TemporaryFolder { script.folder }
    private static let part = ".a.0123456789.part"

    init() throws {
        script = try ContentStub()
    }

    private var options: DownloadOptions {
        var options = ContentStub.options(attempts: 2)
        options.keepsPart = true
        return options
    }

    /// A download that breaks off after some bytes, as the end of its process would leave it.
    private func leave(_ bytes: String, rev: String = "0123456789") async throws {
        script.answer(bytes, rev: rev)
        var options = options
        options.retryPolicy.maximumAttempts = 1
        // What came is progress: the next attempt is refused for good.
        script.stub.transport.enqueue(status: 400, "no")
        _ = try await ContentStub.failure(of: script.download(options))
    }

    @Test("What came stays when the download ends early, and the next one of the same revision goes on from there")
    func goesOn() async throws {
        try await leave("some c")
        #expect(folder.names == [Self.part] && folder.text(of: Self.part) == "some c")
        script.answer("ontent", from: 6)
        _ = try await script.download(options).value
        #expect(script.ranges == [nil, "bytes=6-", "bytes=6-"])
        #expect(folder.names == ["a"] && folder.text(of: "a") == ContentStub.content)
    }

    @Test("What is left of another revision goes, and so does what is longer than the file")
    func otherRevision() async throws {
        try await leave("SOME C", rev: "000000001")
        script.answer("ontent", from: 6)
        script.answer(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.names == ["a"] && folder.text(of: "a") == ContentStub.content)
        try write("longer than the content", 0o600)
        script.stub.transport.enqueue(status: 416, fields: ["Content-Range": "bytes */12"])
        script.answer(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.names == ["a"])
    }

    @Test("Bytes that were damaged meanwhile are found out, and the download after that begins anew")
    func damaged() async throws {
        try write("SOME C", 0o600)
        script.answer("ontent", from: 6)
        #expect(try await ContentStub.failure(of: script.download(options)).rest.code == .contentHash)
        #expect(folder.names.isEmpty)
        script.answer(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.text(of: "a") == ContentStub.content)
    }

    @Test("What others can change, or have in hands, is not gone on with")
    func others() async throws {
        try write("some c", 0o666)
        script.answer(ContentStub.content)
        _ = try await script.download(options).value
        #expect(folder.text(of: "a") == ContentStub.content && folder.text(of: Self.part) == "some c")
        try FileManager.default.removeItem(atPath: folder.path(Self.part))
        let writer = try FileWriter(path: folder.path("a"), replaces: true, goingOnWith: Self.part)
        try writer.write(Array("some c".utf8))
        script.answer(ContentStub.content)
        _ = try await script.download(options).value
        #expect(script.ranges == [nil, nil])
        #expect(folder.text(of: Self.part) == "some c")
        writer.discard()
        #expect(folder.names == ["a"])
    }

    @Test("A restart begins anew; without the option nothing stays")
    func restart() async throws {
        try await leave("some c")
        script.answer("onte", from: 6)
        script.stub.transport.enqueue(status: 400, "no")
        let download = script.download(options)
        _ = try await ContentStub.failure(of: download)
        script.answer(ContentStub.content)
        download.restart()
        _ = try await download.value
        #expect(script.ranges.last == .some(nil) && folder.names == ["a"])
        script.answer("some c")
        _ = try await ContentStub.failure(of: script.download(to: "b"))
        script.answer("")
        _ = try await ContentStub.failure(of: script.download(options, to: "c"))
        #expect(folder.names == ["a"])
    }

    private func write(_ text: String, _ mode: Int) throws {
        try folder.write(text, to: Self.part)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(Self.part))
    }
}
