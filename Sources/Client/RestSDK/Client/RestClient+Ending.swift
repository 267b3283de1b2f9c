// SPDX-License-Identifier: Apache-2.0

public import RestAuth

extension RestClient {
    /// Cancels every call that is under way; each ends with ``RestError/Code/cancelled``, once.
    ///
    /// Later calls are not touched.
    public func cancelAll() {
        runner.calls.cancelAll()
    }

    /// Ends the client: every call that is under way fails with ``RestError/Code/shutDown``, once, and so does every
    /// later one.
    ///
    /// Nobody is logged out, and the transport, which other clients may use, stays open. Shutting down twice does
    /// nothing.
    public func shutdown() {
        runner.calls.shutDown()
    }

    /// Whether the client was shut down.
    public var isShutDown: Bool { runner.calls.isShutDown }

    /// How many calls wait in the client's own line.
    package var waitingCalls: Int { runner.limiter.waiting }
}

extension RestClient {
    /// Renews the account's access token now, although no call was refused: before a long piece of work, or to test a
    /// login.
    ///
    /// Calls go on with the new token; when a renewal is under way already, this waits for that one.
    ///
    /// - Parameter timeout: how long to wait; `nil` takes the client's.
    /// - Returns: the new credential.
    /// - Throws: ``RestError/Code/refreshFailed`` when the server refuses, or when the login has no way to renew, in
    ///   which case the token in use stays in use; ``RestError/Code/loginFailed`` when it would have been the first
    ///   one.
    @discardableResult
    public func refreshNow(timeout: Duration? = nil) async throws(RestError) -> Credential {
        do throws(OAuthError) {
            return try await runner.tokens.refreshNow(deadline: runner.clock.now + (timeout ?? runner.timeout))
                .credential
        } catch {
            throw RestError(error, isWrite: false, isFirstLogin: runner.tokens.lastInstance == nil)
        }
    }
}
