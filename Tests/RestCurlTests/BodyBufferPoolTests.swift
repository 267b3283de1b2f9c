// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestCurl

@Suite("Buffers of bodies")
struct BodyBufferPoolTests {
    /// Takes, fills and delivers a buffer again and again, while a reader holds the newest ones.
    private func deliver(_ rounds: Int, from pool: BodyBufferPool, heldByReader: Int) {
        var read: [[UInt8]] = []
        for round in 0..<rounds {
            var buffer = pool.take(capacity: 1 << 20)
            #expect(buffer.isEmpty && buffer.capacity >= 1 << 20)
            buffer.append(UInt8(truncatingIfNeeded: round))
            pool.keep(buffer)
            read.append(buffer)
            if read.count > heldByReader { read.removeFirst() }
            // What somebody reads is never filled again.
            for (age, held) in read.reversed().enumerated() {
                #expect(held == [UInt8(truncatingIfNeeded: round - age)])
            }
        }
    }

    @Test("as many lie as are read, and the oldest is free then", arguments: [0, 1, 2, 3, 5])
    func lying(heldByReader: Int) {
        let pool = BodyBufferPool()
        deliver(100, from: pool, heldByReader: heldByReader)
        // It grows by one whenever the oldest is still read, so it stands where none is any more.
        #expect(pool.readCount == heldByReader)
    }

    @Test("bodies of all sizes leave no more buffers than are needed at a time")
    func sizes() {
        let pool = BodyBufferPool()
        var last: [UInt8] = []
        for round in 0..<200 {
            var buffer = pool.take(capacity: 200_000 + round * 7_919 % 1_000_000)
            buffer.append(1)
            pool.keep(buffer)
            last = buffer
        }
        #expect(last.capacity >= 200_000 && pool.count <= 2 && pool.readCount <= 1)
    }

    @Test("a reader that holds everything makes no more than a few lie")
    func bounded() {
        let pool = BodyBufferPool()
        deliver(100, from: pool, heldByReader: 100)
        #expect(pool.readCount == 8)
        pool.clear()
        #expect(pool.readCount == 0 && pool.isEmpty)
    }
}
