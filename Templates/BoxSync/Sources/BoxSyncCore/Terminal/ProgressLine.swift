// SPDX-License-Identifier: Apache-2.0

/// The line that says how far a transfer has come.
struct ProgressLine {
    /// How many bytes were there when it began, and need no time.
    let start: Int64
    /// How many bytes are there now.
    let done: Int64
    /// How many there will be; `nil` when nobody knows.
    let total: Int64?
    /// How long it has taken.
    let elapsed: Duration

    /// Bytes a second; `nil` before there is anything to tell.
    private var rate: Double? {
        let seconds = elapsed / .seconds(1)
        return seconds >= 0.5 && done > start ? Double(done - start) / seconds : nil
    }

    private var share: Double {
        guard let total, total > 0 else { return total == 0 ? 1 : 0 }
        return min(1, Double(done) / Double(total))
    }

    /// The line in so many columns: what does not fit is left out, the bar first.
    func text(columns: Int) -> String {
        var parts = [done.asBytes]
        if let total { parts = ["\(Int(share * 100)) %", "\(done.asBytes) of \(total.asBytes)"] }
        if let rate {
            parts.append("\(Int64(rate).asBytes)/s")
            if let total { parts.append("\(Self.clock(Double(max(0, total - done)) / rate)) left") }
        }
        // The last column stays free: some terminals begin a new line when it is taken.
        while parts.count > 1, Self.joined(parts).count >= columns { parts.removeLast() }
        let words = Self.joined(parts)
        let room = min(40, columns - 1 - words.count - 3)
        guard total != nil, room >= 5 else { return String(words.prefix(max(0, columns - 1))) }
        let filled = Int(share * Double(room))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled) + "] " + words
    }

    private static func joined(_ parts: [String]) -> String { parts.joined(separator: "  ") }

    /// `1:02:03`, or `2:03` below an hour.
    private static func clock(_ seconds: Double) -> String {
        let seconds = Int(min(seconds.rounded(.up), 359_999))
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)") + ":" + twoDigits(seconds % 60)
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

extension Int64 {
    /// `812 B`, `1.4 MB`: with the powers of 1000, as disks are sold.
    var asBytes: String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        var (amount, unit) = (Double(self), 0)
        while amount >= 999.5, unit < units.count - 1 { (amount, unit) = (amount / 1_000, unit + 1) }
        let tenths = Int((amount * 10).rounded())
        return (unit == 0 || tenths >= 100 ? "\(Int(amount.rounded()))" : "\(tenths / 10).\(tenths % 10)")
            + " " + units[unit]
    }
}
