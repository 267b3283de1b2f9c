// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("How much of a body is kept in memory")
struct BodyLimitsTests {
    private let mebibyte = 1_048_576

    @Test("A body up to the limit is kept, one byte more is not")
    func size() {
        let limits = BodyLimits(maximumBytes: 100, maximumRatio: 250)
        #expect(limits.refusal(of: 100) == nil)
        #expect(limits.refusal(of: 101) == "the body is larger than 100 bytes")
        #expect(limits.refusal(of: 101, packedBytes: 100) == "the body is larger than 100 bytes")
    }

    @Test("A body that was packed may grow as it likes up to 4 MiB, and then by the ratio")
    func ratio() {
        let limits = BodyLimits(maximumBytes: .max, maximumRatio: 10)
        #expect(limits.refusal(of: 4 * mebibyte, packedBytes: 1) == nil)
        #expect(limits.refusal(of: 4 * mebibyte + 1, packedBytes: 1)?.contains("bomb") == true)
        #expect(limits.refusal(of: 5 * mebibyte, packedBytes: mebibyte / 2) == nil)
        #expect(limits.refusal(of: 5 * mebibyte + 10, packedBytes: mebibyte / 2)?.contains("bomb") == true)
        #expect(limits.refusal(of: 5 * mebibyte) == nil, "it was not packed")
    }

    @Test("A ratio below one counts as one, and no number overflows")
    func extremes() {
        let limits = BodyLimits(maximumBytes: .max, maximumRatio: 0)
        #expect(limits.refusal(of: .max, packedBytes: .max) == nil)
        #expect(limits.refusal(of: .max, packedBytes: 1) != nil)
    }

    @Test("An announced length reserves 8 MiB at most")
    func reservation() {
        let limits = BodyLimits(maximumBytes: .max, maximumRatio: 1)
        #expect(limits.reservation(for: 600) == 600)
        #expect(limits.reservation(for: .max) == 8 * mebibyte)
    }
}
