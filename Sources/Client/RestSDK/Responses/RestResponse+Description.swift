// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
import RestTransport

// Bodies are not printed: they are long, and they may contain tokens.

extension RestResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, and the type and size of the body: `status 200, an object of 3 members in 1,024 bytes`.
    public var description: String {
        "status \(head.status), \(content)" + (body.isEmpty ? "" : " in \(body.count) bytes")
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror with the head and a summary of the body.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["head": head, "payload": content, "body": "\(body.count) bytes"], displayStyle: .struct)
    }

    private var content: String {
        switch payload {
        case .dictionary(let object): "an object of \(object.count) members"
        case .array(let array): "an array of \(array.count) elements"
        case .data: head.fields["Content-Type"] ?? "data"
        case .empty: "no body"
        }
    }
}

extension SaveResults: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of saved records, and the first errors of the others.
    public var description: String {
        let failures = failures
        var parts = ["\(count - failures.count) of \(count) records saved"]
        for (position, result) in failures.prefix(3) {
            parts.append("records[\(position)]: \(result.faults.first.map { "\($0)" } ?? "not saved")")
        }
        if failures.count > 3 { parts.append("\(failures.count - 3) more errors") }
        return parts.joined(separator: "; ")
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror with the results.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}

extension Composite.Part: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the request: `account: create (POST sobjects/Account)`.
    public var description: String { "\(reference): \(request.name) (\(request.method) \(path))" }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror with the name, the request line and the references.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "reference": reference, "request": "\(request.name) (\(request.method) \(path))",
                "references": references,
            ], displayStyle: .struct)
    }

    /// The path without its query, which may contain data.
    private var path: String {
        switch request.resource {
        case .data(let segments): segments.joined(separator: "/")
        case .serverPath(let path) where path.hasBytes(prefix: "/"): String(path.prefix(before: "?"))
        // Anything before the path of a whole URL may contain a password.
        case .serverPath(let url): (try? HTTPURL(parsing: url))?.path ?? ""
        }
    }
}
