// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Synchronization
import Testing

@testable import RestBase

@Suite("Waiting for a value")
struct WaitingTests {
    @Test(
        "in every order of waits, cancellations and values, each waiter gets one result",
        arguments: 0..<50 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<40 {
            var (list, next, value) = (WaitingList<Int, UInt64>(), UInt64(0), Int?.none)
            var (waiting, results) = (Set<UInt64>(), [UInt64: [Int]]())
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0...2:
                    next += 1
                    let isCancelled = Int.random(in: 0..<4, using: &random) == 0
                    let early = list.add(next, next, cancelled: isCancelled ? -1 : nil)
                    #expect(early == value ?? (isCancelled ? -1 : nil))
                    if let early { results[next, default: []].append(early) } else { waiting.insert(next) }
                case 3, 4:
                    let number = UInt64.random(in: 0...next + 1, using: &random)
                    let removed = list.remove(number)
                    #expect(removed == (waiting.remove(number) != nil ? number : nil))
                    if let removed { results[removed, default: []].append(-1) }
                default:
                    let number = Int.random(in: 0..<9, using: &random)
                    let served = list.resolve(number)
                    #expect(served == waiting.sorted())
                    for waiter in served { results[waiter, default: []].append(number) }
                    waiting = []
                    value = value ?? number
                }
            }
            for waiter in list.resolve(7) { results[waiter, default: []].append(7) }
            #expect(results.count == Int(next) && results.values.allSatisfy { $0.count == 1 })
        }
    }

    @Test("all waiting tasks finish while others cancel them and a value arrives", .timeLimit(.minutes(1)))
    func tasks() async {
        for round in 0..<200 {
            let awaited = AwaitedValue<Int>()
            await withTaskGroup { group in
                for waiter in 0..<6 {
                    group.addTask {
                        let task = Task { await awaited.value(ifCancelled: -1) }
                        if (waiter + round).isMultiple(of: 3) { task.cancel() }
                        let result = await task.value
                        #expect(result == round || result == -1 && (waiter + round).isMultiple(of: 3))
                    }
                }
                group.addTask { awaited.resolve(round) }
                group.addTask { _ = await awaited.value() }
            }
            awaited.resolve(-2)
            #expect(await awaited.value(ifCancelled: -1) == round)
        }
    }

    @Test("a cancelled task waits for a value if it has no other result")
    func cancelled() async {
        let awaited = AwaitedValue<Int>()
        let task = Task { await awaited.value() }
        task.cancel()
        awaited.resolve(4)
        #expect(await task.value == 4)
    }

    @Test("a feed that does not store its latest value sends a reader only later values, and only the newest of them")
    func feed() async {
        var feed: LatestValueFeed<Int>? = LatestValueFeed(capacity: 3, keepsLatest: false)
        feed?.report(1)
        let stream = feed?.stream
        for value in 2...9 { feed?.report(value) }
        feed = nil
        var values: [Int] = []
        if let stream { for await value in stream { values.append(value) } }
        #expect(values == [7, 8, 9])
    }
}
