// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// A child query on its own, for the pages of a list of children beyond the first.
package struct ChildQuery: Sendable {
    /// The key prefix of the parent's object.
    let parentPrefix: String
    /// ` WHERE … = `; the parent's id follows.
    let link: SQLFragment
    /// The query, its filter being ` AND …` or nothing.
    let query: CompiledQuery

    /// The query for the children of one parent.
    func query(ofParent number: Int64) -> CompiledQuery {
        var result = query
        let id = SQLValue.text(RecordID.make(prefix: parentPrefix, number: number))
        result.filter = "\(link)\(id)\(query.filter)"
        return result
    }
}

/// The child queries of one query, and the locators of their lists.
///
/// A locator is 18 characters: ten of the query, a letter for the child query, and the parent's number as in its id.
/// The database writes it into its JSON, so that a list inside a list can be paged as well.
package struct ChildQueries: Sendable {
    /// A list that goes on beyond the page it is in.
    package struct List: Sendable {
        /// The locator of its further pages.
        package let locator: String
        /// The query for all of it.
        package let query: CompiledQuery
    }

    private let locator: [UInt8]
    private var queries: [UInt8: ChildQuery] = [:]

    init(locator: String) {
        self.locator = Array(locator.utf8)
    }

    package var isEmpty: Bool { queries.isEmpty || locator.isEmpty }

    mutating func add(_ query: ChildQuery, number: Int) { queries[Self.letter(number)] = query }

    /// The locator up to the parent's number.
    func prefix(of number: Int) -> String { String(decoding: locator + [Self.letter(number)], as: UTF8.self) }

    private static func letter(_ number: Int) -> UInt8 { UInt8(ascii: "A") + UInt8(clamping: number) }

    /// The lists in a rendered page that go on.
    ///
    /// They are found by the query's part of the locator, which nobody could have written into a record.
    package func unfinishedLists(in page: [UInt8]) -> [List] {
        guard !isEmpty else { return [] }
        var lists: [List] = []
        var index = 0
        while index + locator.count + 8 <= page.count {
            guard page[index] == locator[0], page[index...].starts(with: locator) else {
                index += 1
                continue
            }
            let end = index + locator.count + 8
            if let list = list(page[index..<end]) { lists.append(list) }
            index = end
        }
        return lists
    }

    private func list(_ text: ArraySlice<UInt8>) -> List? {
        guard let child = queries[text[text.startIndex + locator.count]],
            let number = RecordID.number(of: text.suffix(7))
        else { return nil }
        var query = child.query(ofParent: number)
        query.children = self
        return List(locator: String(decoding: text, as: UTF8.self), query: query)
    }
}
