// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestTransport

/// A login that the user agrees to on another device (RFC 8628 §3.2): show ``userCode`` and ``verificationURI``.
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

    /// What a server means that names no interval (§3.5).
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
