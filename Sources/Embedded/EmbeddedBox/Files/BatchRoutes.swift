// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import Synchronization

/// The routes that change many entries in one job, each entry on its own.
struct BatchRoutes: Sendable {
    private let jobs = JobBook()

    func delete(_ argument: Files.DeleteBatchArg, _ context: RouteContext) throws -> Files.DeleteBatchLaunch {
        let entries = try argument.entries.map { entry -> Files.DeleteBatchResultEntry in
            do {
                if context.store.ground.contention.takes(entry.path) { return .failure(.tooManyWriteOperations) }
                let metadata = try context.store.transaction { try $0.delete(entry).metadata }
                return .success(Files.DeleteBatchResultData(metadata: metadata))
            } catch let problem as Files.DeleteError {
                return .failure(problem)
            }
        }
        return .asyncJobID(jobs.add(Files.DeleteBatchResult(entries: entries), context))
    }

    func checkDelete(_ argument: Async.PollArg, _ context: RouteContext) throws -> Files.DeleteBatchJobStatus {
        try jobs.check(argument, context).map(Files.DeleteBatchJobStatus.complete) ?? .inProgress
    }

    func relocate(
        _ paths: [Files.RelocationPath], _ kind: Relocation, autorename: Bool, _ context: RouteContext
    ) throws -> Files.RelocationBatchV2Launch {
        let entries = try paths.map { path -> Files.RelocationBatchResultEntry in
            do {
                if context.store.ground.contention.takes(path.toPath) { return .failure(.tooManyWriteOperations) }
                return .success(
                    try context.store.transaction { try $0.relocate(path, kind, autorename: autorename).metadata })
            } catch let problem as Files.RelocationError {
                return .failure(.relocationError(problem))
            }
        }
        return .asyncJobID(jobs.add(Files.RelocationBatchV2Result(entries: entries), context))
    }

    func checkRelocation(
        _ argument: Async.PollArg, _ context: RouteContext
    ) throws -> Files.RelocationBatchV2JobStatus {
        try jobs.check(argument, context).map(Files.RelocationBatchV2JobStatus.complete) ?? .inProgress
    }

    func createFolders(
        _ argument: Files.CreateFolderBatchArg, _ context: RouteContext
    ) throws -> Files.CreateFolderBatchLaunch {
        let entries = try argument.paths.map { path -> Files.CreateFolderBatchResultEntry in
            do {
                let folder = try context.store.transaction {
                    try $0.createFolder(path, autorename: argument.autorename).folder
                }
                return .success(Files.CreateFolderEntryResult(metadata: folder))
            } catch let problem as Files.WriteError {
                return .failure(.path(problem))
            }
        }
        let result = Files.CreateFolderBatchResult(entries: entries)
        return argument.forceAsync ? .asyncJobID(jobs.add(result, context)) : .complete(result)
    }

    func checkCreateFolders(
        _ argument: Async.PollArg, _ context: RouteContext
    ) throws -> Files.CreateFolderBatchJobStatus {
        try jobs.check(argument, context).map(Files.CreateFolderBatchJobStatus.complete) ?? .inProgress
    }
}

/// The jobs of batches, and their results.
///
/// A batch is done when its job starts. The first check of a job still returns `in_progress`.
final class JobBook: Sendable {
    private struct Job {
        let result: any Sendable
        let namespace: String
        var wasChecked = false
    }

    private let jobs = Mutex<[String: Job]>([:])

    /// Stores the result of a job and returns the job's ID.
    func add(_ result: some Sendable, _ context: RouteContext) -> String {
        let id = "dbjid:" + RandomText.make(40)
        let job = Job(result: result, namespace: context.store.namespace)
        jobs.withLock { $0[id] = job }
        return id
    }

    /// Returns the result of a job of this kind, or `nil` while it is in progress.
    func check<Result: Sendable>(_ argument: Async.PollArg, _ context: RouteContext) throws -> Result? {
        let (id, namespace) = (argument.asyncJobID, context.store.namespace)
        let found = jobs.withLock { jobs -> (result: Result, isOver: Bool)? in
            guard let job = jobs[id], job.namespace == namespace, let result = job.result as? Result else { return nil }
            jobs[id]?.wasChecked = true
            return (result, job.wasChecked)
        }
        guard let found else { throw Async.PollError.invalidAsyncJobID }
        return found.isOver ? found.result : nil
    }
}
