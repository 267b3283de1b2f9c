// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
public import RestSDK
public import StoneRuntime

#if COMBINE_STAND_IN
public import Dropbox  // the file is one of the tests
#endif

extension Transfer {
    /// Returns a publisher of a transfer's progress, followed by its value.
    ///
    /// ```swift
    /// Transfer.publisher(of: box.upload(.file(path: "plan.pdf"), to: "/plan.pdf"))
    /// ```
    ///
    /// - Parameters:
    ///   - transfer: makes the transfer. It is evaluated again for every subscriber.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher. Cancelling a subscription cancels its transfer.
    public static func publisher(
        of transfer: @autoclosure @escaping @Sendable () -> Transfer,
        isolation: isolated (any Actor)? = #isolation
    ) -> RestClient.TransferPublisher<TransferUpdate, Output, CallError<Failure>> {
        CallPublisher(isolation: isolation) { (report) async throws(CallError<Failure>) in
            let transfer = transfer()
            let progress = transfer.progress
            transfer.resume()
            for await update in progress { report(update) }
            return try await transfer.value
        }
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Returns a publisher of the pages of a paged route, or of their elements.
    ///
    /// - Parameter isolation: the caller's actor.
    /// - Returns: a cold publisher, see `CallPublisher`.
    public func publisher<First, Next>(
        isolation: isolated (any Actor)? = #isolation
    ) -> CallPublisher<Element, PageError<First, Next>> where Failure == PageError<First, Next> {
        CallPublisher(ColdSource(self), isolation: isolation)
    }
}
#endif
