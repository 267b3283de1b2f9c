// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestCurl
import RestSDK
import RestTransport

/// The samples of the article on connections, word for word; they run against an org on this machine, which no proxy
/// serves.
@MainActor
enum ConnectionSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        try await samples(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret), password: "p")
        await org.stop()
    }

    private static func samples(
        loginURL: String, clientID: String, clientSecret: Secret, password: String
    ) async throws {
        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 1
        var curl = CurlConfiguration()
        curl.tls.authoritiesFile = "/etc/example/authorities.pem"
        let transport = CurlTransport(configuration: curl)
        let client = try RestClient(
            loginURL: loginURL, clientID: clientID, clientSecret: clientSecret,
            configuration: RestClient.Configuration(transport: transport))
        // end
        _ = try await client.send(.limits)

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 2
        curl.tls.minimumVersion = .tls13
        curl.tls.pinnedKeyDigests = [
            "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", "Wec45nQiFwKvHtuHxSAMGkt19k+uPSw9JlEkxhvYPHk=",
        ]
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 3
        curl.tls.clientCertificateFile = "/etc/example/client.pem"
        curl.tls.clientKeyFile = "/etc/example/client.key"
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 4
        // directly, whatever the environment says
        curl.proxy = .none

        // through one, except for these hosts and those below them
        curl.proxy = .server(
            try HTTPURL(parsing: "https://proxy.example.com:3128/"), except: ["internal.example.com"],
            login: .init(user: "robot", password: password))
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 5
        curl.connectTimeout = .seconds(5)  // name, connection and TLS
        curl.firstByteTimeout = .seconds(30)  // from sending the request to the end of the answer's header
        curl.idleTimeout = .seconds(20)  // silence within a body
        curl.maximumConnectionsPerHost = 8
        curl.maximumConnections = 64
        curl.maximumBodyBytes = 16 * 1024 * 1024  // after decompression
        curl.maximumHeaderBytes = 32 * 1024
        curl.maximumDecompressionRatio = 100
        // end

        // sample: docs/RestSDK.docc/ConnectionsAndTrust.md 6
        curl.collectsMetrics = true
        let metered = try RestClient(
            loginURL: loginURL, clientID: clientID, clientSecret: clientSecret,
            configuration: RestClient.Configuration(transport: CurlTransport(configuration: curl)))
        // end
        _ = try await metered.send(.limits)
    }
}
