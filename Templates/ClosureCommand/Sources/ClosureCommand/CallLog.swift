// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Records phone calls with accounts in closure style: the closure of the first request sends the second.
///
/// The closures are called on the main actor, which sends the requests.
@MainActor
struct CallLog {
    /// The task that records a call.
    struct Note: Decodable, Sendable {
        let id: String
    }

    let client: RestClient

    /// Records a call with the only account of a name.
    func note(_ subject: String, with name: String, completion: @escaping (Result<Note, RestError>) -> Void) {
        let query = RestRequest.query("SELECT Id FROM Account WHERE Name = \(name) LIMIT 2")
        client.send(query.as(Accounts.self)) { result in
            do throws(RestError) {
                create(subject, with: try result.get().only(named: name), completion: completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func create(
        _ subject: String, with account: Accounts.Account, completion: @escaping (Result<Note, RestError>) -> Void
    ) {
        let task: JSONObject = [
            "Subject": JSONValue(subject), "WhatId": JSONValue(account.id), "Status": "Completed",
        ]
        client.send(.create("Task", task).as(Note.self), completion: completion)
    }
}

/// The accounts with a name.
private struct Accounts: Decodable {
    struct Account: Decodable {
        let id: String

        enum CodingKeys: String, CodingKey {
            case id = "Id"
        }
    }

    let records: [Account]

    /// Returns the only account.
    ///
    /// - Throws: `.notFound` if there is no account or more than one.
    func only(named name: String) throws(RestError) -> Account {
        guard let account = records.first else { throw RestError(.notFound, "no account is called '\(name)'") }
        guard records.count == 1 else { throw RestError(.notFound, "several accounts are called '\(name)'") }
        return account
    }
}
