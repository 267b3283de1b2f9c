// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import Synchronization

extension Verb {
    static let mcp = Verb(
        "mcp", "serve an org to a language model with the Model Context Protocol",
        notes: [
            """
            The server uses JSON-RPC over standard input and output, one message per line, and stops at the end of its \
            input. The model can query, search, describe, explain, get and listen. It can change records only with \
            --allow-writes. Enter the command 'soql mcp' with its options in the program that runs the model.
            """
        ],
        [.allowWrites, .maxRows, .maxBytes] + Option.connection
    ) { arguments in
        try arguments.checkNumberOfWords(atMost: 0)
        return Command {
            try await Connection.closing(Connection.open(arguments), nil) { connection in
                try await MCPServer(tools: ToolBox(connection, arguments)).run()
            }
        }
    }
}

extension Option {
    static let allowWrites = Option("--allow-writes", "let the model create, update and delete records")
    static let maxRows = Option("--max-rows", .number(1...2_000), "limit the records of a response (default: 200)")
    static let maxBytes = Option(
        "--max-bytes", .number(1_000...10_000_000), "limit the response of a tool, in bytes (default: 100000)")
}

/// Responds to the requests of a client of the Model Context Protocol.
final class MCPServer: Sendable {
    private struct State {
        var running: [MCPRequest.ID: Task<Void, Never>] = [:]
        /// The reason why output is no longer possible.
        var failure: (any Error)?
    }

    private let tools: ToolBox
    private let state = Mutex(State())
    /// Ensures that messages are written one at a time.
    private let output = Mutex(())
    /// The maximum number of concurrent requests, more than any client needs.
    private static let mostRequests = 64

    init(tools: ToolBox) { self.tools = tools }

    /// Serves requests until the input ends, and completes those in progress.
    func run() async throws {
        var lines = LineReader()
        while failure == nil, let line = await lines.next() {
            switch line {
            case .tooLong:
                reply(to: nil, .invalidRequest("the message is longer than \(LineReader.maximumLength) bytes"))
            case .text(let bytes): take(bytes)
            }
        }
        let left = state.withLock { Array($0.running.values) }
        if Task.isCancelled || failure != nil { left.forEach { $0.cancel() } }
        for task in left { await task.value }
        if let failure { throw failure }
        try Task.checkCancellation()
    }

    private var failure: (any Error)? { state.withLock(\.failure) }

    private func take(_ line: [UInt8]) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        do throws(MCPFault) {
            switch try MCPMessage(line) {
            case .request(let request): try start(request)
            case .notification("notifications/cancelled", let parameters): cancel(parameters)
            case .notification, .response: break
            }
        } catch {
            reply(to: nil, error)
        }
    }

    // MARK: Requests

    private func start(_ request: MCPRequest) throws(MCPFault) {
        let fault: MCPFault? = state.withLock { state in
            guard state.running[request.id] == nil else {
                return .invalidRequest("a request with this id is in progress; use another id")
            }
            guard state.running.count < Self.mostRequests else { return .busy }
            // The task waits for this lock before it finishes, so it is added to the list before it is removed.
            state.running[request.id] = Task { await self.work(on: request) }
            return nil
        }
        if let fault { reply(to: request.id, fault) }
    }

    private func work(on request: MCPRequest) async {
        var (result, fault): (JSONValue, MCPFault?) = (.null, nil)
        do throws(MCPFault) {
            result = try await MCPResponse(request, tools, report: { self.report($0, of: request) }).result()
        } catch {
            fault = error
        }
        let isWanted = state.withLock { $0.running.removeValue(forKey: request.id) != nil }
        if isWanted, !Task.isCancelled { reply(to: request.id, fault, result: result) }
    }

    /// Cancels a request, which then gets no response.
    private func cancel(_ parameters: JSONValue) {
        guard let id = parameters["requestId"].flatMap({ MCPRequest.ID($0) }) else { return }
        state.withLock { $0.running[id] }?.cancel()
    }

    // MARK: Writing

    private func reply(to id: MCPRequest.ID?, _ fault: MCPFault?, result: JSONValue = .null) {
        send(["jsonrpc": "2.0", "id": id?.json ?? .null, fault == nil ? "result" : "error": fault?.json ?? result])
    }

    private func report(_ progress: ToolProgress, of request: MCPRequest) {
        guard let token = request.progressToken, !Task.isCancelled else { return }
        send([
            "jsonrpc": "2.0", "method": "notifications/progress",
            "params": [
                "progressToken": token.json, "progress": JSONValue(progress.done), "total": JSONValue(progress.total),
                "message": "records",
            ],
        ])
    }

    private func send(_ message: JSONValue) {
        let line = message.bytes() + [UInt8(ascii: "\n")]
        do { try output.withLock { _ in try StandardOutput.write(line) } } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }
}
