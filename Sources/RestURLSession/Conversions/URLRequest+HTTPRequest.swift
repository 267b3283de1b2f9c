// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Time runs out by the call's own clock, long before this, in seconds.
    static let backstop: TimeInterval = 1_000_000

    /// The request as URLSession wants it, without its body.
    ///
    /// - Throws: `.invalidRequest` for what Foundation refuses, `.file` for a body that cannot be read.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let url = URL(string: request.url.description) else {
            throw .invalidRequest("Foundation refuses the URL")
        }
        guard request.body == .empty || ![.get, .head].contains(request.method) else {
            throw .invalidRequest("a \(request.method) request has no body")
        }
        if case .file = request.body, request.body.length == nil {
            throw TransportError(.file, "the file to upload cannot be read", mayHaveReachedServer: false)
        }
        #if canImport(FoundationNetworking)
        guard !request.url.origin.host.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest("Foundation on this platform reaches no IPv6 literal; use CurlTransport, or a name")
        }
        #endif
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.backstop)
        httpMethod = request.method.rawValue
        for field in request.fields {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        frame(request)
    }

    #if canImport(FoundationNetworking)
    /// Asks for bodies that are not packed: libcurl inside takes a packed one that was cut for a whole one.
    private mutating func frame(_ request: HTTPRequest) {
        if request.fields["Accept-Encoding"] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }
    #else
    /// Says what a body is and how long, which URLSession would say otherwise.
    private mutating func frame(_ request: HTTPRequest) {
        guard request.body != .empty else { return }
        // What no type means (RFC 9110 §8.3); URLSession would call it a form.
        if request.fields["Content-Type"] == nil {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        // Else a streamed body is sent in chunks.
        if case .stream = request.body, let length = request.body.length {
            setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
    }
    #endif
}

extension HTTPBody {
    /// The number of bytes in all; `nil` when only the end of the stream will tell, or the file cannot be read.
    var length: Int64? {
        switch self {
        case .empty: return 0
        case .bytes(let bytes): return Int64(bytes.count)
        case .stream(let source): return source.length
        case .file(let path):
            guard FileManager.default.isReadableFile(atPath: path),
                let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                attributes[.type] as? FileAttributeType == .typeRegular
            else { return nil }
            return (attributes[.size] as? NSNumber)?.int64Value
        }
    }
}
