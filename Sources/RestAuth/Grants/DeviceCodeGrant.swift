// SPDX-License-Identifier: Apache-2.0

/// The code of a device login gives tokens once the user has agreed elsewhere (RFC 8628 §3.4).
struct DeviceCodeGrant: OAuthGrant {
    let deviceCode: Secret
    /// Whether to speak the platform's older form.
    let isPlatform: Bool

    var parameters: [(name: String, value: Secret)] {
        guard isPlatform else {
            return [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode),
            ]
        }
        return [("grant_type", "device"), ("code", deviceCode)]
    }
}
