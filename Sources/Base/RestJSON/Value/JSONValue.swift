// SPDX-License-Identifier: Apache-2.0

/// Any JSON value: built from literals, or a view over parsed bytes that decodes what it is asked for.
///
/// ```swift
/// let page = try JSONValue(parsing: bytes)
/// page["records"]?[0]?["Name"]?.string
/// let body: JSONValue = ["Name": "Ada", "Active": true, "Score": 12.5, "Manager": nil]
/// ```
public struct JSONValue: Sendable {
    /// The six kinds of values of RFC 8259 §3, with both booleans as one.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool
        /// A number of any size and precision.
        case number
        /// A string.
        case string
        /// A list of values.
        case array
        /// A list of named values.
        case object
    }

    /// What the value is made of.
    @usableFromInline
    enum Storage: Sendable {
        /// The value at a tape index of a document.
        case view(JSONDocument, UInt32)
        case null
        case bool(Bool)
        case integer(Int)
        /// A number by its text, which is valid.
        case number(String)
        case string(String)
        case array([JSONValue])
        case object(JSONMembers)
    }

    @usableFromInline let storage: Storage

    init(storage: Storage) {
        self.storage = storage
    }

    /// A view of the value at a tape index.
    ///
    /// Tapes have fewer than 2³² entries, as texts have fewer bytes.
    @inlinable @inline(__always)
    init(_ document: JSONDocument, at index: Int) {
        storage = .view(document, UInt32(truncatingIfNeeded: index))
    }

    /// Parses a text by RFC 8259, strictly.
    ///
    /// - Throws: `JSONError` with the place of the first fault.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, limits: limits).root
    }

    /// Parses a text that is already a string.
    ///
    /// - Throws: `JSONError` with the place of the first fault.
    public init(parsing text: String, limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONDocument(parsing: text, limits: limits).root
    }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - pool: lends the document its memory beside the bytes, until its last value is gone.
    /// - Throws: `JSONError` with the place of the first fault.
    package init(parsing bytes: [UInt8], from pool: JSONTapePool?) throws(JSONError) {
        self = try JSONDocument(parsing: bytes, from: pool).root
    }
}

extension JSONValue {
    /// The value `null`.
    public static let null = JSONValue(storage: .null)

    /// Makes a string.
    public init(_ value: String) { storage = .string(value) }

    /// Makes a number from an integer.
    public init(_ value: Int) { storage = .integer(value) }

    /// Makes a number from an integer of any size.
    public init(_ value: some BinaryInteger) {
        storage = Int(exactly: value).map { .integer($0) } ?? .number(String(value))
    }

    /// Makes a number that reads back as the same double, or nil for NaN and the infinities, which JSON cannot write.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .number(value.description)
    }

    /// Makes `true` or `false`.
    public init(_ value: Bool) { storage = .bool(value) }

    /// Makes an object.
    public init(_ value: JSONObject) {
        switch value.storage {
        case .view(let document, let index): self.init(document, at: index)
        case .owned(let members): self.init(storage: .object(members))
        }
    }

    /// Makes an array.
    public init(_ value: JSONArray) {
        switch value.storage {
        case .view(let document, let index, _): self.init(document, at: index)
        case .owned(let elements): self.init(storage: .array(elements))
        }
    }

    /// Makes a number from its text, every digit of which is kept; nil when RFC 8259 §6 does not allow the text.
    public init?(numberText: String) {
        guard JSONNumber.isValid(numberText) else { return nil }
        storage = .number(numberText)
    }
}
