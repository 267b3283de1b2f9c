// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestSDK
import RestTransport

/// Dropbox's content hash: the SHA-256 of the SHA-256 digests of the content's 4 MiB blocks.
///
/// The bytes may be added in chunks of any size. A copy is independent, so a transfer can keep an earlier state.
///
/// ```swift
/// var hash = ContentHash()
/// for piece in pieces { hash.update(piece) }
/// let isSame = hash.text == file.contentHash
/// ```
public struct ContentHash: Sendable {
    /// The size of a block in bytes, except for the last one.
    public static let blockSize = 4 * 1024 * 1024

    /// The number of bytes that were added.
    public private(set) var count: Int64 = 0
    private var blocks = RunningSHA256()
    private var block = RunningSHA256()
    private var isWhole = true

    /// Makes the hash of an empty content.
    public init() {}

    /// Makes the hash of bytes in memory.
    public init(of bytes: [UInt8]) {
        update(bytes)
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Self.blockSize - Int(count % Int64(Self.blockSize)))
            block.update(chunk)
            count += Int64(chunk.count)
            if count.isMultiple(of: Int64(Self.blockSize)) { endBlock() }
            rest = rest.dropFirst(chunk.count)
        }
    }

    /// The hash of all bytes so far, as 64 lowercase hexadecimal digits, or `nil` if the system cannot compute SHA-256.
    public var text: String? {
        var whole = self
        if !count.isMultiple(of: Int64(Self.blockSize)) { whole.endBlock() }
        guard whole.isWhole, let digest = whole.blocks.digest else { return nil }
        return String(decoding: Hexadecimal.encode(digest), as: UTF8.self)
    }

    private mutating func endBlock() {
        if let digest = block.digest { blocks.update(digest[...]) } else { isWhole = false }
        block = RunningSHA256()
    }

    static func digest(_ block: ArraySlice<UInt8>) -> [UInt8]? {
        var digest = RunningSHA256()
        digest.update(block)
        return digest.digest
    }

    /// The hash of a content whose blocks have these digests, or `nil` if a digest is missing.
    static func text(of digests: [[UInt8]?]) -> String? {
        var blocks = RunningSHA256()
        for digest in digests {
            guard let digest else { return nil }
            blocks.update(digest[...])
        }
        return blocks.digest.map { String(decoding: Hexadecimal.encode($0), as: UTF8.self) }
    }
}

extension ContentHash {
    /// Returns the hash of a file's content.
    ///
    /// - Parameter path: the path of the file.
    /// - Returns: the hash.
    /// - Throws: `RestError.Code.file` if the file cannot be read, `.bodyChanged` if it changes meanwhile, `.cancelled`
    ///   if the task is cancelled.
    @concurrent
    public static func ofFile(at path: String) async throws(RestError) -> ContentHash {
        var hash = ContentHash()
        do throws(TransportError) {
            let file = try FileSource(HTTPBody.File(path: path))
            while let chunk = try file.next() {
                guard !Task.isCancelled else { throw TransportError(.cancelled, "", mayHaveReachedServer: false) }
                hash.update(chunk)
            }
        } catch {
            switch error.code {
            case .cancelled: throw RestError(.cancelled, "cancelled while \(path) was hashed")
            case .bodyChanged: throw RestError(.bodyChanged, "\(path) changed while it was hashed", underlying: error)
            default: throw RestError(.file, "\(path) cannot be read", underlying: error)
            }
        }
        return hash
    }
}
