// SPDX-License-Identifier: Apache-2.0

/// What can stand at a place of a statement.
enum QueryPlace: Equatable {
    /// What a field is wanted for; not every field can be used for everything.
    enum Use: Equatable {
        case selecting, filtering, grouping, ordering
        /// An argument of the function of this name.
        case argument(String)
    }

    /// Nothing that could be named.
    case nothing
    /// The beginning of a statement.
    case statement
    /// One of these words.
    case keywords([String])
    case field(Use)
    case object
    /// A relationship to the children of the query of this number.
    case children(of: Int)
    /// A value that the field is compared with, outside of quotes.
    case value(of: String)
    /// The same inside of quotes.
    case text(of: String)
    /// The name of a variable.
    case variable
    /// A relationship that leads to parents of several objects.
    case parents
    /// One of the objects that such a relationship leads to.
    case parent(by: String)
    /// A field of this object.
    case fieldOf(String)

    /// The place at a byte of a text.
    ///
    /// - Returns: the place; the number of the query that it is in; and the bytes before the cursor that are a part of
    ///   what is looked for.
    static func at(
        _ cursor: Int, words: [QueryWord], scopes: (scopes: [QueryScope], starts: [Int: Int])
    ) -> (place: QueryPlace, scope: Int?, typed: Range<Int>) {
        var walk = QueryWalk(starts: scopes.starts, scopes: scopes.scopes)
        for (index, word) in words.enumerated() {
            if word.range.lowerBound >= cursor { break }
            let isInside = cursor < word.range.upperBound
            switch word.kind {
            case .comment(let isClosed) where isInside || !isClosed:
                return (.nothing, walk.scope, cursor..<cursor)
            case .string(let isClosed) where isInside || !isClosed:
                return (walk.placeInQuotes, walk.scope, (word.range.lowerBound + 1)..<cursor)
            case .name where isInside || cursor == word.range.upperBound:
                return (walk.place, walk.scope, word.range.lowerBound..<cursor)
            case .number where isInside || cursor == word.range.upperBound:
                return (.nothing, walk.scope, cursor..<cursor)
            default: walk.take(word, index, next: words[(index + 1)...].first)
            }
        }
        return (walk.place, walk.scope, cursor..<cursor)
    }
}
