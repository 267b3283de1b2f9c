// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Testing

@testable import RestJSON

@Suite("Coding paths")
struct JSONPathTests {
    /// The path of every value, by a walk of its own from the root.
    private func paths(_ document: JSONDocument, at index: Int, _ path: String = "") -> [(index: Int, path: String)] {
        var all = [(index, path)]
        let entry = document.tape[index]
        guard entry.isContainer else { return all }
        var (child, position) = (index + 1, 0)
        while child < entry.position {
            let name = entry.has(.object) ? document.string(at: child) : String(position)
            let value = entry.has(.object) ? child + 1 : child
            all += paths(document, at: value, path + "/" + name)
            child = document.index(after: value)
            position += 1
        }
        return all
    }

    @Test("asked in any order, the path of each value is the way down to it", arguments: 0..<20)
    func anyOrder(seed: Int) throws {
        let text =
            #"{"a":[1,{"b":[],"a":[[],[{"x":null,"x":[2]}],3]}],"":{"é":{},"e\u0301":[[[[5]]]]},"z":[{},{},[{}]]}"#
        let document = try JSONDocument(parsing: text)
        var random = SplitMix64(seed: UInt64(seed))
        var all = paths(document, at: JSONDocument.rootIndex)
        if seed > 0 { all.shuffle(using: &random) }
        let context = JSONDecodingContext(document: document, root: JSONDocument.rootIndex, options: .init())
        for (index, path) in all + all.reversed() {
            #expect(context.path(to: index).map { "/" + $0.stringValue }.joined() == path)
        }
    }

    /// A list that goes on after elements that do not fit.
    private struct Lossy: Decodable {
        var failures = 0
        var paths: Set<String> = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                do {
                    _ = try list.decode(Int.self)
                } catch DecodingError.typeMismatch(_, let context) {
                    failures += 1
                    paths.insert((context.codingPath.last?.stringValue ?? "") + "/\(list.codingPath.count)")
                    _ = try list.decode(JSONValue.self)
                }
            }
        }
    }

    /// The processor time of this thread, which other load does not change.
    private func seconds(_ count: Int) throws -> Double {
        let text = #"{"list":["# + Array(repeating: #"{"a":[]}"#, count: count).joined(separator: ",") + "]}"
        let value = try JSONValue(parsing: text)
        let start = clock(of: CLOCK_THREAD_CPUTIME_ID)
        let list = try #require(try value.decode([String: Lossy].self)["list"])
        let end = clock(of: CLOCK_THREAD_CPUTIME_ID)
        #expect(list.failures == count && list.paths.count == count)
        return end - start
    }

    private func clock(of id: clockid_t) -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("errors that a type goes on after cost no more each in a list that is eight times as long")
    func linear() throws {
        let short = try (0..<5).map { _ in try seconds(1_000) }.min() ?? 0
        let long = try (0..<3).map { _ in try seconds(8_000) }.min() ?? 0
        #expect(long < short * 24, "\(short) s for 1,000, \(long) s for 8,000")
    }
}
