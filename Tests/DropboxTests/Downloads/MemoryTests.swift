// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Downloads into memory, and those of other routes")
struct MemoryTests {
    private let script: ContentStub
    private let content = ContentStub.content

    init() throws {
        script = try ContentStub()
    }

    @Test("Content comes into memory up to a limit, going on where it broke")
    func memory() async throws {
        script.answer("some")
        script.answer(" content", from: 4)
        let got = try await script.stub.user.download("/a", limit: 12, ContentStub.options(attempts: 2)).value
        #expect(got.value.size == 12 && got.bytes == Array(content.utf8))
        #expect(script.ranges == [nil, "bytes=4-"])
    }

    @Test("More than the limit is an error, whether the server says how much or not")
    func limit() async throws {
        script.answer(content)
        let known = script.stub.user.download("/a", limit: 11, ContentStub.options())
        #expect(try await ContentStub.failure(of: known).rest.code == .tooLarge)
        script.answer(content)
        let unknown = script.stub.user.files.getPreview(path: "/a").download(limit: 11, ContentStub.options())
        #expect(try await ContentStub.failure(of: unknown).rest.code == .tooLarge)
    }

    @Test("The content hash is compared in memory as well")
    func hash() async throws {
        script.answer("SOME CONTENT")
        let download = script.stub.user.download("/a", limit: 100, ContentStub.options())
        #expect(try await ContentStub.failure(of: download).rest.code == .contentHash)
    }

    @Test("What another route gives is begun anew when it breaks off, and its result is no content's identity")
    func otherRoutes() async throws {
        // The result is the file's, the content is a picture of it.
        let call = script.stub.user.files.getPreview(path: "/a")
        script.answer("picture", fields: ["Content-Length": "7"])
        let file = try await call.download(to: script.folder.path("p"), ContentStub.options()).value
        #expect(file.size == 12)
        #expect(script.folder.text(of: "p") == "picture")
        script.answer("picture")
        let bytes = try await call.download(limit: 7, ContentStub.options()).value.bytes
        #expect(bytes == Array("picture".utf8))
        script.answer("picture")
        let small = call.download(limit: 6, ContentStub.options())
        #expect(try await ContentStub.failure(of: small).rest.code == .tooLarge)
        try script.folder.write("mine", to: "q")
        var options = ContentStub.options()
        options.overwrites = false
        let refused = call.download(to: script.folder.path("q"), options)
        #expect(try await ContentStub.failure(of: refused).rest.code == .fileExists)
    }
}
