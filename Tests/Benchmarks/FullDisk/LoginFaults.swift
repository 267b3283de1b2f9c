// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTransport

/// A stored login that a process renews: it must exist afterwards, and be renewable.
struct LoginFaults: FaultKind {
    let name = "logins"
    let points: Int
    let org: LocalOrg

    private func saved(_ trial: FaultTrial) async throws -> Credential? {
        try await FileCredentialStore(directory: trial.folder).load(AuthBench.account)?.credential
    }

    private func first(_ trial: FaultTrial) -> String { "\(trial.side)/token" }

    func prepare(_ trial: FaultTrial) async throws {
        let issued = org.issueCredential()
        let login = Credential(
            accessToken: Secret(issued.accessToken), refreshToken: Secret(issued.refreshToken),
            instance: try HTTPURL(parsing: org.instanceURL).origin)
        _ = try await FileCredentialStore(directory: trial.folder).save(login, for: AuthBench.account, replacing: nil)
        let settings = [org.instanceURL, org.clientID, org.clientSecret].joined(separator: "\n")
        try trial.write(Array(settings.utf8), "settings")
        try Data(issued.accessToken.utf8).write(to: URL(fileURLWithPath: first(trial)))
    }

    func attempt(_ trial: FaultTrial, _ point: FaultPoint?) async -> Bool {
        let settings = [AuthWorker.directoryVariable: trial.folder, AuthWorker.variable("RENEWALS"): "1"]
        return await trial.launch(CommandLine.arguments[0], ["auth"], settings, point)
    }

    func inspect(_ trial: FaultTrial, isDone: Bool, isLast: Bool) async throws {
        let saved: Credential?
        do { saved = try await self.saved(trial) } catch { throw FaultDamage.lost("the login: \(error)") }
        guard let saved else { throw FaultDamage.lost("the login") }
        // A renewal continues without the disk, and an event reports that the login was not saved.
        guard isLast else { return }
        let first = try String(contentsOfFile: first(trial), encoding: .utf8)
        if saved.accessToken.reveal() == first { throw FaultDamage.falseSuccess("the renewed login is not saved") }
    }
}
