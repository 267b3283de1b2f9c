// SPDX-License-Identifier: Apache-2.0

/// Where the wanted members are in objects whose names are those of an object seen before, in the same order, as those
/// of the records of a page are.
///
/// That the names are the same is one comparison for each of them, after which every member is known by its place.
package struct JSONShape: Sendable {
    private let names: JSONNames
    /// The number of each wanted member among the names.
    private let wanted: [Int]
    /// The place of each member's value in the object at hand.
    private var places: [Int]

    /// Makes the shape of objects; `nil` for no names, for one that stands twice, and when a wanted number has no name.
    ///
    /// - Parameters:
    ///   - names: all names of such an object in their order, without escapes.
    ///   - wanted: the number of each wanted member among them.
    package init?(names: [String], wanted: [Int]) {
        guard !names.isEmpty, Set(names).count == names.count, wanted.allSatisfy(names.indices.contains) else {
            return nil
        }
        (self.names, self.wanted) = (JSONNames(names), wanted)
        places = Array(repeating: 0, count: names.count)
    }

    /// Calls a function with each wanted value, by its number and its place in the document, if an object has the names
    /// of this shape.
    ///
    /// - Returns: whether it has; otherwise nothing was called.
    @inline(__always)
    package mutating func forEachPlace(
        of object: JSONValue, _ body: (_ number: Int, _ document: JSONDocument, _ place: Int) -> Void
    ) -> Bool {
        guard case .view(let document, let index) = object.storage, finds(in: document, at: Int(index)) else {
            return false
        }
        for number in wanted.indices { body(number, document, places[wanted[number]]) }
        return true
    }

    private mutating func finds(in document: JSONDocument, at index: Int) -> Bool {
        let object = document.tape[index]
        guard object.has(.object), object.length == places.count else { return false }
        return document.withSource { text in
            var member = index &+ 1
            for number in places.indices {
                guard names.number(of: document.tape[member], in: text, guess: number) == number else { return false }
                places[number] = member &+ 1
                member = document.index(after: member &+ 1)
            }
            return true
        }
    }
}
