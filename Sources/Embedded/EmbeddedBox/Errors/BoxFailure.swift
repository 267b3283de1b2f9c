// SPDX-License-Identifier: Apache-2.0

/// Why a route does not give its result: by its own error, or by a refusal that any route may meet.
enum BoxFailure<Problem: Error & Sendable>: Error, Sendable {
    /// The route's own error, as the specs describe it; status 409.
    case route(Problem)
    case refused(BoxRefusal)
}

extension BoxFailure {
    /// The same failure, its own error wrapped into another one.
    func map<Other>(_ wrap: (Problem) -> Other) -> BoxFailure<Other> {
        switch self {
        case .route(let problem): .route(wrap(problem))
        case .refused(let refusal): .refused(refusal)
        }
    }
}

/// Runs the body; its error becomes a part of another one.
func wrapping<Result, Inner, Outer>(
    _ wrap: (Inner) -> Outer, _ body: () throws(BoxFailure<Inner>) -> Result
) throws(BoxFailure<Outer>) -> Result {
    do throws(BoxFailure<Inner>) {
        return try body()
    } catch {
        throw error.map(wrap)
    }
}
