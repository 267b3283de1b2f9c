// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport

/// A successful response with its payload, which is parsed once.
public struct RestResponse: Sendable, Hashable {
    /// The status and the headers.
    public let head: HTTPResponse.Head
    /// The received body after content decoding, which is empty for a stream.
    public var body: [UInt8] { bodyContent.bytes }
    /// The content by its kind.
    public let payload: RestPayload
    let bodyContent: HTTPResponse.Content
    let isWrite: Bool

    /// Parses a response of status 2xx, for which `tapes` provides memory.
    ///
    /// - Throws: ``RestError/Code/decoding`` if JSON was expected but not received. A write was applied nevertheless.
    package init(
        _ response: HTTPResponse, expecting expectation: RestRequest.Expectation, isWrite: Bool,
        tapes: JSONTapePool? = nil
    ) throws(RestError) {
        head = response.head
        bodyContent = response.content
        self.isWrite = isWrite
        payload = try Self.payload(of: response, expecting: expectation, isWrite: isWrite, tapes: tapes)
    }

    /// Returns the outcome of a write of status 2xx whose response is not read.
    static func outcome(
        of response: HTTPResponse, expecting expectation: RestRequest.Expectation
    ) -> RestError.WriteOutcome {
        do throws(RestError) {
            _ = try payload(of: response, expecting: expectation, isWrite: true, tapes: nil)
            return .applied
        } catch {
            return error.outcome ?? .applied
        }
    }

    private static func payload(
        of response: HTTPResponse, expecting expectation: RestRequest.Expectation, isWrite: Bool,
        tapes: JSONTapePool?
    ) throws(RestError) -> RestPayload {
        guard !response.body.isEmpty else { return .empty }
        guard expectation == .json else { return .data(response.body) }
        let root: JSONValue
        do {
            root = try JSONValue(parsing: response.body, from: tapes)
        } catch {
            let type = response.head.fields["Content-Type"] ?? "no content type"
            throw RestError(
                .decoding,
                "the server responded with status \(response.head.status) and \(type) that is not JSON: \(error)",
                response: response.head, body: response.body, outcome: isWrite ? .applied : nil, underlying: error)
        }
        // Some gateways send errors with status 200. The outcome of a write is then unknown, except for a save result.
        if root.isRejection {
            throw RestError(
                rejection: response, isWrite: isWrite,
                outcome: root["success"]?.bool == false ? .notApplied : .unknown)
        }
        if let object = root.object { return .dictionary(object) }
        return root.array.map { .array($0) } ?? .data(response.body)
    }

    /// The errors of failed parts in a successful response to a collection, a composite or a batch, in the server's
    /// order.
    ///
    /// The array is empty if every part succeeded. For the errors of one part, use `APIFault.faults(in:)`.
    public var faults: [APIFault] {
        switch payload {
        case .dictionary(let object): APIFault.faults(in: JSONValue(object))
        case .array(let array): APIFault.faults(in: JSONValue(array))
        case .data, .empty: []
        }
    }

    /// The org's daily API usage as reported in this response, or `nil` if it is not reported.
    public var allowance: RestClient.APIAllowance? { RestClient.APIAllowance(in: head.fields) }

    /// Decodes the whole payload.
    ///
    /// A response without content (204, 304) can be decoded as ``RestResponse/Empty``, and is `nil` for an optional
    /// type.
    ///
    /// - Parameters:
    ///   - type: the type of the result.
    ///   - options: the options for names, dates and decimals.
    /// - Returns: the value.
    /// - Throws: ``RestError/Code/decoding`` with the path of the first value that does not match.
    ///   ``RestError/Code/cancelled`` if the task is cancelled while a long array is decoded.
    public func decode<Value: Decodable>(
        _ type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) throws(RestError) -> Value {
        var options = options
        options.heedsCancellation = true
        do {
            return try root().decode(type, options: options)
        } catch let error as JSONDecodingError where error.reason == .interrupted {
            throw RestError(
                .cancelled, "cancelled while the response was read", response: head,
                outcome: isWrite ? .applied : nil, underlying: error)
        } catch {
            let reason =
                payload == .empty ? "the response is empty, not a \(type)" : "the response is not a \(type): \(error)"
            throw RestError(
                .decoding, reason, response: head, body: body,
                outcome: isWrite ? .applied : nil, underlying: error)
        }
    }
}

extension RestResponse {
    private func root() throws(JSONError) -> JSONValue {
        switch payload {
        case .dictionary(let object): JSONValue(object)
        case .array(let array): JSONValue(array)
        case .empty: .null
        case .data: try JSONValue(parsing: body)
        }
    }
}

extension RestResponse {
    /// The content of a response that is not needed, such as the 204 of an update.
    ///
    /// Any response is accepted. If a response may be empty, use an optional type.
    public struct Empty: Decodable, Sendable, Hashable {
        /// Creates the only value.
        public init() {}

        /// Accepts any content without reading it.
        public init(from decoder: any Decoder) {}
    }
}

/// The content of a response by its kind: a JSON object, a JSON array, other data, or nothing.
public enum RestPayload: Sendable, Hashable {
    /// The body is a JSON object.
    case dictionary(JSONObject)
    /// The body is a JSON array.
    case array(JSONArray)
    /// The body is not a JSON object or array.
    case data([UInt8])
    /// The body is empty (204, 304).
    case empty

    /// The dictionary, or `nil` for another payload.
    public var dictionary: JSONObject? {
        guard case .dictionary(let object) = self else { return nil }
        return object
    }

    /// The array, or `nil` for another payload.
    public var array: JSONArray? {
        guard case .array(let array) = self else { return nil }
        return array
    }

    /// The member of a dictionary, or `nil` if it is missing or the payload is not a dictionary.
    public subscript(key: String) -> JSONValue? { dictionary?[key] }

    /// The element of an array, or `nil` if the index is out of range or the payload is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

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

    private var path: String { request.resource.path { $0.joined(separator: "/") } }
}
