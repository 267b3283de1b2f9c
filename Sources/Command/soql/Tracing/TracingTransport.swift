// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shows and notes every request on its way to the server, also those that get tokens.
struct TracingTransport: HTTPTransport {
    let base: any HTTPTransport
    /// Whether requests are printed on standard error.
    let isVerbose: Bool
    let trace: RequestTrace?

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let exchange = begin(request)
        do throws(TransportError) {
            let response = try await base.send(request, deadline: deadline, progress: progress)
            end(exchange, .success((response.head, response.body)))
            return response
        } catch {
            end(exchange, .failure(error))
            throw error
        }
    }

    func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse.Stream {
        let exchange = begin(request)
        do throws(TransportError) {
            let response = try await base.stream(request, deadline: deadline, progress: progress)
            end(exchange, .success((response.head, nil)))
            return response
        } catch {
            end(exchange, .failure(error))
            throw error
        }
    }

    func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let exchange = begin(request)
        do throws(TransportError) {
            let response = try await base.download(request, to: target, deadline: deadline, progress: progress)
            end(exchange, .success((response.head, response.head.isSuccess ? nil : response.body)))
            return response
        } catch {
            end(exchange, .failure(error))
            throw error
        }
    }

    func shutdown() async { await base.shutdown() }

    private func begin(_ request: HTTPRequest) -> RequestTrace.Exchange {
        if isVerbose { StandardOutput.note(CurlLine(request).text) }
        return RequestTrace.Exchange(request: request, start: .now, date: Date())
    }

    private func end(
        _ exchange: RequestTrace.Exchange, _ result: Result<(HTTPResponse.Head, [UInt8]?), TransportError>
    ) {
        let duration = ContinuousClock.now - exchange.start
        trace?.add(exchange, result, duration)
        guard isVerbose else { return }
        let milliseconds = Int(duration / .milliseconds(1))  // bounded: by the deadline of the request
        switch result {
        case .success((let head, let body)):
            let size = body.map { ", \($0.count) bytes" } ?? ""
            StandardOutput.note("# \(head.status)\(size), \(milliseconds) ms")
        case .failure(let error):
            StandardOutput.note("# \(error.code): \(error.message), \(milliseconds) ms".singleLine)
        }
    }
}
