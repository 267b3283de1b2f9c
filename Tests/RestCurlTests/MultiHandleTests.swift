// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestCurl

@Suite("The multi handle")
struct MultiHandleTests {
    @Test("A transfer that libcurl does not take is an error at once, not silence until the deadline")
    func refusedTransfer() throws {
        let configuration = CurlConfiguration()
        let multi = try #require(MultiHandle(configuration: configuration))
        let handle = try EasyHandle(
            configuration: configuration, buffers: BodyBufferPool(), multi: multi, turn: LoopTurn())
        try multi.add(handle)
        let error = #expect(throws: TransportError.self) { try multi.add(handle) }
        #expect(error?.mayHaveReachedServer == false)
        multi.remove(handle)
    }
}
