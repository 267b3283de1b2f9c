// SPDX-License-Identifier: Apache-2.0

import RestBase
import Testing

@testable import RestSync

@Suite("The order in which changes are sent")
struct PushOrderTests {
    private func item(
        _ number: Int64, _ references: [String] = [], _ kind: PendingChange.Kind = .create, canWait: Bool = true
    ) -> PushOrder.Item {
        PushOrder.Item(
            number: number, record: "r\(number)", kind: kind,
            references: references.map { PushOrder.Reference(field: "to_\($0)", record: $0, canWait: canWait) })
    }

    @Test("a record is created after the records that it refers to, and unrelated changes go together")
    func order() {
        let order = PushOrder([item(1, ["r3"]), item(2, ["r1", "x"], .update), item(3), item(4, [], .update)])
        #expect(order.steps == [[3, 4], [1], [2]] && order.deferred.isEmpty && order.stuck.isEmpty)
    }

    @Test("a cycle is broken at references that can be set later, and a record can refer to itself")
    func cycles() {
        let order = PushOrder([item(1, ["r2"], canWait: false), item(2, ["r1"]), item(3, ["r3", "r2"])])
        #expect(order.steps == [[2], [1, 3]])
        #expect(order.deferred == [2: ["to_r1"], 3: ["to_r3"]])
        let tight = PushOrder([item(1, ["r2"], canWait: false), item(2, ["r1"], canWait: false), item(3)])
        #expect(tight.steps == [[3]] && tight.stuck == [1, 2])
        #expect(PushOrder([item(1, ["r1"], canWait: false)]).stuck == [1])
    }

    @Test("changes that need a record in conflict wait, directly or through others")
    func waiting() {
        let order = PushOrder([item(1, ["h"]), item(2, ["r1"], .update), item(3)], unsent: ["h"])
        #expect(order.steps == [[3]] && order.waiting.sorted() == [1, 2])
    }

    @Test("deletions come last, children before their parents, and in any order in a cycle")
    func deletions() {
        let order = PushOrder([item(1, [], .delete), item(2, ["r1"], .delete), item(3, ["r2"], .delete), item(4)])
        #expect(order.steps == [[4], [3], [2], [1]])
        #expect(PushOrder([item(1, ["r2"], .delete), item(2, ["r1"], .delete)]).steps == [[1, 2]])
    }

    @Test("every change of random references is in exactly one step, after all that it needs")
    func random() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let count = Int.random(in: 1...12, using: &random)
            let items = (1...count).map { number in
                let targets = Set(
                    (0..<Int.random(in: 0...2, using: &random)).map { _ in
                        "r\(Int.random(in: 1...count, using: &random))"
                    })
                return item(
                    Int64(number), targets.sorted(), Bool.random(using: &random) ? .create : .update,
                    canWait: Int.random(in: 0..<4, using: &random) > 0)
            }
            let order = PushOrder(items)
            #expect((order.steps.joined() + order.stuck).sorted() == items.map(\.number))
            var done: Set<String> = []
            let creations = Set(items.filter { $0.kind == .create }.map(\.record))
            for step in order.steps {
                for number in step {
                    let item = items[Int(number) - 1]
                    for reference in item.references where creations.contains(reference.record) {
                        let isDeferred = order.deferred[number]?.contains(reference.field) ?? false
                        let isOwn = item.kind == .update && reference.record == item.record
                        #expect(isDeferred ? reference.canWait : done.contains(reference.record) || isOwn)
                    }
                }
                done.formUnion(step.map { items[Int($0) - 1].record })
            }
        }
    }
}
