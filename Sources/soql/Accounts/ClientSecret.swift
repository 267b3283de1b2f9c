// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Finds the client's secret without making it visible to others.
enum ClientSecret {
    /// The secret of the option, else of `SF_CLIENT_SECRET`, else (where one is needed) what the user types.
    ///
    /// - Throws: ``UsageError`` when it is needed and cannot be had.
    static func find(_ source: LoginOptions.SecretSource?, isNeeded: Bool) throws(UsageError) -> Secret? {
        switch source {
        case .commandLine(let text):
            StandardOutput.note(
                "soql: warning: other users can see a secret on the command line, and the shell keeps it; "
                    + "use SF_CLIENT_SECRET or --client-secret-file")
            return Secret(text)
        case .file(let path):
            let text = try StandardInput.read(file: path).trimmingBlanks
            guard !text.isEmpty else { throw UsageError("\(path) holds no secret") }
            return Secret(text)
        case nil: break
        }
        if let text = Settings.value("SF_CLIENT_SECRET") { return Secret(text) }
        guard isNeeded else { return nil }
        guard StandardInput.isTerminal else {
            throw UsageError("the client's secret is needed: set SF_CLIENT_SECRET or use --client-secret-file")
        }
        return try SecretPrompt.ask("Client secret: ")
    }
}
