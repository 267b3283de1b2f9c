// SPDX-License-Identifier: Apache-2.0

/// One page being fetched ahead.
///
/// When nobody waits for it any more, the fetch is cancelled.
final class PageFetch: Sendable {
    private let task: Task<Result<QueryPage, RestError>, Never>

    init(_ request: RestRequest, through client: RestClient) {
        task = Task(name: request.name) {
            do throws(RestError) {
                return .success(try QueryPage(await client.send(request)))
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
    func page() async throws(RestError) -> QueryPage {
        let page = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard !Task.isCancelled else { throw RestError(.cancelled, "the task was cancelled between two pages") }
        return try page.get()
    }
}
