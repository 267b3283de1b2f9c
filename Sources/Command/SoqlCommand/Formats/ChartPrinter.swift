// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLCheck

/// Draws each column of numbers as bars, or as a line if the other columns are a time.
///
/// The scale depends on all rows, so only the first rows are held and drawn.
struct ChartPrinter: RowPrinter {
    /// The maximum number of rows, which is also that of a page of groups.
    static let mostRows = 2_000

    private var head: ResultHead
    private let style: PrintStyle
    private let null: String
    private var rows: [[Cell]] = []
    private var count = 0
    private var undated = 0

    init(head: ResultHead, style: PrintStyle = PrintStyle()) {
        (self.head, self.style) = (head, style)
        self.head.columns.children = .skip
        null = (style.options[.nullText] ?? "null").singleLine
    }

    var remark: String? {
        let remarks = [
            count > rows.count ? "only the first \(rows.count) of \(count) rows are drawn" : nil,
            undated > 0 ? "\(counted(undated, "row")) without a date not drawn" : nil,
        ].compactMap(\.self)
        return remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {}

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        count += 1
        if count <= Self.mostRows { rows += head.columns.rows(of: record) }
    }

    mutating func end(isDone: Bool, into output: inout [UInt8]) throws {
        guard !rows.isEmpty else { return }
        let columns = head.columns.columns
        let values = columns.indices.filter { index in
            let kinds = rows.lazy.map { $0[index].kind }
            return !columns[index].isGroup && kinds.contains(.number) && kinds.allSatisfy { $0 != .text }
        }
        guard !values.isEmpty else {
            throw UsageError("the result has no column of numbers to draw; use another --format")
        }
        let labels = columns.indices.filter { !values.contains($0) && (columns[$0].isGroup || !head.columns.isGrouped) }
        let titles = head.columns.titles
        let title = labels.map { titles[$0] }.joined(separator: ", ")
        let times = times(labels)
        if labels.isEmpty, rows.count == 1 {
            let bars = values.map { bar(rows[0][$0], titles[$0]) }
            return output.append(text: BarChart(bars: bars).lines(style).map { $0 + "\n" }.joined())
        }
        for (number, value) in values.enumerated() {
            if number > 0 { output.append(UInt8(ascii: "\n")) }
            let bars = rows.map { row in
                bar(row[value], labels.map { row[$0].shown(null: null) }.joined(separator: ", "))
            }
            let lines: [String]
            if let times {
                let points = zip(bars, times).compactMap { bar, time in
                    time.map { LineChart.Point(label: bar.label, time: $0, value: bar.value, text: bar.text) }
                }
                lines = LineChart(title: "\(titles[value]) by \(title)", points: points).lines(style)
            } else {
                let heading = style.options.has(.noHeader) ? nil : (title, titles[value])
                lines = BarChart(titles: heading, bars: bars).lines(style)
            }
            output.append(text: lines.map { $0 + "\n" }.joined())
        }
    }

    private func bar(_ cell: Cell, _ label: String) -> BarChart.Bar {
        BarChart.Bar(label: label, value: Double(cell.text), text: cell.shown(null: null))
    }

    /// The times of the rows, or `nil` if the labels are not a time, or there are less than two.
    private mutating func times(_ labels: [Int]) -> [Double?]? {
        let columns = head.columns.columns
        let parts = labels.map { columns[$0].date }
        let times: [Double?]
        if labels.count == 1, parts[0].flatMap(\.positions) == nil {
            times = rows.map { JSONTimestamp($0[labels[0]].text)?.secondsSince1970 }
        } else {
            let all = zip(labels, parts).compactMap { index, part in part?.positions.map { (index, $0) } }
                .sorted { $0.1.rank < $1.1.rank }
            guard !labels.isEmpty, all.count == labels.count else { return nil }
            times = rows.map { row in
                all.reduce(0) { time, part in
                    // bounded: by what a calendar has
                    guard let time, let number = Double(row[part.0].text), number.magnitude < 10_000 else { return nil }
                    return time * part.1.count + number
                }
            }
        }
        let isTime = zip(rows, times).allSatisfy { row, time in
            time != nil || labels.allSatisfy { row[$0].kind == .null }
        }
        guard isTime, Set(times.compactMap(\.self)).count > 1 else { return nil }
        undated = times.count { $0 == nil }
        return times
    }
}

extension DateFunction {
    /// The rank of the function from years to hours, and the number of its values in the next longer unit, or `nil` for
    /// a whole date.
    fileprivate var positions: (rank: Int, count: Double)? {
        switch self {
        case .calendarYear, .fiscalYear: (0, 1)
        case .calendarQuarter, .fiscalQuarter: (1, 4)
        case .calendarMonth, .fiscalMonth: (2, 12)
        case .weekInYear: (3, 53)
        case .weekInMonth: (4, 6)
        case .dayInYear: (5, 366)
        case .dayInMonth: (6, 31)
        case .dayInWeek: (7, 7)
        case .hourInDay: (8, 24)
        case .dayOnly: nil
        }
    }
}
