// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Content hashes")
struct ContentHashTests {
    /// Made by Python's hashlib from the same bytes.
    private static let known = [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (1, "1406e05881e299367766d313e26c05564ec91bf721d31726bd6e46e60689539a"),
        (4_194_303, "cd724094f123fb95db01b5bf13a139e84aa3966a6c34d23a21cb3dda0bb98415"),
        (4_194_304, "5ef6834bb4af1a12e61d6ca40f50c8d757da6e7a3526cb729e6179b4e06823a3"),
        (4_194_305, "f542ca4ee4cb793ccfcc14f0ae948226a9718aab939f717484292dcca72f2364"),
        (8_388_608, "98e5d4652593312a99fd90fe393d7018a16a6b100e28fe4943af78004abfc9a2"),
        (8_388_609, "4366835d73176aef104846b84213d5afba8b5562c3599f1f0cc36560c3cc8479"),
    ]

    private static let pattern = (0..<1 << 20).map { UInt8(($0 * 7 + ($0 >> 9)) % 251) }

    private func content(_ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < size { bytes += Self.pattern.prefix(size - bytes.count) }
        return bytes
    }

    @Test("Hashes are those that Python's hashlib makes", arguments: known)
    func vectors(size: Int, text: String) {
        let hash = ContentHash(of: content(size))
        #expect(hash.text == text)
        #expect(hash.count == Int64(size))
    }

    @Test("The size of the pieces makes no difference", arguments: [1_000_003, 4_194_304, 5_000_000])
    func pieces(size: Int) throws {
        let (total, text) = try #require(Self.known.last)
        let content = content(total)
        var hash = ContentHash()
        for start in stride(from: 0, to: total, by: size) {
            hash.update(Array(content[start..<min(start + size, total)]))
            hash.update([])
        }
        #expect(hash.text == text)
    }

    @Test("A copy goes on by itself, and asking for the text changes nothing")
    func copies() {
        var one = ContentHash(of: content(1))
        let first = one.text
        let other = one
        one.update([1, 2, 3])
        #expect(other.text == first)
        #expect(one.text != first)
        #expect(one.text == ContentHash(of: content(1) + [1, 2, 3]).text)
    }

    @Test("A file is hashed piece by piece; one that is not there is named")
    func file() async throws {
        let folder = try TemporaryFolder()
        let (size, text) = Self.known[4]
        try Data(content(size)).write(to: URL(filePath: folder.path("a")))
        #expect(try await ContentHash.ofFile(at: folder.path("a")).text == text)
        do throws(RestError) {
            _ = try await ContentHash.ofFile(at: folder.path("b"))
            Issue.record("there is no such file")
        } catch {
            #expect(error.code == .file)
            #expect(error.message.contains(folder.path("b")))
        }
    }
}
