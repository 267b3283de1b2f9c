// SPDX-License-Identifier: Apache-2.0

extension JSONDecodingContext {
    /// Reads an array as a list, if that is what the type is; `nil` for any other type.
    @inline(__always)
    func list<T>(_ type: T.Type, at index: Int) throws -> T? {
        guard let type = type as? any JSONList.Type else { return nil }
        return try type.init(elementsOf: index, in: self) as? T
    }

    /// Whether the decoding of an array ends early when the task is cancelled: a long one whose caller wants that.
    func heedsCancellation(inArrayAt index: Int) -> Bool {
        options.heedsCancellation && document.tape[index].position - index >= JSONInterruption.minimumEntries
    }
}

/// A list whose elements are read into their place.
///
/// The standard library reads them through a container, copies each one, and finds the room for them by and by.
private protocol JSONList {
    init(elementsOf index: Int, in context: JSONDecodingContext) throws
}

extension Array: JSONList where Element: Decodable {
    fileprivate init(elementsOf index: Int, in context: JSONDecodingContext) throws {
        let count = context.document.count(of: context.entry(index), at: index)
        let heedsCancellation = context.heedsCancellation(inArrayAt: index)
        // Unsafe by need: nothing else builds elements in place. Safe because `filled` elements are built and counted,
        // and there are no more of them than there is room for.
        self = try unsafe Array(unsafeUninitializedCapacity: count) { room, filled in
            var element = index + 1
            while filled < count {
                if heedsCancellation { try JSONInterruption.check(before: filled) }
                unsafe room.initializeElement(at: filled, to: try context.decode(Element.self, at: element))
                filled += 1
                element = context.index(after: element)
            }
        }
    }
}
