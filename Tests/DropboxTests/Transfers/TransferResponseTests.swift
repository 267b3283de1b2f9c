// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Dropbox
import RestTesting
import Synchronization
import Testing

@Suite("Transfers with closures")
struct TransferResponseTests {
    private let script: ContentStub

    init() throws {
        script = try ContentStub()
    }

    @Test("Closures hear the progress and then, once, the result, on the queue that was named")
    func queue() async throws {
        let queue = DispatchQueue(label: "closures")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        script.answer(ContentStub.content)
        let told = Mutex<[Int64]>([])
        let result = await withCheckedContinuation { over in
            script.download().response(on: queue) { update in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                told.withLock { $0.append(update.progress.received) }
            } completion: { result in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                over.resume(returning: result)
            }
        }
        #expect(try result.get().size == 12)
        #expect(told.withLock(\.self).last == 12)
    }

    @Test("On the caller's actor they hear there, also when the transfer is over already")
    @MainActor
    func actor() async throws {
        script.answer(ContentStub.content)
        let download = script.download()
        _ = try await download.value
        var results: [Int] = []
        for _ in 0..<2 {
            await withCheckedContinuation { over in
                download.response { result in
                    MainActor.assertIsolated()
                    results.append((try? result.get()).map { Int($0.size) } ?? 0)
                    // A transfer can be cancelled out of its own closure.
                    download.cancel()
                    over.resume()
                }
            }
        }
        #expect(results == [12, 12])
    }

    @Test("A cancelled transfer tells it")
    func cancel() async throws {
        let download = script.download()
        download.cancel()
        let result = await withCheckedContinuation { over in
            download.response { over.resume(returning: $0) }
        }
        #expect(throws: CallError<Files.DownloadError>.self) { try result.get() }
        #expect(script.stub.transport.requests.isEmpty)
    }
}
