// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestText

/// Finds the client's secret without showing it to other users.
enum ClientSecret {
    /// The secret from the option, else from `SF_CLIENT_SECRET`, else from the user if one is required.
    ///
    /// - Throws: ``UsageError`` when it is required and there is none.
    static func find(_ source: LoginOptions.SecretSource?, isNeeded: Bool) throws(UsageError) -> Secret? {
        switch source {
        case .commandLine(let text):
            StandardOutput.note(
                "soql: warning: other users can see a secret on the command line, and your shell's history keeps it; "
                    + "use SF_CLIENT_SECRET or --client-secret-file")
            return Secret(text)
        case .file(let path):
            let text = try StandardInput.read(file: path).trimmingBlanks
            guard !text.isEmpty else { throw UsageError("\(path) is empty; it should contain the secret") }
            return Secret(text)
        case nil: break
        }
        if let text = Settings.value("SF_CLIENT_SECRET") { return Secret(text) }
        guard isNeeded else { return nil }
        guard StandardInput.isTerminal else {
            throw UsageError("the client's secret is missing; set SF_CLIENT_SECRET or use --client-secret-file")
        }
        return try SecretPrompt.ask("Client secret: ")
    }
}
