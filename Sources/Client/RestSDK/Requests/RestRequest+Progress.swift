// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension RestRequest {
    /// The same call with a function that is told how far the bodies have come, in every calling style.
    ///
    /// ```swift
    /// let answer = try await client.send(request.reportingProgress { bar.update($0.received) })
    /// ```
    ///
    /// The function is called on a thread of the transport, at most twenty times a second and once at the end of each
    /// attempt, and must return quickly. A call that is sent again starts again from zero. For queries of many pages
    /// see ``QueryRecords/reportingProgress(to:)``.
    ///
    /// - Parameter report: is told the progress; it replaces the one that was there.
    /// - Returns: the call.
    public func reportingProgress(to report: @escaping TransferProgress.Handler) -> RestRequest {
        var copy = self
        copy.progressObserver = ValueObserver(report)
        return copy
    }
}

/// A function in a request that is shown something of its call.
///
/// Two observers are equal when they are the same object.
final class ValueObserver<Value>: Sendable, Hashable {
    let see: @Sendable (_ value: Value) -> Void

    init(_ see: @escaping @Sendable (_ value: Value) -> Void) {
        self.see = see
    }

    static func == (left: ValueObserver, right: ValueObserver) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
