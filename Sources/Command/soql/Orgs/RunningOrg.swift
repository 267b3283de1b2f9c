// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An embedded org that runs, and how to log in to it.
struct RunningOrg: Codable, Sendable {
    let process: Int32
    let started: String
    let address: String
    let token: String
    let clientID: String
    let clientSecret: String
    let username: String
    let password: String
    /// The file with the certificate to be trusted; `nil` for http.
    let certificateFile: String?

    init(_ org: LocalOrg, certificateFile: String?) {
        process = getpid()
        started = Date().ISO8601Format()
        (address, token) = (org.instanceURL, org.issueCredential().accessToken)
        (clientID, clientSecret) = (org.clientID, org.clientSecret)
        (username, password) = (org.username, org.password)
        self.certificateFile = certificateFile
    }

    /// A client of it, whose login lasts as long as the org.
    func client(_ configuration: RestClient.Configuration) throws -> RestClient {
        try RestClient(
            loginURL: address, clientID: clientID, clientSecret: Secret(clientSecret), configuration: configuration)
    }

    /// Lines for a shell, so that `soql` and other tools find the org in their environment.
    var settings: String {
        let trust = certificateFile.map { file in
            ["REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"].map { "export \($0)=\(file.shellQuoted)\n" }
                .joined()
        }
        return """
            export SF_INSTANCE_URL=\(address.shellWord)
            export SF_ACCESS_TOKEN=\(token.shellQuoted)
            export SF_LOGIN_URL=\(address.shellWord)
            export SF_CLIENT_ID=\(clientID.shellWord)
            export SF_CLIENT_SECRET=\(clientSecret.shellWord)
            export SF_USERNAME=\(username.shellWord)
            export SF_PASSWORD=\(password.shellWord)
            \(trust ?? "")
            """
    }
}
