// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("Bodies of requests")
struct HTTPBodyTests {
    @Test("a body in memory shows its bytes; a file and a stream have none to show")
    func inMemory() {
        #expect(HTTPBody.bytes([1, 2]).inMemory == [1, 2])
        #expect(HTTPBody.empty.inMemory == [])
        #expect(HTTPBody.file(path: "/tmp/a").inMemory == nil)
        #expect(HTTPBody.stream(.once(length: 0) { nil }).inMemory == nil)
    }
}
