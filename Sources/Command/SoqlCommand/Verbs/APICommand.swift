// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

extension Verb {
    static let api = Verb(
        "api", operands: ["METHOD PATH"], "send a request and print the response unchanged",
        notes: [
            """
            PATH is a path of the org, such as /services/data/v66.0/limits. Without a leading slash it is relative to \
            the API version in use: soql api GET limits. The token is sent only to the org, so the URL of another \
            server is rejected. A response with a status other than 2xx is also printed, and the exit code is 1.
            """
        ],
        [.apiData, .apiHeader, .include, .dryRun, .raw] + Option.connection
    ) { arguments in
        let call = try APICall(arguments)
        return Command { try await Connection.work(arguments) { try await call.send(to: $0) } }
    }
}

extension Option {
    static let apiData = Option(
        "--data", short: "-d", .textOrFile("BODY"), "send this body; @FILE for a file, @- for standard input")
    static let apiHeader = Option(
        "--header", short: "-H", .text("\"NAME: VALUE\""), "send this header; can be repeated")
    static let include = Option("--include", short: "-i", "also print the status and the headers")
}

/// Sends one request as written.
struct APICall: Sendable {
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

    private let request: RestRequest
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.words.count == 2 else { throw UsageError("give a method and a path, such as GET limits") }
        let (method, path) = (arguments.words[0].uppercased(), arguments.words[1])
        guard Self.methods.contains(method) else {
            throw UsageError("unknown method '\(arguments.words[0])'", near: method, Self.methods)
        }
        request = RestRequest(
            name: "api", method: HTTPMethod(rawValue: method), resource: .serverPath(path),
            fields: try Self.fields(arguments), body: try Self.body(arguments[.apiData]), expectation: .anything)
        self.arguments = arguments
    }

    private static func body(_ text: String?) throws(UsageError) -> HTTPBody {
        guard let text else { return .empty }
        guard text.hasBytes(prefix: "@") else { return .bytes(Array(text.utf8)) }
        let file = String(text.dropFirst())
        if file == "-" { return .bytes(Array(try StandardInput.read(most: RestRequest.maximumBodySize).utf8)) }
        guard FileFacts.exists(file) else { throw UsageError("\(file) does not exist") }
        return .file(path: file)
    }

    private static func fields(_ arguments: Arguments) throws(UsageError) -> HTTPFields {
        var fields = HTTPFields()
        if arguments.has(.apiData) { fields["Content-Type"] = "application/json" }
        for line in arguments.all(.apiHeader) {
            guard let (name, value) = line.cut(byte: ":"), !name.isEmpty else {
                throw UsageError("--header takes \"NAME: VALUE\", not '\(line)'")
            }
            fields[String(name)] = value.trimmingBlanks
        }
        return fields
    }

    func send(to client: RestClient) async throws {
        var request = request
        let path = arguments.words[1]
        if !path.hasBytes(prefix: "/"), !path.hasBytes("://") {
            request.resource = .serverPath("/services/data/\(client.apiVersion)/\(path)")
        }
        request.streamTimeout = .seconds(3_600)
        guard !arguments.has(.dryRun) else {
            try DryRun.print(request, of: client)
            return DryRun.end()
        }
        let progress = Progress("Sending", of: "bytes")
        defer { progress.end() }
        let response: ResponseStream
        let reporting = request.reportingProgress { transfer in
            guard transfer.received == 0 else { return }
            progress.advance(to: Int(transfer.sent), of: transfer.sentTotal.map(Int.init))
        }
        do throws(RestError) { response = try await client.stream(reporting) } catch {
            progress.end()
            error.noteOutcome()
            if let head = error.response { try write(head, [error.body]) }
            throw error
        }
        try await write(response, progress)
    }

    private func write(_ response: ResponseStream, _ progress: Progress) async throws {
        // A terminal receives only complete characters, and therefore the whole text at once.
        let isShown = StandardOutput.isTerminal && !arguments.has(.raw)
        var text: [UInt8] = []
        if !isShown { try write(response.head, []) }
        var count = 0
        progress.begin("Receiving")
        for try await chunk in response {
            count += chunk.count
            progress.advance(to: count, of: response.head.plainContentLength.map(Int.init))
            if isShown { text += chunk } else { try StandardOutput.write(chunk) }
        }
        progress.end()
        if isShown { try write(response.head, [text]) }
    }

    private func write(_ head: HTTPResponse.Head, _ chunks: [[UInt8]]) throws {
        var bytes: [UInt8] = []
        if arguments.has(.include) {
            let lines = ["HTTP \(head.status)"] + head.fields.map { "\($0.name): \($0.value)" } + [""]
            bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        }
        bytes += chunks.joined()
        if StandardOutput.isTerminal, !bytes.isEmpty, bytes.last != UInt8(ascii: "\n") { bytes.append(0x0A) }
        try TextOutput.write(bytes, isRaw: arguments.has(.raw))
    }
}
