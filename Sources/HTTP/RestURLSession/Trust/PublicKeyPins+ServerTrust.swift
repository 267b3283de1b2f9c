// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import CryptoKit
import Foundation
import Security

extension PublicKeyPins {
    /// Why a server is not to be trusted: first the system judges its certificate, then its key must be a pinned one.
    func failure(of trust: SecTrust) -> String? {
        guard SecTrustEvaluateWithError(trust, nil) else { return "the server's certificate is not trusted" }
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first else {
            return "the server sent no certificate"
        }
        let certificate = [UInt8](SecCertificateCopyData(leaf) as Data)
        let isPinned = accept(certificate) { [UInt8](SHA256.hash(data: $0)) }
        return isPinned ? nil : "the server's key is none of the pinned ones"
    }
}
#endif
