// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import StoneRuntime

/// A request to a route with its argument taken from where its style has it.
struct RouteRequest: Sendable {
    let request: ServerRequest
    /// `files/get_metadata`.
    let name: String
    /// The argument's JSON text; `nil` if there is none.
    let argument: [UInt8]?

    init(_ request: ServerRequest, name: String, style: String) throws(BoxRefusal) {
        self.request = request
        self.name = name
        if style == RPC.name {
            argument = try Self.body(request, name)
        } else {
            argument = try Self.field(request, name)
        }
    }

    /// Where the body of an upload begins in its file, as far as the header tells; short bodies are not worth the look.
    static func offset(in request: ServerRequest, atLeast count: Int) -> Int {
        guard request.announcedLength ?? .max > count, let field = try? field(request, ""),
            let argument = try? JSONValue(parsing: field)
        else { return 0 }
        return (argument["cursor"] ?? argument).count("offset") ?? 0
    }

    /// Reads the argument as what the route takes.
    func read<Argument>(_ coding: StoneCoding<Argument>) throws(BoxRefusal) -> Argument {
        let value: Argument
        do throws(JSONDecodingError) {
            value = try coding.decode(argument ?? Array("null".utf8))
        } catch {
            throw .badInput(name, "request body: \(error.message)")
        }
        guard let checked = value as? any StoneValidated else { return value }
        do throws(ValidationFailure) {
            try checked.validate()
        } catch {
            throw .badInput(name, "request body: \(error)")
        }
        return value
    }

    private static let jsonTypes: Set<String> = ["application/json", "text/plain"]

    private static func body(_ request: ServerRequest, _ name: String) throws(BoxRefusal) -> [UInt8]? {
        guard !request.body.isEmpty else { return nil }
        guard let type = request.mediaType, jsonTypes.contains(type) else {
            throw .badInput(name, "the Content-Type must be application/json, not \(request.mediaType ?? "missing")")
        }
        return request.body
    }

    /// The field, or the parameter of the query that stands for it.
    private static func field(_ request: ServerRequest, _ name: String) throws(BoxRefusal) -> [UInt8]? {
        if let type = request.mediaType, type != "application/octet-stream", !jsonTypes.contains(type) {
            throw .badInput(name, "the Content-Type must be application/octet-stream, not \(type)")
        }
        let field = request.fields["Dropbox-API-Arg"] ?? request.path?.parameter("arg")
        guard let text = field else { throw .badInput(name, "the header field Dropbox-API-Arg is missing") }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .badInput(name, "Dropbox-API-Arg must be ASCII; write other characters as \\uXXXX")
        }
        return Array(text.utf8)
    }
}
