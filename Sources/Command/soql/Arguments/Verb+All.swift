// SPDX-License-Identifier: Apache-2.0

import RestSDK

extension Verb {
    /// The one table of everything that `soql` does, in the order of help.
    static let all: [Verb] = [
        query, search, get, create, update, upsert, delete, describe, limits, explain, export, load, api, check,
        schemaPull, models, new, mcp, login, logout, accounts, accountsUse, orgStart, orgEnv, orgList, orgStop,
        completion, man, help, version,
    ]

    static let help = Verb("help", operands: ["[VERB]"], "tells what a verb does", []) { arguments in
        guard !arguments.words.isEmpty else { return PrintCommand(text: Help.overview) }
        guard
            let verb = all.first(where: {
                $0.words == arguments.words || ($0.words.isEmpty && arguments.words == ["query"])
            })
        else {
            let word = arguments.words.joined(separator: " ")
            throw UsageError("there is no verb '\(word)'", near: word, all.map(\.name))
        }
        return PrintCommand(text: Help.text(of: verb))
    }

    static let version = Verb("version", "prints the version", []) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return PrintCommand.version
    }
}

extension PrintCommand {
    static var version: PrintCommand { PrintCommand(text: "soql \(RestClient.version)\n") }
}
