// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@Suite("Texts of doubles that are encoded")
struct JSONNumberTextTests {
    private func text(_ value: Double) throws -> String {
        String(decoding: try [value].json().dropFirst().dropLast(), as: UTF8.self)
    }

    @Test("They are those of the standard library: amounts of money, their neighbours, and any other")
    func likeDescription() throws {
        var values: [Double] = [
            0, -0.0, 0.01, 0.1, 0.99, 1, 10, 99.99, 0.1 + 0.2, 0.005, 0.001, 1.005, 4.35, 1.1, 2.675, 1e2, 1e13, 1e14,
            1e15, 1e16, 9_999_999_999_999.99, 10_000_000_000_000.01, 99_999_999_999_999.98, 70_368_744_177_664.01,
            1e21, 1e22, 1e300, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
            .pi, 9_007_199_254_740_992,
        ]
        var random = JSONRandom(seed: 22)
        for exponent in 1...18 {
            for _ in 0..<500 {
                let count = Double(random.next(below: powerOfTen(exponent)))
                values += [count / 100, count / 10, count / 1_000, count * 0.01, count]
            }
        }
        for _ in 0..<10_000 { values.append(Double(bitPattern: UInt64(random.next(below: Int.max)))) }
        for value in values where value.isFinite {
            for near in [value, value.nextUp, value.nextDown] where near.isFinite {
                #expect(try text(near) == near.description)
                #expect(try text(-near) == (-near).description)
            }
        }
    }

    private func powerOfTen(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
