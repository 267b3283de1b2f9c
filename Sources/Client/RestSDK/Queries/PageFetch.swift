// SPDX-License-Identifier: Apache-2.0

/// One page being fetched ahead.
///
/// When nobody waits for it any more, the fetch is cancelled, and with it the one of the page after it.
final class PageFetch: Sendable {
    /// A page, and the fetch of the one after it where that was begun already.
    struct Outcome: Sendable {
        let page: QueryPage
        let following: PageFetch?
    }

    private let task: Task<Result<QueryPage, RestError>, Never>
    private let relay: PageRelay

    /// Begins to fetch.
    ///
    /// - Parameters:
    ///   - request: the page's request.
    ///   - client: sends it.
    ///   - isLast: whether the page after this one is not to be fetched before it is asked for.
    init(_ request: RestRequest, through client: RestClient, isLast: Bool) {
        let relay = PageRelay(request, client, isLast: isLast)
        self.relay = relay
        task = Task(name: request.name) {
            do throws(RestError) { return .success(try await relay.page()) } catch { return .failure(error) }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits for the page; cancelling the waiting task cancels the fetch.
    ///
    /// - Throws: ``RestError/Code/cancelled`` in a cancelled task, also when the page is there already.
    func outcome() async throws(RestError) -> Outcome {
        if !Task.isCancelled { relay.expect() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard !Task.isCancelled else { throw RestError(.cancelled, "the task was cancelled between two pages") }
        let page = try result.get()
        return Outcome(page: page, following: relay.takeFetch(of: page.nextRecordsPath))
    }
}
