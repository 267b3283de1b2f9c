// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Synchronization

/// Measures the cost of an app's interceptor and of an event sink in small calls, 16 at a time.
func pipelineStepFigures() async throws {
    guard let server = try await TransportServer.start() else {
        return Figure.absent("pipeline.interceptor", peer: "nginx")
    }
    defer { server.stop() }
    let url = server.url("/600")
    try await ratio(RestClient.Configuration(interceptors: [PassThrough()]), url)
        .figure("pipeline.interceptor", atLeast: 0.95).print()
    let sink = CountingSink()
    try await ratio(RestClient.Configuration(eventSink: sink), url).figure("pipeline.sink", atLeast: 0.95).print()
    guard sink.count > 0 else { throw CommandFailed(command: "sink", status: 1) }
}

/// Compares a plain client with a configured one.
private func ratio(_ configuration: RestClient.Configuration, _ url: HTTPURL) async throws -> Pairs {
    let plain = try RestClient(instanceURL: "\(url.origin)", accessToken: "token")
    let ours = try RestClient(instanceURL: "\(url.origin)", accessToken: "token", configuration: configuration)
    let total = extent(20_000, short: 160)

    func calls(of client: RestClient) async throws {
        try await concurrently(16, total: total) {
            let response = try await client.send(RestRequest(name: "small", resource: .serverPath(url.path)))
            guard response.payload["totalSize"]?.int == 1 else { throw CommandFailed(command: "client", status: 1) }
        }
    }
    return try await Pairs(11) {
        try await calls(of: plain)
    } ours: {
        try await calls(of: ours)
    }
}

/// An interceptor that changes nothing.
private struct PassThrough: Interceptor {
    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        try await next(request)
    }
}

private final class CountingSink: RestEvent.Sink {
    private let events = Atomic(0)

    var count: Int { events.load(ordering: .relaxed) }

    func record(_ event: RestEvent) { events.add(1, ordering: .relaxed) }
}
