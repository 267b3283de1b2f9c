// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestText
import RestTransport

/// The body of a request or an answer as text without secrets.
enum ShownBody {
    /// What stands in the place of a secret.
    static let hidden = "***"

    /// The text, as far as it can be shown; `nil` for what is no text, or too long.
    ///
    /// Values are hidden by the names that they have in JSON and in forms.
    static func text(_ bytes: [UInt8], type: String?, atMost most: Int) -> String? {
        guard bytes.count <= most, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let kind = (type ?? "").lowercased()
        if kind.hasBytes(prefix: "application/x-www-form-urlencoded") { return HTTPURL.redactedForm(text) }
        if kind.hasBytes("json") {
            guard let value = try? JSONValue(parsing: bytes) else { return nil }
            return String(decoding: hiding(value).bytes(), as: UTF8.self)
        }
        // Nobody knows where the secrets of another form are, such as those of a call by SOAP.
        return kind.hasBytes(prefix: "text/csv") || kind.hasBytes(prefix: "text/plain") ? text : nil
    }

    private static func hiding(_ value: JSONValue) -> JSONValue {
        if let object = value.object {
            return JSONValue(
                JSONObject(
                    members: object.map { name, value in
                        let isSecret = SecretName.isSecret(name) && value.string != nil
                        return (key: name, value: isSecret ? JSONValue(hidden) : hiding(value))
                    }))
        }
        guard let array = value.array else { return value }
        return JSONValue(JSONArray(array.map(hiding)))
    }

    /// A header field's value; of a token only the kind is shown.
    static func value(_ field: HTTPFields.Field) -> String {
        if field.name.lowercased() == "location", let url = try? HTTPURL(parsing: field.value) { return url.redacted }
        guard field.isSecret else { return field.value }
        return field.value.hasBytes(prefix: "Bearer ") ? "Bearer \(hidden)" : hidden
    }
}
