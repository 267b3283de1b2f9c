// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Notes phone calls with accounts, in closure style: the closure of one request sends the next one.
///
/// The closures come on the main actor, which sends the requests.
@MainActor
struct CallLog {
    /// The task that a call was noted as.
    struct Note: Decodable, Sendable {
        let id: String
    }

    let client: RestClient

    /// Notes a call with the one account of a name.
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

/// The accounts that have a name.
private struct Accounts: Decodable {
    struct Account: Decodable {
        let id: String

        enum CodingKeys: String, CodingKey {
            case id = "Id"
        }
    }

    let records: [Account]

    /// The one account.
    ///
    /// - Throws: when there is none, or more than one.
    func only(named name: String) throws(RestError) -> Account {
        guard let account = records.first else { throw RestError(.notFound, "no account is called '\(name)'") }
        guard records.count == 1 else { throw RestError(.notFound, "several accounts are called '\(name)'") }
        return account
    }
}
