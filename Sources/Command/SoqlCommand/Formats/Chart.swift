// SPDX-License-Identifier: Apache-2.0

/// Values as horizontal bars, one on each line after its label and its number.
struct BarChart {
    struct Bar {
        let label: String
        /// The value, or `nil` for null, which has no bar.
        let value: Double?
        /// The value as it is printed.
        let text: String
    }

    /// The titles of labels and values, or `nil` for a chart without a first line.
    var titles: (label: String, text: String)?
    let bars: [Bar]
    /// The value whose bar fills the width, or `nil` for the largest value.
    var full: Double?

    /// The lines for the terminal's width, or for 80 columns.
    func lines(_ style: PrintStyle) -> [String] {
        let columns = style.columns() ?? 80
        let rows = bars.map { ($0.label.singleLine, $0.text.singleLine) }
        let titles = titles.map { [($0.label.singleLine, $0.text.singleLine)] } ?? []
        let widths = (titles + rows).reduce((label: 0, text: 0)) {
            (max($0.label, $1.0.columnWidth), max($0.text, $1.1.columnWidth))
        }
        let text = min(widths.text, max(1, columns / 3))
        // Long labels leave room for short bars.
        let label = min(widths.label, max(1, columns / 3, columns - text - 26))
        let scale = BarScale(bars.compactMap(\.value), full: full, room: max(1, columns - label - text - 2))
        func start(_ row: (String, String), _ emphasis: Emphasis?) -> String {
            let cells = [row.0.cut(toColumns: label, mark: style.marks.ellipsis), row.1.cut(toColumns: text, mark: "")]
            let blanks = zip(cells, [label, text]).map { String(repeating: " ", count: max(0, $1 - $0.columnWidth)) }
            let shown = style.emphasized(cells[1], emphasis)
            return style.emphasized(cells[0], emphasis == .bold ? .bold : nil) + blanks[0] + " " + blanks[1] + shown
        }
        return titles.map { start($0, .bold) }
            + zip(bars, rows).map { bar, row in
                let drawn = bar.value.map { scale.bar($0, style.marks) }
                let line = start(row, bar.value == nil ? .dim : nil)
                guard let drawn, !drawn.text.isEmpty else { return line }
                return line + String(repeating: " ", count: drawn.start + 1) + style.emphasized(drawn.text, .drawn)
            }
    }
}

/// The columns that bars of positive and negative values have.
struct BarScale {
    /// The column at which positive bars begin and negative bars end.
    let zero: Int
    private let room: Int
    private let magnitude: Double
    /// The number of columns of the magnitude.
    private let unit: Double

    /// Creates the scale on which all values fit into `room` columns.
    init(_ values: [Double], full: Double? = nil, room: Int) {
        let most = values.map(\.finite.magnitude).max() ?? 0
        let magnitude = full ?? most
        (self.room, self.magnitude) = (room, magnitude)
        // No quotient of a number and the magnitude overflows.
        let shares = magnitude > 0 ? values.map { $0.finite / magnitude } : []
        let (low, high) = (max(-1, shares.min() ?? 0), min(1, shares.max() ?? 0))
        let hasBoth = low < 0 && high > 0
        unit = Double(hasBoth ? room - 1 : room) / (hasBoth ? high - low : 1)
        zero = low < 0 ? min(room, Int((-low * unit).rounded(.up))) : 0  // bounded: by the room
    }

    /// The bar of a value and its first column, where only zero has no bar.
    func bar(_ value: Double, _ marks: Marks) -> (start: Int, text: String) {
        let share = magnitude > 0 ? max(-1, min(1, value.finite / magnitude)) : 0
        guard share != 0 else { return (zero, "") }
        // Blocks of Unicode fill a column from the left in eighths, and from the right only in halves.
        let parts = marks == .ascii ? 1 : share < 0 ? 2 : 8
        let most = (share < 0 ? zero : room - zero) * parts
        // bounded: by the room
        let length = min(max(1, most), max(1, Int((share.magnitude * unit * Double(parts)).rounded())))
        let whole = String(repeating: marks == .ascii ? "#" : "█", count: length / parts)
        let rest = length % parts
        if share < 0 { return (max(0, zero - (length + parts - 1) / parts), (rest > 0 ? "▐" : "") + whole) }
        return (zero, rest > 0 ? whole + ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1] : whole)
    }
}

/// Values as a line over a time, drawn with blocks of a quarter of a character.
struct LineChart {
    struct Point {
        let label: String
        /// The position in time, in any unit.
        let time: Double
        /// The value, or `nil` for null, which interrupts the line.
        let value: Double?
        let text: String
    }

