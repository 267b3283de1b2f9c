// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

extension HTTPRequest {
    /// The request as a `curl` command line without its secrets, for bug reports.
    ///
    /// Credentials in header fields and in the URL's query, and the whole body are left out: a body may be a form with
    /// a password.
    public var curlCommand: String {
        var words = ["curl", "--request", method.rawValue.shellWord]
        for field in fields {
            words += ["--header", field.description.shellQuoted]
        }
        switch body {
        case .empty: break
        default: words += ["--data-binary", "@BODY"]
        }
        return (words + [url.redacted.shellQuoted]).joined(separator: " ")
    }
}

extension HTTPURL {
    /// The URL as text, without the values in its query that are secrets.
    package var redacted: String {
        guard let query else { return description }
        return HTTPURL(origin: origin, path: path, query: Self.redactedForm(query)).description
    }

    /// A form, or the query of a URL, without the values that are secrets.
    package static func redactedForm(_ form: String) -> String {
        form.split(byte: "&", omittingEmptySubsequences: false).map(redacted).joined(separator: "&")
    }

    private static func redacted(_ item: Substring) -> String {
        let sides = item.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        // A name that cannot be read hides its value too.
        let name = try? PercentEncoding.decodeForm(sides[0])
        guard sides.count == 2, name.map(SecretName.isSecret) ?? true else { return String(item) }
        return "\(sides[0])=«redacted»"
    }
}
