// SPDX-License-Identifier: Apache-2.0

#if canImport(EmbeddedBox)
import RestBase
import Dropbox
import EmbeddedBox
import RestTesting
import RestTransport
import Synchronization
import Testing

@Suite("Large single uploads")
struct UploadContentTests {
    private let box: UploadStage
    private var options = UploadOptions()

    init() async throws {
        box = try await UploadStage()
        options.chunkSize = 4 << 20
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(count))
        let block = (0..<1_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += block
            bytes.append(UInt8(truncatingIfNeeded: bytes.count))
        }
        return Array(bytes.prefix(count))
    }

    /// Returns a stream in chunks of irregular sizes.
    private static func chunks(_ bytes: [UInt8]) -> HTTPBody.Source.Chunks {
        let place = Mutex(0)
        return {
            place.withLock { place in
                let chunk = Array(bytes[place..<min(place + 70_001, bytes.count)])
                place += chunk.count
                return chunk.isEmpty ? nil : chunk
            }
        }
    }

    @Test(
        "a stream is sent completely, with or without a known length",
        arguments: [0, 1, 4 << 20, (4 << 20) + 1, 9 << 20], [true, false])
    func streams(_ count: Int, saysLength: Bool) async throws {
        let bytes = Self.bytes(count)
        let length = saysLength ? Int64(count) : nil
        let once = HTTPBody.stream(.once(length: length, chunks: Self.chunks(bytes)))
        let file = try await box.client().upload(once, to: "/once", options: options).value
        #expect(file.contentHash == ContentHash(of: bytes).text)
        #expect(file.size == UInt64(count))
        let again = HTTPBody.stream(.restartable(length: length) { Self.chunks(bytes) })
        box.box.faults.add(.closeAfterHandling, matching: "append_v2", skipping: 1)
        let second = try await box.client().upload(again, to: "/again", options: options).value
        #expect(second.contentHash == file.contentHash)
    }

    @Test("a stream whose length differs from its declared length creates no file at Dropbox", arguments: [-1, 1])
    func wrongLength(_ difference: Int) async throws {
        let bytes = Self.bytes(9 << 20)
        let body = HTTPBody.stream(.once(length: Int64(bytes.count + difference), chunks: Self.chunks(bytes)))
        do throws(CallError<Files.UploadError>) {
            _ = try await box.client().upload(body, to: "/a", options: options).value
            Issue.record("the stream was taken")
        } catch {
            #expect(error.rest.code == .bodyChanged)
        }
        #expect(try await box.contents().isEmpty)
    }

    @Test(
        "an error of a stream's source is the underlying error, in one request and in parts", arguments: [1, 9 << 20])
    func ownFailure(count: Int) async throws {
        struct OwnFailure: Error {}
        let chunks = Self.chunks(Self.bytes(count))
        for journal in [nil, try UploadJournal(path: box.folder.path("journal"))] {
            let body = HTTPBody.stream(
                .restartable {
                    {
                        guard let chunk = try await chunks() else { throw OwnFailure() }
                        return chunk
                    }
                })
            do throws(CallError<Files.UploadError>) {
                _ = try await box.client().upload(body, to: "/a", options: options, journal: journal).value
                Issue.record("the stream was taken")
            } catch {
                #expect(error.rest.code == .bodySource && error.rest.underlying is OwnFailure, "\(error)")
            }
        }
        #expect(try await box.contents().isEmpty)
    }

    @Test("a file that is the journal of its upload is rejected, and the other files are uploaded")
    func journalAsContent() async throws {
        let journal = try UploadJournal(path: box.folder.path("journal"))
        let own = UploadFile(.file(path: box.folder.path("./journal")), to: "/journal")
        let batch = await box.client().upload([own, try box.file("b", size: 10)], journal: journal).results
        #expect(throws: CallError<Files.UploadSessionFinishError>.self) { try batch[0].value.get() }
        if case .failure(let error) = batch[0].value { #expect(error.rest.code == .invalidRequest) }
        #expect(throws: Never.self) { try batch[1].value.get() }
        #expect(try await box.contents().count == 1)
    }

    @Test("a stream that the server needs from an earlier position starts again, if it can be read twice")
    func backwards() async throws {
        let bytes = Self.bytes(17 << 20)
        box.box.faults.add(.incorrectOffset(correct: 0), matching: "append_v2", skipping: 2)
        let again = HTTPBody.stream(.restartable { Self.chunks(bytes) })
        let file = try await box.client().upload(again, to: "/again", options: options).value
        #expect(file.contentHash == ContentHash(of: bytes).text)
        box.box.faults.add(.incorrectOffset(correct: 0), matching: "append_v2", skipping: 2)
        let once = HTTPBody.stream(.once(chunks: Self.chunks(bytes)))
        do throws(CallError<Files.UploadError>) {
            _ = try await box.client().upload(once, to: "/once", options: options).value
            Issue.record("it cannot be sent again")
        } catch {
            #expect(error.rest.code == .invalidRequest)
            #expect(error.rest.message.contains("restartable"))
        }
    }

    @Test(
        "a file that changes during its upload is named in the error, and no file is created at Dropbox",
        arguments: [1, 3])
    func changing(_ parts: Int) async throws {
        let file = try box.file("f", size: 17 << 20)
        // The other file is written before the upload starts, because a busy disk could need longer than the delay.
        _ = try box.file("other", size: 17 << 20)
        box.box.faults.add(.delay(.milliseconds(500)), next: 1, matching: "append_v2", skipping: parts)
        var options = options
        options.requestsAtOnce = 1
        let upload = box.client().upload(file.content, to: "/f", options: options)
        upload.resume()
        try await box.wait(for: parts + 1, of: "append_v2")
        try FileWriter.move(box.folder.path("other"), to: box.folder.path("f"))
        do throws(CallError<Files.UploadError>) {
            _ = try await upload.value
            Issue.record("half of one file and half of another")
        } catch {
            #expect(error.rest.code == .bodyChanged)
            #expect(error.rest.message.contains(box.folder.path("f")))
        }
        #expect(try await box.contents().isEmpty)
        upload.restart()
        box.box.faults.clear()
        #expect(try await upload.value.contentHash == ContentHash.ofFile(at: box.folder.path("f")).text)
    }

    @Test("a large file that conflicts with an existing file has the error of an upload")
    func conflict() async throws {
        _ = try await box.client().upload(.bytes([1]), to: "/taken").value
        let file = try box.file("f", size: 9 << 20)
        do throws(CallError<Files.UploadError>) {
            _ = try await box.client().upload(file.content, to: "/taken", options: options).value
            Issue.record("there was something")
        } catch {
            guard case .route(.path(let failure), _) = error, case .conflict(.file) = failure.reason else {
                throw Unexpected("\(error)")
            }
        }
    }

    @Test("a path without a regular file is named in the error", arguments: ["/", "/none", "/dev/zero"])
    func noFile(_ path: String) async throws {
        do throws(CallError<Files.UploadError>) {
            _ = try await box.client().upload(.file(path: path), to: "/a").value
            Issue.record("there is no such file")
        } catch {
            #expect(error.rest.code == .file)
            #expect(error.rest.message.contains(path))
        }
    }
}
#endif
