// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The longest span that anything is measured with: about a century, so that no sum and no product of spans
    /// overflows, in nanoseconds either.
    static let longest: Duration = .seconds(3_000_000_000)

    /// The span, or the nearest one between no time and the ``longest``: for settings of the app, which are never
    /// refused.
    var bounded: Duration { min(max(self, .zero), .longest) }
}
