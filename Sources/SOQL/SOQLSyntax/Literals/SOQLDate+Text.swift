// SPDX-License-Identifier: Apache-2.0

extension SOQLDate: LosslessStringConvertible, Comparable {
    /// Reads `YYYY-MM-DD`; `nil` for any other text, and for a day that no calendar has.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap(Self.number)
        guard numbers.count == 3 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
        guard isValid else { return nil }
    }

    /// `YYYY-MM-DD`.
    public var description: String { text }

    /// Whether a day is before another one.
    public static func < (left: SOQLDate, right: SOQLDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// A number of a few digits and nothing else.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension SOQLDate: Codable {
    /// Reads the text `YYYY-MM-DD`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = SOQLDate(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the text is no date")
        }
        self = date
    }

    /// Writes the text `YYYY-MM-DD`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension SOQLTime: Comparable {
    /// Whether a time is before another one.
    public static func < (left: SOQLTime, right: SOQLTime) -> Bool {
        (left.hour, left.minute, left.second, left.nanosecond)
            < (right.hour, right.minute, right.second, right.nanosecond)
    }
}
