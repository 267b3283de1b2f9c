// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension OAuthClient {
    /// Begins a login that the user agrees to on another device, for programs without a browser (RFC 8628 §3.1).
    ///
    /// Show the user what ``DeviceLogin`` says, then call ``finishDeviceLogin(_:clock:)``.
    ///
    /// - Parameters:
    ///   - scopes: what the tokens are to be good for; empty asks for what the client is registered for.
    ///   - deadline: when to give up.
    ///   - clock: measures the code's lifetime.
    /// - Throws: ``OAuthError``.
    public func beginDeviceLogin(
        scopes: [String] = [], deadline: ContinuousClock.Instant, clock: any MonotonicClock = ContinuousClock()
    ) async throws(OAuthError) -> DeviceLogin {
        var form = Scopes.field(scopes)
        let endpoint: HTTPURL
        switch server.deviceEndpoint {
        case .standard(let url): endpoint = url
        case .platform(let url):
            endpoint = url
            form.insert(("response_type", "device_code"), at: 0)
        case nil: throw OAuthError(.invalidRequest, "the server offers no device logins")
        }
        // RFC 8628 wants the id in the form of a client that does not authenticate; some servers want it of each.
        if clientSecret != nil, server.clientAuthentication == .basic { form.append(("client_id", Secret(clientID))) }
        let answer = try await post(form, to: endpoint, until: deadline)
        return try DeviceLogin(try answer.object(), at: clock.now)
    }

    /// Waits until the user has agreed to a device login, and gets the tokens.
    ///
    /// The server is asked as often as it allows; while it cannot be reached, less and less often. It ends when the
    /// code expires, at the latest.
    ///
    /// - Parameters:
    ///   - login: the login as it was begun.
    ///   - clock: measures the waits.
    /// - Throws: ``OAuthError``: `.userDenied`, `.deviceCodeExpired`, `.cancelled` or what else the server says.
    public func finishDeviceLogin(
        _ login: DeviceLogin, clock: any MonotonicClock = ContinuousClock()
    ) async throws(OAuthError) -> Credential {
        var isPlatform = false
        if case .platform = server.deviceEndpoint { isPlatform = true }
        let grant = DeviceCodeGrant(deviceCode: login.deviceCode, isPlatform: isPlatform)
        var polling = DevicePolling(login)
        var step = polling.first(at: clock.now)
        while true {
            switch step {
            case .stop(let error): throw error
            case .ask(let moment):
                do { try await clock.sleep(until: moment, tolerance: nil) } catch {
                    throw OAuthError(.cancelled, "cancelled while waiting for the user to agree")
                }
            }
            do throws(OAuthError) {
                return try await token(for: grant, deadline: clock.now + .seconds(30))
            } catch {
                step = polling.step(after: error, at: clock.now)
            }
        }
    }
}
