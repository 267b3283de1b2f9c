// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestJSON

@Suite("The pool of JSON tapes")
struct JSONTapePoolTests {
    private let pool = JSONTapePool()

    /// Returns a long text that is different for each seed.
    private func page(_ seed: Int, rows: Int = 3_000) -> [UInt8] {
        let rows = (0..<rows).map { #"{"id":\#($0),"name":"Row \#(seed) \#($0)"}"# }
        return Array(#"{"seed":\#(seed),"rows":[\#(rows.joined(separator: ","))]}"#.utf8)
    }

    private func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONDocument {
        try JSONDocument(parsing: bytes, from: pool)
    }

    private func address(of document: JSONDocument) -> UInt {
        unsafe document.tape.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }

    /// Fills the tape in the pool with entries that would mislead any code that reads them.
    private func spoilTape(for byteCount: Int) {
        var tape = pool.take(forTextOf: byteCount)
        for index in tape.indices { tape[index] = TapeEntry(.object, length: 77, position: 0xFFFF_FFFF) }
        pool.giveBack(tape)
    }

    @Test("a tape is reused after its document is released")
    func reuse() throws {
        var document: JSONDocument? = try parse(page(1))
        let first = document.map { address(of: $0) }
        #expect(pool.held.tapes == 0)
        document = nil
        #expect(pool.held.tapes == 1)
        document = try parse(page(2))
        #expect(document.map { address(of: $0) } == first)
        #expect(pool.held.tapes == 0)
        #expect(try document?.root == JSONValue(parsing: page(2)))
    }

    @Test("an entry of the previous text is not taken for a name of the first object")
    func entryBefore() throws {
        let filler = String(repeating: " ", count: JSONTapePool.smallestText)
        // On this tape, entry 2 is the first name in the next text: a string of one byte at byte 2.
        _ = try parse(Array(#"["a"]\#(filler)"#.utf8))
        #expect(pool.held.tapes == 1)
        // Bytes 1 and 2 are also followed by a colon, so the stale entry would pass as a name.
        let error = #expect(throws: JSONError.self) { try parse(Array(" {{{{:1}\(filler)".utf8)) }
        #expect(error?.offset == 2)
    }

    @Test("a tape is not reused while a value of its document exists")
    func heldValue() throws {
        var value = try parse(page(1)).root["rows"]?[2_999]
        #expect(pool.held.tapes == 0)
        for seed in 2...6 { #expect(try parse(page(seed)).root["seed"]?.int == seed) }
        #expect(value?["name"]?.string == "Row 1 2999")
        value = nil
        #expect(pool.held.tapes == 2)
    }

    @Test("tapes of short texts are neither taken from the pool nor returned to it")
    func short() throws {
        _ = try parse(page(1, rows: 10))
        #expect(pool.held.tapes == 0)
        _ = try parse(page(1))
        let short = try parse(page(2, rows: 10))
        #expect(pool.held.tapes == 1)
        #expect(short.root["rows"]?[9]?["name"]?.string == "Row 2 9")
    }

    @Test("a tape is reused only for texts of similar length")
    func fitting() throws {
        func room(forTextOf count: Int) -> Int { pool.take(forTextOf: count).capacity }
        let bytes = page(1)
        _ = try parse(bytes)
        #expect(room(forTextOf: bytes.count * 4) == 0)
        #expect(room(forTextOf: JSONTapePool.smallestText - 1) == 0)
        pool.giveBack(Array(repeating: TapeEntry(.null, length: 0, position: 0), count: bytes.count))
        #expect(pool.held.tapes == 2)
        #expect((1..<bytes.count).contains(room(forTextOf: bytes.count)))
        #expect(room(forTextOf: bytes.count) == 0)
    }

    @Test("the pool holds at most three tapes and 8 MiB, and prefers the most recent tapes")
    func bounds() {
        func tape(bytes: Int) -> [TapeEntry] {
            Array(repeating: TapeEntry(.null, length: 0, position: 0), count: bytes / MemoryLayout<TapeEntry>.stride)
        }
        for size in 1...5 { pool.giveBack(tape(bytes: size << 17)) }
        #expect(pool.held.tapes == JSONTapePool.mostTapes)
        #expect(pool.held.bytes >= 12 << 17)
        pool.giveBack(tape(bytes: 7 << 20))
        #expect(pool.held.bytes >= 7 << 20 && pool.held.bytes <= JSONTapePool.mostBytes)
        let before = pool.held
        pool.giveBack(tape(bytes: 9 << 20))
        pool.giveBack(tape(bytes: 1 << 12))
        #expect(pool.held == before)
    }

    @Test("an invalid text returns its tape to the pool")
    func abandoned() throws {
        let bytes = page(1, rows: 20_000)
        _ = try parse(bytes)
        let held = pool.held
        #expect(held.tapes == 1)
        for length in [0, 1, bytes.count / 2, bytes.count - 1] {
            let faulty = bytes.prefix(length) + [0x00] + bytes.dropFirst(length)
            let expected = #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(faulty)) }
            let error = #expect(throws: JSONError.self) { try parse(Array(faulty)) }
            #expect(error?.offset == expected?.offset)
            #expect(pool.held == held)
        }
    }

    @Test("a text with more entries than the previous text extends the tape, within its capacity first")
    func lengthened() throws {
        let strings = (0..<3_000).map { #""\#($0) and a long string after it""# }
        let sparse = Array("[\(strings.joined(separator: ","))]".utf8)
        var document: JSONDocument? = try parse(sparse)
        let first = document.map { address(of: $0) }
        document = nil
        spoilTape(for: sparse.count)
        let usual = page(7, rows: 2_200)
        document = try parse(usual)
        #expect(document.map { address(of: $0) } == first)
        #expect(try document?.root == JSONValue(parsing: usual))
        document = nil
        spoilTape(for: sparse.count)
        let dense = Array("[\((0..<40_000).map { String($0 % 10) }.joined(separator: ","))]".utf8)
        document = try parse(dense)
        #expect(document?.root.array?.compactMap(\.int) == (0..<40_000).map { $0 % 10 })
        let longer = document.map { address(of: $0) }
        document = nil
        #expect(pool.held.tapes == 1)
        #expect(try address(of: parse(dense)) == longer)
    }

    @Test("values and lookups are the same on a reused tape as on a new tape", arguments: 0..<3)
    func generated(seed: Int) throws {
        var random = JSONRandom(seed: UInt64(seed))
        for round in 0..<3 {
            let names = (0..<300).map { "wide \(($0 &* 7 + round) % 450)" }
            let wide = JSONObject(members: names.enumerated().map { ($1, JSONValue($0)) })
            var values = [JSONValue(wide)]
            var text = random.text(of: JSONValue(wide))
            let size = JSONTapePool.smallestText + random.next(below: 1 << 16)
            while text.count < size {
                values.append(random.value(depth: 4))
                text += [0x2C] + random.text(of: values[values.count - 1])
            }
            text = [0x5B] + text + [0x5D]
            spoilTape(for: text.count)
            let root = try parse(text).root
            let fresh = try JSONValue(parsing: text)
            #expect(root == fresh)
            #expect(root == JSONValue(JSONArray(values)))
            #expect(root.bytes() == fresh.bytes())
            for name in names + ["wide", "wide 450"] { #expect(root[0]?[name] == wide[name]) }
        }
        #expect(pool.held.tapes > 0)
    }

    @Test("many tasks can share one pool")
    func parallel() async throws {
        let pages = (0..<4).map { page($0, rows: 2_500 + 400 * $0) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask { @concurrent in
                    var kept: [JSONValue] = []
                    for round in 0..<12 {
                        let seed = (task + round) % pages.count
                        kept.append(try parse(pages[seed]).root)
                        #expect(kept[0]["rows"]?.array?.count == 2_500 + 400 * (kept[0]["seed"]?.int ?? 0))
                        #expect(kept[0]["rows"]?[2_400]?["name"]?.string == "Row \(kept[0]["seed"]?.int ?? -1) 2400")
                        if kept.count > round % 3 { kept.removeFirst() }
                        await Task.yield()
                    }
                    return kept.count
                }
            }
            for try await count in group { #expect(count < 4) }
        }
        #expect(pool.held.tapes <= JSONTapePool.mostTapes)
    }
}
