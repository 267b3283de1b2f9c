// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLCheck
import SOQLSyntax

/// The columns of a result in SELECT order, derived from the query without another request.
struct Columns {
    /// A column with the path of its value in a record, and the columns of its children if it is a child list.
    struct Column {
        let title: String
        let path: [String]
        /// `nil` unless the value is a list of children.
        let children: [Column]?
        /// Whether the value names a group, while the other columns of a group are results of functions.
        var isGroup = false
        /// The date function of the column, if any.
        var date: DateFunction?
    }

    private let all: [Column]
    private var spelling = NameSpelling()
    /// The shape of the last record whose names were searched.
    private var shape: JSONShape?
    /// Whether each column is a field of the record itself, not of a parent.
    private var isOwn: [Bool] = []
    /// The number of shapes that can still be learned, limited to save time for results without a common shape.
    private var shapesLeft = 16
    /// Whether the query is `SELECT COUNT()`, whose result is a number without records.
    let isCount: Bool
    /// Whether the rows are groups of records.
    private(set) var isGrouped = false
    /// The style in which lists of children are shown.
    var children = ChildStyle.rows {
        didSet { columns = children == .skip ? all.filter { $0.children == nil } : all }
    }
    private(set) var columns: [Column]

    /// Reads the columns from the query, or from the first record if the query does not determine them.
    init(query: String, sample: JSONValue?) {
        let parsed = try? SOQLQuery(parsing: query)
        isCount = parsed?.isCount ?? false
        if let parsed, !parsed.hasOpenColumns {
            isGrouped = parsed.isAggregate
            all = isCount ? [Self.count] : isGrouped ? Self.groups(of: parsed) : parsed.columns.map(Column.init)
        } else {
            all = sample.map(Column.columns(of:)) ?? []
        }
        columns = all
    }

    init(names: [String]) {
        all = names.map { Column(title: $0, path: [$0], children: nil) }
        columns = all
        isCount = false
    }

    private static func groups(of query: SOQLQuery) -> [Column] {
        zip(query.columns, query.select).map { column, item in
            var result = Column(column)
            result.isGroup = !column.isAggregate
            guard case .field(.call(let call), _) = item else { return result }
            result.date = DateFunction(rawValue: call.function.uppercased())
            return result
        }
    }

    private static let count = Column(title: "COUNT()", path: ["COUNT()"], children: nil)

    /// The row of a result that is only a number.
    static func countRow(_ number: Int) -> JSONValue { [count.title: JSONValue(number)] }

    /// Whether a record can take several rows.
    var hasChildRows: Bool { children == .rows && all.contains { $0.children?.isEmpty == false } }

    /// The heading of a cell: its name, and the list of children that contains it, if any.
    struct Heading {
        let list: String?
        let name: String
        var text: String { (list.map { "\($0).\(name)" } ?? name).singleLine }
    }

    /// The headings, one for each cell of a row.
    var headings: [Heading] {
        columns.flatMap { column in
            column.rowChildren(children)?.map { Heading(list: column.title, name: $0.title) }
                ?? [Heading(list: nil, name: column.title)]
        }
    }

    var titles: [String] { headings.map(\.text) }

    /// Calls a function with the value of each column of a record, for columns without separate child rows.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - plain: Receives the raw bytes of simple values if that is faster, or returns false to get the value in
    ///     `body`.
    ///   - body: Receives all other values.
    mutating func forEachValue(
        of record: JSONValue, plain: (Int, UnsafeRawBufferPointer) -> Bool = { _, _ in false },
        _ body: (Int, JSONValue?) -> Void
    ) {
        spelling.beginRecord()
        var known = shape.take()
        defer { shape = known }
        let isKnown = known?.forEachPlace(of: record) { index, document, place in
            // A parent's field is below this value.
            guard isOwn[index] else { return body(index, spelling.value(at: columns[index].path, of: record)) }
            if unsafe document.withPlainBytes(at: place, { unsafe plain(index, $0) }) != true {
                body(index, document.value(at: place))
            }
        }
        guard isKnown != true else { return }
        for (index, column) in columns.enumerated() { body(index, spelling.value(at: column.path, of: record)) }
        guard shapesLeft > 0 else { return }
        shapesLeft -= 1
        known = shape(of: record)
        isOwn = columns.map { $0.path.count == 1 }
    }

    /// The shape of a record, or `nil` if a column is missing or two names differ only in case.
    private func shape(of record: JSONValue) -> JSONShape? {
        guard let names = record.object?.map(\.key) else { return nil }
        let folded = names.map { $0.lowercased() }
        let places = columns.compactMap { column in folded.firstIndex(of: column.path[0].lowercased()) }
        guard Set(folded).count == folded.count, places.count == columns.count else { return nil }
        return JSONShape(names: names, wanted: places)
    }

    /// The rows of a record: as many as the longest list of children, but at least one.
    ///
    /// The record's own fields appear only in the first row, unless they are repeated in each row.
    mutating func rows(of record: JSONValue, repeatsParent: Bool = false) -> [[Cell]] {
        let columns = columns
        var values: [JSONValue?] = []
        values.reserveCapacity(columns.count)  // bounded: by the query
        unsafe forEachValue(of: record) { values.append($1) }
        guard hasChildRows else { return [values.map(Cell.init)] }
        let lists = zip(columns, values).map { $0.rowChildren(children) == nil ? nil : $1?.childRecords }
        let height = max(1, lists.reduce(0) { max($0, $1?.count ?? 0) })
        return (0..<height).map { row in
            spelling.beginRecord()
            return columns.indices.flatMap { index -> [Cell] in
                guard let below = columns[index].rowChildren(children) else {
                    return [row == 0 || repeatsParent ? Cell(values[index]) : .blank]
                }
                guard let list = lists[index], row < list.count else { return below.map { _ in .blank } }
                return below.map { Cell(spelling.value(at: $0.path, of: list[row], under: columns[index].title)) }
            }
        }
    }
}

