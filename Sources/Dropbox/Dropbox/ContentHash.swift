// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestSDK
import RestTransport

/// Dropbox's hash of a content: SHA-256 of the SHA-256s of its blocks of 4 MiB.
///
/// The bytes may come in pieces of any size. It is a value: a copy goes on by itself, so that a transfer can keep where
/// it stood.
///
/// ```swift
/// var hash = ContentHash()
/// for piece in pieces { hash.update(piece) }
/// let isSame = hash.text == file.contentHash
/// ```
public struct ContentHash: Sendable {
    /// The size of a block, in bytes; the last one may have fewer.
    public static let blockSize = 4 * 1024 * 1024

    /// How many bytes it has seen.
    public private(set) var count: Int64 = 0
    private var blocks = RunningSHA256()
    private var block = RunningSHA256()
    private var isWhole = true

    /// Begins with no bytes.
    public init() {}

    /// The hash of bytes in memory.
    public init(of bytes: [UInt8]) {
        update(bytes)
    }

    /// Goes on with more bytes.
    public mutating func update(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.blockSize - Int(count % Int64(Self.blockSize)))
            block.update(piece)
            count += Int64(piece.count)
            if count.isMultiple(of: Int64(Self.blockSize)) { endBlock() }
            rest = rest.dropFirst(piece.count)
        }
    }

    /// The hash of all bytes so far as Dropbox writes it: 64 hexadecimal digits in lower case.
    ///
    /// `nil` when the system makes no digests.
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

    /// The digest of one block.
    static func digest(_ block: ArraySlice<UInt8>) -> [UInt8]? {
        var digest = RunningSHA256()
        digest.update(block)
        return digest.digest
    }

    /// The hash of a content, of the digests of its blocks; `nil` when one is missing.
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
    /// The hash of a file's content, read piece by piece.
    ///
    /// - Parameter path: where the file is.
    /// - Returns: the hash of all of it.
    /// - Throws: `RestError.Code.file` when it cannot be read, `.bodyChanged` when it changes meanwhile, `.cancelled`
    ///   when the task is cancelled.
    @concurrent
    public static func ofFile(at path: String) async throws(RestError) -> ContentHash {
        var hash = ContentHash()
        do throws(TransportError) {
            let file = try FileSource(HTTPBody.File(path: path))
            while let piece = try file.next() {
                guard !Task.isCancelled else { throw TransportError(.cancelled, "", mayHaveReachedServer: false) }
                hash.update(piece)
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
