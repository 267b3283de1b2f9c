// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension RestClient {
    /// Sends a request that writes; when nobody knows whether it was applied, the user is told so before the failure.
    func write(_ request: RestRequest) async throws(RestError) -> RestResponse {
        do throws(RestError) { return try await send(request) } catch {
            error.noteOutcome()
            throw error
        }
    }
}

extension RestError {
    /// Tells the user when nobody knows whether a write was applied.
    func noteOutcome() {
        guard outcome == .unknown else { return }
        StandardOutput.note("soql: the outcome is unknown: the org may have done it; look before you send it again")
    }
}
