// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import Synchronization

/// The jobs that batches are, and their results.
///
/// The work is done when the job begins; checks answer `in_progress` so many times as the configuration says.
final class JobBook: Sendable {
    private struct Job {
        let result: any Sendable
        /// The namespace that the job was for.
        let namespace: String
        var checksLeft: Int
    }

    private let checks: Int
    private let jobs = Mutex<[String: Job]>([:])
    private static let most = 1_000

    init(checks: Int) {
        self.checks = max(0, checks)
    }

    /// Keeps the result of a job, and names the job.
    func add(_ result: some Sendable, _ context: RouteContext) -> String {
        let id = "dbjid:" + RandomText.make(40)
        jobs.withLock { jobs in
            if jobs.count >= Self.most { jobs.removeAll() }
            jobs[id] = Job(result: result, namespace: context.store.namespace, checksLeft: checks)
        }
        return id
    }

    /// The result of a job of that kind; `nil` while it is in progress.
    func check<Result: Sendable>(
        _ argument: Async.PollArg, _ context: RouteContext, as: Result.Type
    ) throws(BoxFailure<Async.PollError>) -> Result? {
        let (id, namespace) = (argument.asyncJobID, context.store.namespace)
        let found = jobs.withLock { jobs -> (result: Result, isOver: Bool)? in
            guard let job = jobs[id], job.namespace == namespace, let result = job.result as? Result else { return nil }
            jobs[id]?.checksLeft = max(0, job.checksLeft - 1)
            return (result, job.checksLeft == 0)
        }
        guard let found else { throw .route(.invalidAsyncJobID) }
        return found.isOver ? found.result : nil
    }
}
