// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestTransport

/// A login that the user agrees to on another device (RFC 8628 3.2): show ``userCode`` and ``verificationURI``.
public struct DeviceLogin: Sendable, Hashable {
    /// The code that the user types; visible characters only.
    public let userCode: String
    /// The address that the user opens, as text to show; visible characters only.
    public let verificationURI: String
    /// The page that may be opened for the user: https, or http to this machine; `nil` when the server named another
    /// kind of address, which is to be shown only.
    ///
    /// It holds the code already when the server gave such an address.
    public let page: HTTPURL?
    /// How long the user has.
    public let lifetime: Duration
    /// How often the server wants to be asked at most.
    public let interval: Duration
    /// When the code expires.
    let expiry: ContinuousClock.Instant
    let deviceCode: Secret

    /// What a server means that names no interval (3.5).
    static let defaultInterval = Duration.seconds(5)
    /// What a server means that names no lifetime: the platform's ten minutes.
    static let defaultLifetime = Duration.seconds(600)

    /// Reads a device authorization response that came at the moment `now`.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` for an answer without codes, or whose texts would steer the
    ///   terminal they are shown on.
    init(_ members: OAuthMembers, at now: ContinuousClock.Instant) throws(OAuthError) {
        // Some servers write the older name `verification_url`.
        let address = (members["verification_uri"] ?? members["verification_url"])?.string
        guard let deviceCode = members["device_code"]?.string, let userCode = members["user_code"]?.string, let address
        else { throw Self.fault("names no codes") }
        guard !PlainText.steersTerminal(userCode), !PlainText.steersTerminal(address), userCode.count <= 100,
            address.count <= 2_000
        else { throw Self.fault("has a code or an address that cannot be shown") }
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
        OAuthError(.invalidResponse, "the server's answer to the device \(what)")
    }
}

extension DeviceLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the user goes; the codes are left out, since whoever reads one in a log can answer in the user's place.
    public var description: String { "device login at \(verificationURI)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension OAuthClient {
    /// Begins a login that the user agrees to on another device, for programs without a browser (RFC 8628 3.1).
    ///
    /// Show the user what ``DeviceLogin`` says, then call ``finishDeviceLogin(_:clock:)``.
    ///
    /// - Parameters:
    ///   - scopes: what the tokens are to be good for; empty asks for what the client is registered for.
    ///   - deadline: when to give up.
    ///   - clock: measures the code's lifetime.
    /// - Returns: what to show to the user.
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
        let secret = try await secret()
        if secret != nil, server.clientAuthentication == .basic { form.append(("client_id", Secret(clientID))) }
        let answer = try await post(form, with: secret, to: endpoint, until: deadline)
        return try DeviceLogin(try answer.members(), at: clock.now)
    }

    /// Waits until the user has agreed to a device login, and gets the tokens.
    ///
    /// The server is asked as often as it allows. While it cannot be reached, or a page of a gateway comes in place of
    /// its answer, it is asked less and less often. The wait ends when the code expires, at the latest.
    ///
    /// - Parameters:
    ///   - login: the login as it was begun.
    ///   - clock: measures the waits.
    /// - Returns: what the login gave; set ``Credential/login`` before it is kept.
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

/// How often a device asks whether its user has agreed (RFC 8628 3.5): a value without I/O.
struct DevicePolling {
    /// What the device does next.
    enum Step: Equatable {
        /// Ask at this moment.
        case ask(at: ContinuousClock.Instant)
        /// Stop with this error.
        case stop(OAuthError)
    }

    /// How long to wait between two questions; grows for good when the server asks for it.
    private(set) var interval: Duration
    private let expiry: ContinuousClock.Instant
    /// How many questions in a row got no answer; each doubles the wait until one does.
    private var unanswered = 0

    init(_ login: DeviceLogin) {
        interval = login.interval
        expiry = login.expiry
    }

    /// The first question.
    func first(at now: ContinuousClock.Instant) -> Step { ask(after: interval, at: now) }

    /// The step after a question that gave no tokens.
    mutating func step(after error: OAuthError, at now: ContinuousClock.Instant) -> Step {
        switch error.code {
        case .authorizationPending:
            unanswered = 0
            return ask(after: max(interval, error.retryAfter ?? .zero), at: now)
        case .slowDown:
            unanswered = 0
            interval += .seconds(5)
            return ask(after: max(interval, error.retryAfter ?? .zero), at: now)
        // A page is not the server's response. It comes from a gateway in between, for now.
        case .unreachable, .timedOut, .serverUnavailable, .unexpectedContentType:
            unanswered += 1
            let wait = interval * (1 << min(unanswered, 10))
            return ask(after: max(wait, error.retryAfter ?? .zero), at: now)
        default: return .stop(error)
        }
    }

    /// The last question is asked when the code expires, so that an answer in the last interval is not missed.
    private func ask(after wait: Duration, at now: ContinuousClock.Instant) -> Step {
        guard now < expiry else {
            return .stop(
                OAuthError(.deviceCodeExpired, "nobody agreed to the login before its code expired; begin a new one"))
        }
        return .ask(at: min(now + wait, expiry))
    }
}
