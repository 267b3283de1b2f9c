// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Queries collected into an array")
struct QueryCollectingTests {
    private let org = QueryStub()

    private func enqueue(total: Int) {
        org.enqueue(["1", "2"].map { QueryStub.record($0) }, total: total, next: "-2")
        org.enqueue([QueryStub.record("3")], total: total, at: "-2")
    }

    @Test("all records come when they are within the limit")
    func all() async throws {
        enqueue(total: 3)
        #expect(try await org.client().records("SELECT Id FROM A").collect(limit: 3).map(\.id) == ["1", "2", "3"])
    }

    @Test("more than the limit is an error, never a part of them; also when the server's total was too low")
    func tooMany() async throws {
        for (total, limit) in [(3, 2), (1, 2)] {
            enqueue(total: total)
            let records = try org.client().records("SELECT Id FROM A")
            let error = await #expect(throws: RestError.self) { try await records.collect(limit: limit) }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("3") == true)
        }
        let records = try org.client().records("SELECT Id FROM A")
        let negative = await #expect(throws: RestError.self) { try await records.collect(limit: -1) }
        #expect(negative?.code == .invalidRequest)
    }
}

@Suite("Queries that end early")
struct QueryEndingTests {
    private let org = QueryStub()

    private func enqueue() {
        org.enqueue(["1", "2"].map { QueryStub.record($0) }, total: 9, next: "-2")
        org.enqueue([QueryStub.record("3")], total: 9, next: "-3", at: "-2")
        org.enqueue([QueryStub.record("4")], total: 9, next: "-4", at: "-3")
    }

    @Test("a sequence that is left asks for no further page than the one under way")
    func abandoned() async throws {
        enqueue()
        for try await _ in try org.client().records("SELECT Id FROM A") { break }
        #expect(org.transport.requests.count <= 2)
    }

    @Test("a task that is cancelled between two pages gets an error, also when the next page is there already")
    func cancelled() async throws {
        enqueue()
        let client = try org.client()
        let transport = org.transport
        let task = Task {
            var pages = client.pages("SELECT Id FROM A").makeAsyncIterator()
            _ = try await pages.next()
            while transport.requests.count < 2 { await Task.yield() }
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            let error = await #expect(throws: RestError.self) { try await pages.next() }
            #expect(error?.code == .cancelled)
            #expect(error?.queryPosition?.recordCount == 2)
            return try await pages.next()
        }
        #expect(try await task.value == nil)
        #expect(transport.requests.count == 2)
    }

    @Test("a consumer that is slow has one page ahead of it, never more")
    func slow() async throws {
        enqueue()
        var pages = try org.client().pages("SELECT Id FROM A").makeAsyncIterator()
        _ = try await pages.next()
        while org.transport.requests.count < 2 { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        #expect(org.transport.requests.count == 2)
    }
}
