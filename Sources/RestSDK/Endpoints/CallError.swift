// SPDX-License-Identifier: Apache-2.0

/// Why a typed call did not succeed: in a way of its own, or in one that every call shares.
public enum CallError<RouteError: Error & Sendable>: Error, Sendable {
    /// A failure that belongs to the call, with the server's id of the request where it named one.
    case route(RouteError, requestID: String?)
    /// Any other failure.
    case rest(RestError)
}

extension CallError: CustomStringConvertible {
    /// The failure in one line.
    public var description: String {
        switch self {
        case .route(let error, let id): id.map { "\(error) [request \($0)]" } ?? "\(error)"
        case .rest(let error): error.description
        }
    }
}
