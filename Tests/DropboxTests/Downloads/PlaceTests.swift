// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import RestTesting
import Testing

@Suite("Where downloads go")
struct PlaceTests {
    private let script: ContentStub
    private var folder: TemporaryFolder { script.folder }

    init() throws {
        script = try ContentStub()
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }

    private func options(_ overwrites: Bool = true, makesFolders: Bool = false) -> DownloadOptions {
        var options = ContentStub.options()
        (options.overwrites, options.makesFolders) = (overwrites, makesFolders)
        return options
    }

    @Test("A file that may not be replaced stays, is named, and nothing is sent")
    func existing() async throws {
        try folder.write("mine", to: "a")
        let error = try await ContentStub.failure(of: script.download(options(false))).rest
        #expect(error.code == .fileExists)
        #expect(error.message.contains(folder.path("a")))
        #expect(script.stub.transport.requests.isEmpty)
        #expect(folder.text(of: "a") == "mine" && folder.names == ["a"])
    }

    @Test("A file that appears while the download runs stays as well")
    func appearing() async throws {
        var stub = script.stub
        stub.configuration.interceptors = [Appearing(folder: folder)]
        script.answer(ContentStub.content)
        let download = stub.user.download("/a", to: folder.path("a"), options(false))
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .fileExists)
        #expect(folder.text(of: "a") == "mine" && folder.names == ["a"])
    }

    /// Writes the file when the call has been sent.
    private struct Appearing: Interceptor {
        let folder: TemporaryFolder

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            let response = try await next(request)
            try? folder.write("mine", to: "a")
            return response
        }
    }

    @Test("A file appears where there is none though it may not replace one")
    func free() async throws {
        script.answer(ContentStub.content)
        _ = try await script.download(options(false)).value
        #expect(folder.text(of: "a") == ContentStub.content && folder.names == ["a"])
    }

    @Test("Missing folders are an error that names them, or are made")
    func folders() async throws {
        let error = try await ContentStub.failure(of: script.download(options(), to: "x/y/a")).rest
        #expect(error.code == .file)
        #expect(error.message.contains(folder.path("x/y/a")))
        #expect(script.stub.transport.requests.isEmpty && folder.names.isEmpty)
        script.answer(ContentStub.content)
        _ = try await script.download(options(makesFolders: true), to: "x/y/a").value
        #expect(folder.text(of: "x/y/a") == ContentStub.content)
    }

    @Test(
        "A place where no file can be is named before anything is sent",
        arguments: [
            "file/a", "folder", "", "folder/", "a\0b", String(repeating: "n", count: 300),
            String(repeating: "n/", count: 3_000),
        ], [false, true])
    func impossible(name: String, makesFolders: Bool) async throws {
        try folder.write("mine", to: "file")
        try makeFolder("folder")
        let error = try await ContentStub.failure(of: script.download(options(makesFolders: makesFolders), to: name))
            .rest
        #expect(error.code == .file, "\(error)")
        #expect(error.message.contains(folder.path(name)))
        #expect(script.stub.transport.requests.isEmpty)
        #expect(folder.text(of: "file") == "mine" && folder.names == ["file", "folder"])
    }

    @Test("A folder that the system keeps for itself is a typed error")
    func system() async throws {
        script.answer(ContentStub.content)
        let path = "/proc/rest-sdk-download"
        let download = script.stub.user.download("/a", to: path, options())
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .file)
        #expect(error.message.contains("/proc/"))
    }

    @Test("A name with a line end or of the greatest length is a name")
    func names() async throws {
        for name in ["a\nb", String(repeating: "n", count: 255), "ä 🍺"] {
            script.answer(ContentStub.content)
            _ = try await script.download(options(false), to: name).value
            #expect(folder.text(of: name) == ContentStub.content)
        }
    }

    @Test("A folder that vanishes meanwhile is a typed error, and is not made again")
    func vanished() async throws {
        try makeFolder("x")
        var stub = script.stub
        stub.configuration.interceptors = [Vanishing(folder: folder)]
        script.answer(ContentStub.content)
        let download = stub.user.download("/a", to: folder.path("x/a"), options())
        let error = try await ContentStub.failure(of: download).rest
        #expect(error.code == .file)
        #expect(error.message.contains(folder.path("x/a")))
        #expect(folder.names.isEmpty)
    }

    private struct Vanishing: Interceptor {
        let folder: TemporaryFolder

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            let response = try await next(request)
            try? FileManager.default.removeItem(atPath: folder.path("x"))
            return response
        }
    }
}
