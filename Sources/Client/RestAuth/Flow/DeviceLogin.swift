// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestTransport

/// A login that the user confirms on another device (RFC 8628 §3.2): show ``userCode`` and ``verificationURI``.
public struct DeviceLogin: Sendable, Hashable {
    /// The code that the user types, in visible characters only.
    public let userCode: String
    /// The URL that the user opens, as a string to show, in visible characters only.
    public let verificationURI: String
    /// The page that the program may open for the user: https, or http on the local machine.
    ///
    /// It contains the code if the server sent such a URL. It is `nil` if the server sent another kind of URL, which
    /// the program must only show.
    public let page: HTTPURL?
    /// The time in which the user must confirm the login.
    public let lifetime: Duration
    /// The minimum interval between two requests to the token endpoint.
    public let interval: Duration
    let expiry: ContinuousClock.Instant
    let deviceCode: Secret

    /// The interval if the server sends none (§3.5).
    static let defaultInterval = Duration.seconds(5)
    /// The lifetime if the server sends none: Salesforce's ten minutes.
    static let defaultLifetime = Duration.seconds(600)

    /// Reads a device authorization response that arrived at `now`.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the response has no codes, or if its strings would control
    ///   the terminal that shows them.
    init(_ members: OAuthMembers, at now: ContinuousClock.Instant) throws(OAuthError) {
        // Some servers write the older name `verification_url`.
        let address = (members["verification_uri"] ?? members["verification_url"])?.string
        guard let deviceCode = members["device_code"]?.string, let userCode = members["user_code"]?.string, let address
        else { throw Self.fault("has no codes") }
        guard !PlainText.steersTerminal(userCode), !PlainText.steersTerminal(address), userCode.count <= 100,
            address.count <= 2_000
        else { throw Self.fault("has a code or a URL that cannot be shown") }
        self.deviceCode = Secret(deviceCode)
        self.userCode = userCode
        verificationURI = address
        page = [members["verification_uri_complete"]?.string, address].lazy.compactMap { $0 }
            .compactMap { try? HTTPURL(parsing: $0) }.first { $0.isTrustworthy }
        lifetime = members["expires_in"].flatMap(Self.lifetime) ?? Self.defaultLifetime
        interval = min(max(Self.interval(members["interval"]), .seconds(1)), lifetime)
        expiry = now + lifetime
    }

    private static func interval(_ value: JSONValue?) -> Duration {
        value?.whole(in: .seconds, rounding: .up).map { .seconds($0) } ?? defaultInterval
    }

    private static func lifetime(_ value: JSONValue) -> Duration? {
        value.whole(in: .seconds).flatMap { (1...86_400).contains($0) ? .seconds($0) : nil }
    }

    private static func fault(_ what: String) -> OAuthError {
        OAuthError(.invalidResponse, "the server's response to the device login \(what)")
    }
}

extension DeviceLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL for the user, without the codes, because a reader of a log could use a code to confirm the login.
    public var description: String { "device login at \(verificationURI)" }
    /// The same string as `description`.
    public var debugDescription: String { description }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension OAuthClient {
    /// Begins a login that the user confirms on another device, for programs without a browser (RFC 8628 §3.1).
    ///
    /// Show the user the code and the URL of the ``DeviceLogin``, then call ``finishDeviceLogin(_:clock:)``.
    ///
    /// - Parameters:
    ///   - scopes: the scopes to request. If empty, the server grants those registered for the client.
    ///   - deadline: the time at which the request fails with `.timedOut`.
    ///   - clock: the clock that measures the lifetime of the code.
    /// - Returns: the code and the URL to show to the user.
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
        case nil: throw OAuthError(.invalidRequest, "the server does not support device logins; use another grant")
        }
        // RFC 8628 requires the id only from clients that do not authenticate. Some servers require it from every
        // client.
        let secret = try await secret()
        if secret != nil, server.clientAuthentication == .basic { form.append(("client_id", Secret(clientID))) }
        let response = try await post(form, with: secret, to: endpoint, until: deadline)
        return try DeviceLogin(try response.members(), at: clock.now)
    }

    /// Waits until the user has confirmed a device login, and returns the tokens.
    ///
    /// The server is polled as often as it allows. While it is unreachable, or a gateway responds instead of it, the
    /// interval doubles after each request. The wait ends when the code expires, at the latest.
    ///
    /// - Parameters:
    ///   - login: the login returned by ``beginDeviceLogin(scopes:deadline:clock:)``.
    ///   - clock: the clock that measures the intervals.
    /// - Returns: the credential. Set ``Credential/login`` before you store it.
    /// - Throws: ``OAuthError``: `.userDenied`, `.deviceCodeExpired`, `.cancelled` or another error of the server.
    public func finishDeviceLogin(
        _ login: DeviceLogin, clock: any MonotonicClock = ContinuousClock()
    ) async throws(OAuthError) -> Credential {
        let isPlatform = if case .platform = server.deviceEndpoint { true } else { false }
        let grant = DeviceCodeGrant(deviceCode: login.deviceCode, isPlatform: isPlatform, dpopKey: try makeKey())
        var polling = DevicePolling(login)
        var step = polling.first(at: clock.now)
        while true {
            switch step {
            case .stop(let error): throw error
            case .ask(let moment):
                do { try await clock.sleep(until: moment, tolerance: nil) } catch {
                    throw OAuthError(.cancelled, "cancelled while waiting for the user to approve the login")
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

/// The polling schedule of a device login (RFC 8628 §3.5), as a value without I/O.
struct DevicePolling {
    enum Step: Equatable {
        case ask(at: ContinuousClock.Instant)
        case stop(OAuthError)
    }

    /// The interval between two requests, which the server can increase for the rest of the login.
    private(set) var interval: Duration
    private let expiry: ContinuousClock.Instant
    /// The number of consecutive requests without a response, each of which doubles the wait.
    private var unanswered = 0

    init(_ login: DeviceLogin) {
        interval = login.interval
        expiry = login.expiry
    }

    func first(at now: ContinuousClock.Instant) -> Step { ask(after: interval, at: now) }

    mutating func step(after error: OAuthError, at now: ContinuousClock.Instant) -> Step {
        switch error.code {
        case .authorizationPending: unanswered = 0
        case .slowDown: (unanswered, interval) = (0, interval + .seconds(5))
        // The page is from a gateway, not from the authorization server.
        case .unreachable, .timedOut, .serverUnavailable, .unexpectedContentType: unanswered += 1
        default: return .stop(error)
        }
        let wait = interval * (1 << min(unanswered, 10))
        return ask(after: max(wait, error.retryAfter ?? .zero), at: now)
    }

    /// The last request is sent when the code expires, so that a confirmation during the last interval counts.
    private func ask(after wait: Duration, at now: ContinuousClock.Instant) -> Step {
        guard now < expiry else {
            return .stop(
                OAuthError(.deviceCodeExpired, "the code expired before the login was approved; start a new login"))
        }
        return .ask(at: min(now + wait, expiry))
    }
}
