// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Testing

@Suite("Numbers from outside")
struct NumberRangeTests {
    @Test("a number inside its range is taken", arguments: [("0", 0), ("7", 7), ("1000000000000", 1_000_000_000_000)])
    func taken(_ text: String, _ number: Int) {
        #expect(Int(outside: text, in: .count) == number)
        #expect(Int(outside: number, in: .count) == number)
        #expect(Int64(outside: text, in: .count) == Int64(number))
    }

    @Test(
        "what is no plain number, or lies outside, is not",
        arguments: [
            "", "-", "-1", "+1", " 1", "1 ", "1e3", "0x10", "٣", "1000000000001", "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808", "99999999999999999999999", "000000000000000000001",
        ])
    func refused(_ text: String) {
        #expect(Int(outside: text, in: .count) == nil)
        #expect(Int64(outside: text, in: .count) == nil)
    }

    @Test("integers of other types that do not fit are refused")
    func wide() {
        #expect(Int(outside: UInt64.max, in: .bytes) == nil)
        #expect(Int(outside: Int.min, in: .exponent) == nil)
        #expect(Int(outside: "-1000000", in: .exponent) == -1_000_000)
    }

    @Test("a number is clamped in its own type, also when the range is wider")
    func clamped() {
        #expect(NumberRange.bytes.clamped(Int32.max) == Int32.max)
        #expect(NumberRange.bytes.clamped(UInt64.max) == 1 << 50)
        #expect(NumberRange.epochMilliseconds.clamped(Int64.min) == 0)
        #expect(NumberRange.port.clamped(Int8.min) == 0)
    }

    @Test(
        "sums and small products of taken numbers never overflow",
        arguments: [
            NumberRange.count, .bytes, .seconds, .epochSeconds, .epochMilliseconds, .textPosition, .exponent,
        ])
    func arithmetic(_ range: NumberRange) {
        for bound in [range.bounds.lowerBound, range.bounds.upperBound] {
            #expect(!bound.multipliedReportingOverflow(by: 1_000).overflow)
            #expect(!(bound &* 1_000).addingReportingOverflow(bound).overflow)
        }
    }
}
