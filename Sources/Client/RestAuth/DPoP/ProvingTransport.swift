// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestTransport
import Synchronization

/// Adds a DPoP proof to each request before it is sent, and sends it once more if the server requires a new nonce.
///
/// It is the only place that adds proofs, and so a retry, a redirect or a renewal has its own proof. The proof is for
/// the access token of `Authorization: DPoP`, if the request has one.
package struct ProvingTransport: OuterTransport {
    package let base: any HTTPTransport
    private let key: Credential.DPoPKey
    private let nonces: DPoPNonces

    package init(_ base: any HTTPTransport, key: Credential.DPoPKey, nonces: DPoPNonces) {
        (self.base, self.key, self.nonces) = (base, key, nonces)
    }

    package func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let origin = request.url.origin
        let used = nonces[origin]
        let response = try await base.send(
            try proved(request, used), to: destination, deadline: deadline, progress: progress)
        nonces.learn(from: response.head, of: origin)
        // The same nonce again, or none, would be rejected again.
        guard response.requiresDPoPNonce, request.body.isReplayable, let nonce = nonces[origin], nonce != used else {
            return response
        }
        let second = try await base.send(
            try proved(request, nonce), to: destination, deadline: deadline, progress: progress)
        nonces.learn(from: second.head, of: origin)
        return second
    }

    package func shutdown() async { await base.shutdown() }

    private func proved(_ request: HTTPRequest, _ nonce: String?) throws(TransportError) -> HTTPRequest {
        var proved = request
        let token = request.fields["Authorization"]?.removing(prefix: Credential.DPoPKey.scheme).map {
            Secret(String($0))
        }
        do throws(OAuthError) {
            proved.fields["DPoP"] = try key.proof(for: request.method, request.url, accessToken: token, nonce: nonce)
        } catch {
            throw TransportError(.other, error.message, mayHaveReachedServer: false)
        }
        return proved
    }
}

extension Credential.DPoPKey {
    static let scheme = "DPoP "
}

extension Credential {
    /// The value of the `Authorization` header with this access token, which is never Bearer for a bound token.
    package var authorization: String {
        (dpopKey == nil ? "Bearer " : Credential.DPoPKey.scheme) + accessToken.reveal()
    }
}

/// The newest nonce of each server, shared by the requests of a client.
package final class DPoPNonces: Sendable {
    private let state = Mutex(NewestNonces())

    package init() {}

    package subscript(_ origin: Origin) -> String? { state.withLock { $0[origin] } }

    func learn(from head: HTTPResponse.Head, of origin: Origin) {
        let values = head.fields.values(of: "DPoP-Nonce")
        guard let nonce = values.first, values.count == 1 else { return }
        state.withLock { $0.learn(nonce, of: origin) }
    }
}

/// The newest nonce of each origin, as a value.
struct NewestNonces {
    private var nonces: [(origin: Origin, nonce: String)] = []

    /// The maximum number of origins, beyond which the one that sent its nonce first is forgotten.
    static let capacity = 64
    /// The maximum length of a nonce in bytes, because it is repeated in each request.
    static let longest = 1_024

    subscript(_ origin: Origin) -> String? { nonces.first { $0.origin == origin }?.nonce }

    /// Stores a nonce, unless it is too long or has characters that no nonce may have (RFC 9449 §8.1).
    mutating func learn(_ nonce: String, of origin: Origin) {
        guard (1...Self.longest).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { return }
        if let index = nonces.firstIndex(where: { $0.origin == origin }) {
            nonces[index].nonce = nonce
        } else {
            if nonces.count == Self.capacity { nonces.removeFirst() }
            nonces.append((origin, nonce))
        }
    }
}

extension HTTPResponse {
    /// Whether the response rejects a request because its proof has no nonce, or an old one (RFC 9449 §8, §9).
    ///
    /// Resources say so in a header, and token endpoints in the body.
    fileprivate var requiresDPoPNonce: Bool {
        guard [400, 401].contains(head.status) else { return false }
        return head.requiresDPoPNonce
            || OAuthResponse(self, from: "").errorCode == OAuthError.Code.dpopNonceRequired.rawValue
    }
}

extension HTTPResponse.Head {
    /// Whether the challenge of a resource requires a nonce.
    package var requiresDPoPNonce: Bool {
        status == 401
            && fields.values(of: "WWW-Authenticate").contains { value in
                BearerChallenge(value)?.parameters["error"] == OAuthError.Code.dpopNonceRequired.rawValue
            }
    }
}
