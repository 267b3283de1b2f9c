// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestTransport

/// The routes that write what is at an address into a file; only addresses of this machine are read.
struct SaveURLRoutes: Sendable {
    let jobs: JobBook

    func save(
        _ argument: Files.SaveUrlArg, _ context: RouteContext
    ) throws(BoxFailure<Files.SaveUrlError>) -> Files.SaveUrlResult {
        guard let url = try? HTTPURL(parsing: argument.url) else { throw .route(.invalidURL) }
        let result: Result<Files.FileMetadata, Files.SaveUrlError>
        do throws(BoxFailure<Files.SaveUrlError>) {
            result = .success(try Self.fetch(url, Commit(adding: argument.path, autorename: true), context.store))
        } catch {
            guard case .route(let problem) = error else { throw error }
            result = .failure(problem)
        }
        return .asyncJobID(jobs.add(result, context))
    }

    private static func fetch(
        _ url: HTTPURL, _ commit: Commit, _ store: BoxStore
    ) throws(BoxFailure<Files.SaveUrlError>) -> Files.FileMetadata {
        let body = UploadBody(store.folder)
        switch LoopbackFetch.get(url, into: body, most: store.limits.body) {
        case .done: break
        case .missing: throw .route(.notFound)
        case .refused: throw .route(.invalidURL)
        case .failed: throw .route(.downloadFailed)
        }
        let entry = try wrapping(Files.SaveUrlError.path) { () throws(BoxFailure<Files.WriteError>) in
            try store.write(body, commit)
        }
        guard let content = entry.content else { throw .refused(.broken) }
        return entry.file(content)
    }

    func check(
        _ argument: Async.PollArg, _ context: RouteContext
    ) throws(BoxFailure<Async.PollError>) -> Files.SaveUrlJobStatus {
        let result = try jobs.check(argument, context, as: Result<Files.FileMetadata, Files.SaveUrlError>.self)
        switch result {
        case .success(let file)?: return .complete(file)
        case .failure(let problem)?: return .failed(problem)
        case nil: return .inProgress
        }
    }
}
