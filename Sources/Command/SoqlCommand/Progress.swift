// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A progress indicator on a terminal for work that takes longer than half a second.
///
/// It is shown on standard error, but only on a terminal. It is redrawn ten times a second, and removed by ``end()``,
/// by any other output to the terminal, and by signals.
final class Progress: Sendable {
    private static let queue = DispatchQueue(label: "progress")

    private let text: Mutex<(text: ProgressText, begin: ContinuousClock.Instant)>
    private let isOver: Mutex<Bool>

    /// Starts the indicator, which never shows anything if `isQuiet` is set.
    init(_ title: String, of unit: String = "records", total: Int? = nil, isQuiet: Bool = false) {
        text = Mutex((ProgressText(title: title, unit: unit, total: total), .now))
        isOver = Mutex(isQuiet || !StatusLine.isPossible)
        if !isOver.withLock(\.self) { show(after: .milliseconds(500)) }
    }

    deinit { end() }

    /// Updates the number of items, and the number of all items and of bytes unless they are `nil`.
    func advance(to done: Int, of total: Int? = nil, bytes: Int? = nil) {
        text.withLock { state in
            state.text.done = done
            state.text.total = total ?? state.text.total
            state.text.bytes = bytes ?? state.text.bytes
        }
    }

    /// Begins another part of the work, with a time and numbers of its own, unless it has begun.
    func begin(_ title: String) {
        text.withLock { state in
            guard state.text.title != title else { return }
            state = (ProgressText(title: title, unit: state.text.unit), .now)
        }
    }

    /// Removes the line and stops updates.
    func end() {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        if !wasOver { StatusLine.clear() }
    }

    private func show(after delay: DispatchTimeInterval) {
        Self.queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, !isOver.withLock(\.self) else { return }
            let (text, begin) = text.withLock(\.self)
            StatusLine.show(text.line(after: .now - begin), share: text.share) { !isOver.withLock(\.self) }
            show(after: .milliseconds(100))
        }
    }
}

struct ProgressText: Sendable {
    /// The beginning of the line, such as `Reading`.
    var title: String
    /// The counted items, in the plural, of which `bytes` are printed as a size.
    var unit: String
    var done = 0
    /// The number of all items, if known.
    var total: Int?
    var bytes = 0

    /// The part of the work that is done, or `nil` if the number of all items is unknown.
    var share: Double? { total.flatMap { $0 > 0 ? Double(min(done, $0)) / Double($0) : nil } }

    /// The line after a duration, with the average rate and the remaining time.
    func line(after time: Duration) -> String {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        guard done > 0, seconds > 0 else { return "\(title): waiting, \(Self.time(seconds))" }
        let isSize = unit == "bytes"
        let show = { (count: Int) in isSize ? Self.size(count) : Self.grouped(count) }
        // bounded: counts of ours by a time of at least 1 ns
        let rate = { (count: Int) in show(Int((Double(count) / seconds).rounded())) + "/s" }
        var parts = [show(done) + (total.map { " of \(show($0))" } ?? "") + (isSize ? "" : " \(unit)"), rate(done)]
        if let total, total > done {
            parts.append("\(Self.time(Double(total - done) / (Double(done) / seconds))) left")
        }
        if bytes > 0 { parts.append(Self.size(bytes)) }
        // Without a total, the rate of the bytes shows whether the work advances.
        if bytes > 0, total == nil {
            parts.append("\(Self.size(Int((Double(bytes) / seconds).rounded())))/s")  // bounded: as above
        }
        return "\(title): " + parts.joined(separator: ", ")
    }

    /// A number with commas between groups of three digits.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// A duration in seconds: `7 s`, `2:05`, `1:02:05`, or "days" for 99 hours or more.
    static func time(_ seconds: Double) -> String {
        guard seconds < 356_400 else { return "days" }
        let whole = Int(seconds.rounded(.up))  // bounded: by the line before
        guard whole >= 60 else { return "\(whole) s" }
        let parts = [whole / 3_600, whole / 60 % 60, whole % 60].drop { $0 == 0 }
        return parts.enumerated().map { index, part in
            (index > 0 && part < 10 ? "0" : "") + String(part)
        }.joined(separator: ":")
    }

    /// A number of bytes in the largest suitable unit, with one decimal.
    static func size(_ bytes: Int) -> String {
        var (value, units) = (Double(bytes), ["bytes", "kB", "MB", "GB", "TB"][...])
        while value >= 1_000, units.count > 1 {
            value /= 1_000
            units = units.dropFirst()
        }
        let tenths = Int((value * 10).rounded())  // bounded: below 10,000 for counts of ours
        return (units.first == "bytes" ? "\(bytes)" : "\(tenths / 10).\(tenths % 10)") + " \(units.first ?? "")"
    }
}
