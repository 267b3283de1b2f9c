// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A parsed text: the bytes as they came, and beside them a tape with one entry for each value and name.
///
/// Nothing is decoded until it is asked for. All values read from a document share it and keep it alive; a value that
/// shall outlive a large document can be made independent with `JSONValue.detached()`.
public final class JSONDocument: Sendable {
    /// The text.
    public let bytes: [UInt8]
    /// The entries; a tape that was filled before may go on behind those of this text, where no index leads.
    let tape: [TapeEntry]
    /// Where the tape goes with the document.
    private let pool: JSONTapePool?

    /// What earlier lookups have found out, see `JSONDocument+Lookup.swift`.
    let hints = JSONLookupHints()
    /// The indices of wide objects by tape index, each made once.
    let wideIndices = Mutex<[Int: JSONWideIndex]>([:])

    /// Parses a text by RFC 8259, strictly: one value, well-formed UTF-8, nothing after it.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8 without a byte-order mark.
    ///   - limits: The deepest nesting and longest text to accept.
    /// - Throws: `JSONError` with the place of the first fault.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
        tape = try JSONParser.tape(of: bytes, limits: limits)
        self.bytes = bytes
        pool = nil
    }

    /// Parses a text on a tape of a pool.
    init(parsing bytes: [UInt8], from pool: JSONTapePool?) throws(JSONError) {
        tape = try JSONParser.tape(of: bytes, limits: .default, from: pool)
        self.bytes = bytes
        self.pool = pool
    }

    /// Joins bytes and the tape that the parser has made of them.
    init(bytes: [UInt8], tape: [TapeEntry]) {
        self.bytes = bytes
        self.tape = tape
        pool = nil
    }

    deinit {
        pool?.giveBack(tape)
    }

    /// Parses a text that is already a string.
    public convenience init(parsing text: String, limits: JSONLimits = .default) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// The value of the whole text.
    public var root: JSONValue { JSONValue(self, at: JSONDocument.rootIndex) }

    /// The tape index of the root; entry 0 stands for the text itself.
    static let rootIndex = 1
}
