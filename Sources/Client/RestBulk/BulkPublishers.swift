// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
public import RestSDK

#if COMBINE_STAND_IN
public import RestBulk  // the file is one of the tests
#endif

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == BulkError {
    /// A publisher of the sequence's elements, such as the rows or the row results of a job.
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher, see `CallPublisher`.
    public func publisher(isolation: isolated (any Actor)? = #isolation) -> CallPublisher<Element, BulkError> {
        CallPublisher(ColdSource(self), isolation: isolation)
    }
}

extension BulkQuery {
    /// A publisher of the progress and then the result of an export, see ``export(to:progress:)``.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which is replaced if it exists.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func exportPublisher(
        to path: String, isolation: isolated (any Actor)? = #isolation
    ) -> RestClient.TransferPublisher<BulkProgress, BulkExport, BulkError> {
        CallPublisher(isolation: isolation) { (report) async throws(BulkError) in
            try await self.export(to: path, progress: report)
        }
    }
}

extension BulkLoad {
    /// A publisher of the progress and then the summary of a run, see ``run(progress:)``.
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func runPublisher(
        isolation: isolated (any Actor)? = #isolation
    ) -> RestClient.TransferPublisher<BulkProgress, Summary, BulkError> {
        CallPublisher(isolation: isolation) { (report) async throws(BulkError) in
            try await self.run(progress: report)
        }
    }
}
#endif
