// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Reads the value as a `Decodable` type.
    ///
    /// - Parameters:
    ///   - type: The type to make.
    ///   - options: Key strategy, rules for single types and `userInfo`.
    /// - Returns: The value of that type.
    /// - Throws: `JSONDecodingError` with the path to the fault.
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

    /// The document and tape index of the value.
    ///
    /// A value made in memory is written and parsed: one path for both.
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
    /// Parses a text and reads its value as this type.
    ///
    /// - Throws: `JSONError` for a text that is no JSON, `JSONDecodingError` for one that does not fit.
    public init(json bytes: [UInt8], options: JSONDecodingOptions = .init()) throws {
        self = try JSONValue(parsing: bytes).decode(Self.self, options: options)
    }
}

/// Reads one value after another of the same page as values of a type, as records are handed out one at a time.
///
/// What is found out about the names of one is known of the next.
package struct JSONRowDecoder {
    private let options: JSONDecodingOptions
    private var context: JSONDecodingContext?

    /// Makes a decoder.
    package init(options: JSONDecodingOptions) {
        self.options = options
    }

    /// Reads a value as a `Decodable` type.
    ///
    /// - Throws: `JSONDecodingError` with the path to the fault.
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

/// Where the decoding of a long array can be ended from outside.
///
/// A short one is done before anybody could want it ended, and never asks.
enum JSONInterruption {
    /// The tape entries from which an array is a long one.
    static let minimumEntries = 1 << 11
    /// How many elements of a long array are decoded between two questions; a power of two.
    static let elementsBetween = 64

    /// Ends the decoding of a long array when its task is cancelled.
    @inline(__always)
    static func check(before element: Int) throws {
        if element.isMultiple(of: elementsBetween), Task.isCancelled { throw ended }
    }

    private static var ended: JSONDecodingError {
        JSONDecodingError(reason: .interrupted, codingPath: [], message: "the value is not wanted any more")
    }
}
