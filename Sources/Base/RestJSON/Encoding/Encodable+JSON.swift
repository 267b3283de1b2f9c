// SPDX-License-Identifier: Apache-2.0

extension Encodable {
    /// The value as a JSON text: valid UTF-8, integers exact, doubles in the shortest form that reads back as the same.
    ///
    /// Members are written in the order in which the type encodes them.
    ///
    /// - Parameter options: Key strategy, rules for single types, layout and `userInfo`.
    /// - Returns: The text in UTF-8.
    /// - Throws: `JSONEncodingError` with the path to the value that cannot be written.
    public func json(options: JSONEncodingOptions = .init()) throws(JSONEncodingError) -> [UInt8] {
        let fragment = JSONFragment(shared: .init(options: options), path: [])
        do {
            try JSONValueEncoder(fragment: fragment, id: fragment.frame.id).encode(self)
        } catch {
            throw JSONEncodingError(error)
        }
        let bytes = fragment.finish()
        guard options.pretty || options.sortedKeys else { return bytes }
        return try JSONValue(written: bytes).bytes(pretty: options.pretty, sortedKeys: options.sortedKeys)
    }
}

extension JSONValue {
    /// Makes the JSON value of an `Encodable` one.
    ///
    /// - Throws: `JSONEncodingError` with the path to the value that cannot be written.
    public init(encoding value: some Encodable, options: JSONEncodingOptions = .init()) throws(JSONEncodingError) {
        var compact = options
        (compact.pretty, compact.sortedKeys) = (false, false)
        try self.init(written: try value.json(options: compact))
    }

    /// Parses a text of this module's own making, which can only be refused for its length.
    fileprivate init(written bytes: [UInt8]) throws(JSONEncodingError) {
        do throws(JSONError) {
            try self.init(parsing: bytes, limits: .unlimitedDepth)
        } catch {
            throw JSONEncodingError(
                reason: .invalidValue, codingPath: [], message: "the text is too long", underlying: error)
        }
    }
}
