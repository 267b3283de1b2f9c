// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Decodes the value as a `Decodable` type.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - options: Key strategy, rules for single types and `userInfo`.
    /// - Returns: The decoded value.
    /// - Throws: `JSONDecodingError` with the coding path of the error.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, options: JSONDecodingOptions = .init()
    ) throws(JSONDecodingError) -> T {
        let (document, index) = try viewed()
        let context = JSONDecodingContext(document: document, root: index, options: options)
        do {
            return try context.decode(type, asRoot: index)
        } catch {
            throw JSONDecodingError(error)
        }
    }

    /// The document and tape index of the value, which is serialized and parsed if it was created in memory.
    func viewed() throws(JSONDecodingError) -> (JSONDocument, Int) {
        if case .view(let document, let index) = storage { return (document, Int(index)) }
        do throws(JSONError) {
            return (try JSONDocument(parsing: bytes(), limits: .unlimitedDepth), JSONDocument.rootIndex)
        } catch {
            throw JSONDecodingError(
                reason: .dataCorrupted, codingPath: [], message: "the value is too large", underlying: error)
        }
    }
}

extension Decodable {
    /// Parses JSON text and decodes its value as this type.
    ///
    /// - Throws: `JSONError` if the text is not valid JSON, `JSONDecodingError` if the value does not fit the type.
    public init(json bytes: [UInt8], options: JSONDecodingOptions = .init()) throws {
        self = try JSONValue(parsing: bytes).decode(Self.self, options: options)
    }
}

/// Decodes the values of a page one at a time, sharing lookup plans between all values of a document.
package struct JSONRowDecoder {
    private let options: JSONDecodingOptions
    private var context: JSONDecodingContext?

    package init(options: JSONDecodingOptions) { self.options = options }

    /// Decodes a value as a `Decodable` type.
    ///
    /// - Throws: `JSONDecodingError` with the coding path of the error.
    package mutating func decode<T: Decodable>(
        _ type: T.Type, from value: JSONValue
    ) throws(JSONDecodingError) -> T {
        let (document, index) = try value.viewed()
        let context =
            if let last = self.context, last.document === document {
                last
            } else {
                JSONDecodingContext(document: document, root: index, options: options, isRepeated: true)
            }
        self.context = context
        do {
            return try context.decode(type, asRoot: index)
        } catch {
            throw JSONDecodingError(error)
        }
    }
}

/// The cancellation check during the decoding of a long array.
enum JSONInterruption {
    /// The minimum number of tape entries of a long array.
    static let minimumEntries = 1 << 11
    /// The number of elements between two checks, a power of two.
    static let elementsBetween = 64

    /// Throws if the current task is cancelled and a check is due before this element.
    @inline(__always)
    static func check(before element: Int) throws {
        if element.isMultiple(of: elementsBetween), Task.isCancelled { throw ended }
    }

    private static var ended: JSONDecodingError {
        JSONDecodingError(reason: .interrupted, codingPath: [], message: "the reading was cancelled")
    }
}
