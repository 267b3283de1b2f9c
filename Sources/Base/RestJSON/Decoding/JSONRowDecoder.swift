// SPDX-License-Identifier: Apache-2.0

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
