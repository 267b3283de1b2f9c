// SPDX-License-Identifier: Apache-2.0

import Dropbox

extension Transfer {
    /// The value; when there is none, what has come of a file is gone from the disk too.
    var settledValue: Output {
        get async throws(CallError<Failure>) {
            do throws(CallError<Failure>) {
                return try await value
            } catch {
                await waitUntilIdle()
                throw error
            }
        }
    }
}
