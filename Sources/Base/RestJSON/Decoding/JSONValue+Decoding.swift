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
