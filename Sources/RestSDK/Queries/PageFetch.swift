// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One page being fetched ahead.
///
/// When nobody waits for it any more, the fetch is cancelled, and with it the one of the page after it.
final class PageFetch: Sendable {
    /// A page, and the fetch of the one after it where that was begun already.
    struct Outcome: Sendable {
        let page: QueryPage
        let following: PageFetch?
    }

    private let task: Task<Result<Outcome, RestError>, Never>
    private let isAwaited: Flag

    /// Whether somebody waits for the page, known to the fetch's task.
    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// Begins to fetch.
    ///
    /// - Parameters:
    ///   - request: the page's request.
    ///   - client: sends it.
    ///   - wanted: how many records are wanted from this page on; beyond them nothing is fetched ahead.
    init(_ request: RestRequest, through client: RestClient, wanted: Int) {
        let flag = Flag()
        isAwaited = flag
        task = Task(name: request.name) {
            do throws(RestError) {
                let page = try QueryPage(await client.send(request))
                // Who waits will take the page at once, so the next one is due: its request need not wait for the hand-over.
                let isDue = flag.isSet.load(ordering: .relaxed) && !Task.isCancelled
                return .success(
                    Outcome(page: page, following: isDue ? page.fetchNext(after: request, client, wanted) : nil))
            } catch {
                return .failure(error)
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits for the page; cancelling the waiting task cancels the fetch.
    ///
    /// - Throws: ``RestError/Code/cancelled`` in a cancelled task, also when the page is there already.
    func outcome() async throws(RestError) -> Outcome {
        if !Task.isCancelled { isAwaited.isSet.store(true, ordering: .relaxed) }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard !Task.isCancelled else { throw RestError(.cancelled, "the task was cancelled between two pages") }
        return try outcome.get()
    }
}

extension QueryPage {
    /// Begins to fetch the page after this one; `nil` after the last, and when enough records are there.
    ///
    /// - Parameters:
    ///   - request: the request of this page.
    ///   - client: sends the next one.
    ///   - wanted: how many records were wanted from this page on.
    func fetchNext(after request: RestRequest, _ client: RestClient, _ wanted: Int) -> PageFetch? {
        guard let path = nextRecordsPath, request.resource != .serverPath(path), wanted > records.count else {
            return nil
        }
        return PageFetch(request.following(path), through: client, wanted: wanted - records.count)
    }
}
