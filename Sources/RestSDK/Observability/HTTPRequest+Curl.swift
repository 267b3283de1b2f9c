// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension HTTPRequest {
    /// The request as a `curl` command line without its secrets, for bug reports.
    ///
    /// Credentials in header fields and the whole body are left out: a body may be a form with a password.
    public var curlCommand: String {
        var words = ["curl", "--request", method.rawValue]
        for field in fields {
            words += ["--header", Self.quoted(field.description)]
        }
        switch body {
        case .empty: break
        default: words += ["--data-binary", "@BODY"]
        }
        return (words + [Self.quoted(url.description)]).joined(separator: " ")
    }

    /// The text as one word of a POSIX shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
