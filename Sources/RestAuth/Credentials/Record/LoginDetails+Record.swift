// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension Credential.Login {
    /// Reads the details out of a record; `nil` when they are not whole, or when their server is none that may see a
    /// secret.
    init?(record: JSONValue) {
        guard let server = record["server"]?.string, let url = try? HTTPURL(parsing: server), url.isTrustworthy,
            let clientID = record["clientID"]?.string
        else { return nil }
        let endpoints = record["endpoints"].map { AuthorizationServer(record: $0) }
        // Endpoints that cannot be read are not replaced by others.
        if case .some(nil) = endpoints { return nil }
        self.init(
            server: url.origin, endpoints: endpoints ?? nil, clientID: clientID,
            clientSecret: record["clientSecret"]?.string.map { Secret($0) },
            username: record["username"]?.string,
            notes: record["notes"]?.object?.reduce(into: [:]) { $0[$1.key] = $1.value.string } ?? [:])
    }

    /// The details as they stand in a record.
    var record: JSONValue {
        var object = JSONObject()
        object["server"] = JSONValue(server.description)
        object["endpoints"] = endpoints?.record
        object["clientID"] = JSONValue(clientID)
        object["clientSecret"] = clientSecret.map { JSONValue($0.reveal()) }
        object["username"] = username.map { JSONValue($0) }
        var noted = JSONObject()
        for (name, value) in notes.sorted(by: { $0.key < $1.key }) { noted[name] = JSONValue(value) }
        object["notes"] = notes.isEmpty ? nil : JSONValue(noted)
        return JSONValue(object)
    }
}