extension Columns.Column {
    fileprivate init(_ column: SOQLColumn) {
        self.init(title: column.name, path: column.path, children: column.children?.map(Self.init))
    }

    fileprivate func rowChildren(_ style: ChildStyle) -> [Columns.Column]? {
        style == .rows && children?.isEmpty == false ? children : nil
    }

    fileprivate static func columns(of record: JSONValue) -> [Columns.Column] {
        record.object?.filter { $0.key != "attributes" }.map { name, value in
            let children = value.childRecords.map { $0.first.map(columns(of:)) ?? [] }
            return Columns.Column(title: name, path: [name], children: children)
        } ?? []
    }
}

/// Finds values by name without regard to case, as in Salesforce.
///
/// Spellings found in one record are reused for the next records, and each object is searched at most once per record,
/// so the time is linear in the number of columns.
struct NameSpelling {
    /// The spelling of names in responses, by the path of the object and the name in lower case.
    private var known: [String: [String: String]] = [:]
    /// The paths of the objects that were searched in the current record.
    private var searched: Set<String> = []

    /// Starts another record, whose objects have not been searched.
    mutating func beginRecord() {
        if !searched.isEmpty { searched.removeAll(keepingCapacity: true) }
    }

    /// The value at a path in a record, whose name within its parent is `place`, or `nil` if a parent is null.
    mutating func value(at path: [String], of record: JSONValue, under place: String = "") -> JSONValue? {
        var value = record
        for index in path.indices {
            guard let next = value[path[index]] ?? other(path[...index], in: value, under: place) else { return nil }
            value = next
        }
        return value
    }

    /// The value whose name differs from the last name of the path only in case.
    private mutating func other(_ path: ArraySlice<String>, in value: JSONValue, under place: String) -> JSONValue? {
        guard let object = value.object, let folded = path.last?.lowercased() else { return nil }
        let place = path.dropLast().reduce(place) { "\($0).\($1.lowercased())" }
        if let spelled = known[place]?[folded], let value = object[spelled] { return value }
        guard searched.insert(place).inserted else { return nil }
        for member in object { known[place, default: [:]][member.key.lowercased()] = member.key }
        return known[place]?[folded].flatMap { object[$0] }
    }
}

/// A cell of a row: a string without control characters, and its kind.
struct Cell: Equatable {
    enum Kind {
        case text, number, null
        /// An empty cell next to a further child of the same parent.
        case blank
    }

    let text: String
    let kind: Kind

    static let null = Cell(text: "", kind: .null)
    static let blank = Cell(text: "", kind: .blank)

    init(text: String, kind: Kind) { (self.text, self.kind) = (text, kind) }

    init(_ value: JSONValue?) {
        guard let value, let text = value.cellText else {
            self = .null
            return
        }
        self.init(text: text, kind: value.kind == .number ? .number : .text)
    }

    /// The displayed string, with quotes if it equals the mark for null, so that both can be distinguished.
    func shown(null: String) -> String {
        switch kind {
        case .null: null
        case .blank: ""
        case .number: text
        case .text: !null.isEmpty && text.trimmingQuotes == null ? "\"\(text)\"" : text
        }
    }
}

extension String {
    /// The string without any quotes around it.
    fileprivate var trimmingQuotes: Substring {
        guard utf8.first == UInt8(ascii: "\"") else { return self[...] }
        let start = drop(anyOf: "\"").utf8
        let last = start.lastIndex { $0 != UInt8(ascii: "\"") }
        return Substring(start[..<(last.map(start.index(after:)) ?? start.startIndex)])
    }
}

extension JSONValue {
    /// The value as the string of a cell: strings unchanged, everything else as JSON without `attributes`.
    var cellText: String? {
        if isNull { return nil }
        if let string { return string }
        if let number = numberText { return number }
        return (childRecords.map { JSONValue($0) } ?? self).withoutAttributes.description
    }

    var childRecords: JSONArray? { self["records"]?.array }

    /// The value without the `attributes` member that Salesforce adds.
    private var withoutAttributes: JSONValue { rewriting { $0 == "attributes" ? .none : $1 } }

    /// A copy with members at every depth that `change` replaces or omits, and with other values that `leaf` replaces.
    func rewriting(
        _ change: (String, JSONValue) -> JSONValue?, leaf: (JSONValue) -> JSONValue = { $0 }
    ) -> JSONValue {
        if let array { return JSONValue(JSONArray(array.map { $0.rewriting(change, leaf: leaf) })) }
        guard let object else { return leaf(self) }
        let members = object.compactMap { name, value in
            change(name, value).map { (key: name, value: $0.rewriting(change, leaf: leaf)) }
        }
        return JSONValue(JSONObject(members: members))
    }

    /// The record without its lists of children.
    var withoutChildren: JSONValue {
        guard let object, object.contains(where: { $0.value.childRecords != nil }) else { return self }
        return JSONValue(JSONObject(members: object.filter { $0.value.childRecords == nil }))
    }
}
