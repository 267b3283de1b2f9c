// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestSDK
import RestTransport

/// Dropbox's content hash: the SHA-256 of the SHA-256 digests of all 4 MiB blocks.
///
/// You can pass the bytes in chunks of any size. Copies of the value are independent, so that a transfer can save an
/// intermediate hash.
///
/// ```swift
/// var hash = ContentHash()
/// for piece in pieces { hash.update(piece) }
/// let isSame = hash.text == file.contentHash
/// ```
public struct ContentHash: Sendable {
    /// The size of a block, in bytes (the last block can be smaller).
    public static let blockSize = 4 * 1024 * 1024

    /// The number of bytes hashed so far.
    public private(set) var count: Int64 = 0
    private var blocks = RunningSHA256()
    private var block = RunningSHA256()
    private var isWhole = true

    /// Creates the hash of no bytes.
    public init() {}

    /// Creates the hash of bytes in memory.
    public init(of bytes: [UInt8]) {
        update(bytes)
    }

    /// Adds bytes to the hash.
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

    /// The hash of all bytes so far in Dropbox's format: 64 lowercase hexadecimal digits.
    ///
    /// `nil` if the operating system has no SHA-256.
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
    /// Returns the hash of a file, which is read in chunks.
    ///
    /// - Parameter path: the file's path.
    /// - Returns: the hash of the whole file.
    /// - Throws: `RestError.Code.file` if the file cannot be read, `.bodyChanged` if it changes while it is read,
    ///   `.cancelled` if the task is cancelled.
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
