// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import Synchronization

/// The routes that do a lot in one job, each entry by itself.
struct BatchRoutes: Sendable {
    let jobs: JobBook

    func delete(
        _ argument: Files.DeleteBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Never>) -> Files.DeleteBatchLaunch {
        var entries: [Files.DeleteBatchResultEntry] = []
        for entry in argument.entries {
            let result = try context.store.outcome { (tables) throws(BoxFailure<Files.DeleteError>) in
                if context.store.contention.takes(entry.path) { throw .route(.tooManyWriteOperations) }
                return try tables.delete(entry).metadata
            }
            switch result {
            case .success(let metadata): entries.append(.success(Files.DeleteBatchResultData(metadata: metadata)))
            case .failure(let problem): entries.append(.failure(problem))
            }
        }
        return .asyncJobID(jobs.add(Files.DeleteBatchResult(entries: entries), context))
    }

    func checkDelete(
        _ argument: Async.PollArg, _ context: RouteContext
    ) throws(BoxFailure<Async.PollError>) -> Files.DeleteBatchJobStatus {
        try jobs.check(argument, context, as: Files.DeleteBatchResult.self).map { .complete($0) } ?? .inProgress
    }

    func relocate(
        _ paths: [Files.RelocationPath], _ kind: Relocation, autorename: Bool,
        _ context: RouteContext
    ) throws(BoxFailure<Never>) -> Files.RelocationBatchV2Launch {
        var entries: [Files.RelocationBatchResultEntry] = []
        for path in paths {
            guard !context.store.contention.takes(path.toPath) else {
                entries.append(.failure(.tooManyWriteOperations))
                continue
            }
            let result = try context.store.outcome { (tables) throws(BoxFailure<Files.RelocationError>) in
                try tables.relocate(path, kind, autorename: autorename).metadata
            }
            switch result {
            case .success(let metadata): entries.append(.success(metadata))
            case .failure(let problem): entries.append(.failure(.relocationError(problem)))
            }
        }
        return .asyncJobID(jobs.add(Files.RelocationBatchV2Result(entries: entries), context))
    }

    func checkRelocation(
        _ argument: Async.PollArg, _ context: RouteContext
    ) throws(BoxFailure<Async.PollError>) -> Files.RelocationBatchV2JobStatus {
        let result = try jobs.check(argument, context, as: Files.RelocationBatchV2Result.self)
        return result.map { .complete($0) } ?? .inProgress
    }

    func createFolders(
        _ argument: Files.CreateFolderBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Never>) -> Files.CreateFolderBatchLaunch {
        var entries: [Files.CreateFolderBatchResultEntry] = []
        for path in argument.paths {
            let result = try context.store.outcome { (tables) throws(BoxFailure<Files.WriteError>) in
                try tables.createFolder(path, autorename: argument.autorename).folder
            }
            switch result {
            case .success(let folder): entries.append(.success(Files.CreateFolderEntryResult(metadata: folder)))
            case .failure(let problem): entries.append(.failure(.path(problem)))
            }
        }
        let result = Files.CreateFolderBatchResult(entries: entries)
        return argument.forceAsync ? .asyncJobID(jobs.add(result, context)) : .complete(result)
    }

    func checkCreateFolders(
        _ argument: Async.PollArg, _ context: RouteContext
    ) throws(BoxFailure<Async.PollError>) -> Files.CreateFolderBatchJobStatus {
        let result = try jobs.check(argument, context, as: Files.CreateFolderBatchResult.self)
        return result.map { .complete($0) } ?? .inProgress
    }
}

extension BoxStore {
    /// What one entry comes to, in a transaction of its own.
    func outcome<Success: Sendable, Problem: Error & Sendable>(
        _ body: (BoxTables) throws(BoxFailure<Problem>) -> Success
    ) throws(BoxFailure<Never>) -> Result<Success, Problem> {
        do throws(BoxFailure<Problem>) {
            return .success(try transaction(body))
        } catch {
            return .failure(try error.routeError())
        }
    }
}

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
