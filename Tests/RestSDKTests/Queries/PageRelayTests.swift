// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestSDK

@Suite("The page after one that is waited for")
struct PageRelayTests {
    private let org = QueryStub()

    @Test("is asked for early, once each, and pages stay in order")
    func early() async throws {
        for page in 0..<20 {
            org.enqueue(
                [QueryStub.record("\(page)")], total: 20, next: page == 19 ? nil : "-\(page + 1)",
                at: page == 0 ? nil : "-\(page)")
        }
        let ids = try await org.client().records("SELECT Id FROM A").collect(limit: 20).map(\.id)
        #expect(ids == (0..<20).map { "\($0)" })
        #expect(org.locators == [nil] + (1..<20).map { "-\($0)" })
    }

    @Test("is asked for once, whether the wait or the page comes first", arguments: [true, false])
    func anyOrder(waitsFirst: Bool) async throws {
        org.enqueue([QueryStub.record("1")], total: 2, next: "-1")
        org.enqueue([QueryStub.record("2")], total: 2, at: "-1")
        let relay = PageRelay(.query("SELECT Id FROM A"), try org.client(), isLast: false)
        if waitsFirst { relay.expect() }
        let page = try await relay.page()
        relay.expect()
        let fetch = try #require(relay.takeFetch(of: page.nextRecordsPath))
        #expect(try await fetch.outcome().page.records.count == 1)
        #expect(org.locators == [nil, "-1"])
    }

    @Test("is the one that the whole page names, also when its beginning named another")
    func otherPath() async throws {
        let body =
            #"{"totalSize":3,"done":false,"nextRecordsUrl":"/wrong","records":[{"Id":"2"}],"nextRecordsUrl":"/right"}"#
        org.enqueue([QueryStub.record("1")], total: 3, next: "-1")
        org.transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(body.utf8))),
            when: { $0.url.path == QueryStub.path("-1") })
        let last = QueryStub.page([QueryStub.record("3")], total: 3)
        org.transport.enqueue(
            .response(HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(last.utf8))),
            when: { $0.url.path == "/right" })
        let ids = try await org.client().records("SELECT Id FROM A").collect(limit: 3).map(\.id)
        #expect(ids == ["1", "2", "3"])
    }
}
