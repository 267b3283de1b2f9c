// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Testing

@testable import Dropbox

@Suite("A file that a journal knows")
struct UploadEntryTests {
    private func known(_ parts: [Range<Int64>], isConcurrent: Bool = true, last: Bool = false) -> JournaledFile {
        var known = JournaledFile(file: .init(number: 0, id: "a", commit: "", state: ""))
        known.session = .init(number: 0, id: "s", isConcurrent: isConcurrent)
        known.parts = parts.map { .init(number: 0, start: $0.lowerBound, end: $0.upperBound, isLast: false) }
        if last { known.parts[known.parts.count - 1].isLast = true }
        return known
    }

    @Test("Only what the server lacks is sent, whatever parts it has", arguments: 0..<200 as Range<UInt64>)
    func missing(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let size = Int64.random(in: 1...60, using: &random)
        let parts = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let start = Int64.random(in: 0...size, using: &random)
            return start..<Int64.random(in: start...size, using: &random)
        }
        var entry = UploadEntry(size: size, isConcurrent: true)
        entry.restore(known(parts))
        let there = Set(parts.joined())
        #expect(entry.missing.flatMap(Array.init) == (0..<size).filter { !there.contains($0) })
        #expect(entry.taken == Int64(there.count))
        #expect(entry.phase == .sending)
    }

    @Test("A file that is all there waits for its finish")
    func whole() {
        var entry = UploadEntry(size: 10, isConcurrent: false)
        entry.restore(known([0..<10], isConcurrent: false, last: true))
        #expect(entry.phase == .sent)
        var empty = UploadEntry(size: 0, isConcurrent: false)
        empty.restore(known([0..<0], isConcurrent: false, last: true))
        #expect(empty.phase == .sent)
    }

    @Test("A session of another kind, and parts beyond the file, are of no use")
    func useless() {
        var entry = UploadEntry(size: 10, isConcurrent: true)
        entry.restore(known([0..<10], isConcurrent: false))
        #expect(entry.phase == .fresh)
        entry.restore(known([0..<11]))
        #expect(entry.missing == [0..<10])
    }
}