    /// The number of lines of the curve.
    private static let height = 12

    let title: String
    /// The points in the order of their times.
    let points: [Point]

    init(title: String, points: [Point]) { (self.title, self.points) = (title, points.sorted { $0.time < $1.time }) }

    /// The lines for the terminal's width, or for 80 columns: title, curve with the values of its ends, and times.
    func lines(_ style: PrintStyle) -> [String] {
        let columns = style.columns() ?? 80
        let drawn = points.filter { $0.value != nil }
        let top = drawn.max { $0.value ?? 0 < $1.value ?? 0 }
        let bottom = drawn.min { $0.value ?? 0 < $1.value ?? 0 }
        let isHigh = (top?.value ?? 0) > 0
        let isLow = (bottom?.value ?? 0) < 0
        let ends = [isHigh ? top?.text ?? "0" : "0", isLow ? bottom?.text ?? "0" : "0"].map {
            $0.singleLine.cut(toColumns: max(1, columns / 3), mark: "")
        }
        let margin = ends.map(\.columnWidth).max() ?? 0
        let width = max(1, columns - margin - 2)
        let canvas = canvas(width, low: isLow ? bottom?.value ?? 0 : 0, high: isHigh ? top?.value ?? 0 : 0)
        var lines = [style.emphasized(title.singleLine.cut(toColumns: columns, mark: style.marks.ellipsis), .bold)]
        for (row, cells) in canvas.enumerated() {
            let label = row == 0 ? ends[0] : row == Self.height - 1 ? ends[1] : ""
            let start = String(repeating: " ", count: margin - label.columnWidth) + label + " " + style.marks.vertical
            let curve = cells.map { style.marks == .ascii ? ($0 == 0 ? " " : "*") : Self.blocks[$0] }.joined()
            let end = curve.utf8.lastIndex { $0 != UInt8(ascii: " ") }
            let shown = end.map { String(curve[..<curve.utf8.index(after: $0)]) } ?? ""
            lines.append(start + style.emphasized(shown, .drawn))
        }
        let times = [points.first, points.last].map { $0?.label.singleLine ?? "" }
        let gap = width - times[0].columnWidth - times[1].columnWidth
        let axis = gap > 0 && points.count > 1 ? times[0] + String(repeating: " ", count: gap) + times[1] : times[0]
        lines.append(
            String(repeating: " ", count: margin + 2) + axis.cut(toColumns: width, mark: style.marks.ellipsis))
        return lines
    }

    /// The cells of each line as sets of quarters: 1 and 2 above, 4 and 8 below.
    private func canvas(_ width: Int, low: Double, high: Double) -> [[Int]] {
        var cells = [[Int]](repeating: [Int](repeating: 0, count: width), count: Self.height)
        func mark(_ x: Int, _ y: Int) { cells[y / 2][x / 2] |= 1 << (y % 2 * 2 + x % 2) }
        guard let first = points.first?.time, let last = points.last?.time else { return cells }
        let (magnitude, length) = (max(low.finite.magnitude, high.finite.magnitude), last - first)
        func share(_ value: Double) -> Double { magnitude > 0 ? value.finite / magnitude : 0 }
        let span = share(high) - share(low)
        func place(_ point: Point, _ value: Double) -> (x: Int, y: Int) {
            let across = length > 0 ? (point.time - first) / length : 0
            let down = span > 0 ? (share(high) - share(value)) / span : 1
            return (
                Int((across * Double(width * 2 - 1)).rounded()),  // bounded: by the width
                Int((down * Double(Self.height * 2 - 1)).rounded())  // bounded: by the height
            )
        }
        var before: (x: Int, y: Int)?
        for point in points {
            guard let value = point.value else {
                before = nil
                continue
            }
            let end = place(point, value)
            let start = before ?? end
            var y = start.y
            for x in start.x...end.x {
                let next = end.x > start.x ? start.y + (end.y - start.y) * (x - start.x) / (end.x - start.x) : end.y
                for between in stride(from: y, to: next, by: next < y ? -1 : 1).dropFirst() { mark(x, between) }
                mark(x, next)
                y = next
            }
            before = end
        }
        return cells
    }

    private static let blocks = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".map(String.init)
}

extension Double {
    /// The nearest finite number, as numbers of a server can be larger than this type allows.
    fileprivate var finite: Double { isNaN ? 0 : max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, self)) }
}

extension PrintStyle {
    fileprivate func emphasized(_ text: String, _ emphasis: Emphasis?) -> String {
        var output: [UInt8] = []
        output.append(text: text, as: emphasis, hasColors)
        return String(decoding: output, as: UTF8.self)
    }
}
