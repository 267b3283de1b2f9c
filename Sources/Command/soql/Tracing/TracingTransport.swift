// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport

/// Prints every request on standard error on its way to the server, also those that get tokens.
struct TracingTransport: HTTPTransport {
    let base: any HTTPTransport

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let start = begin(request)
        do throws(TransportError) {
            let response = try await base.send(request, deadline: deadline, progress: progress)
            end(start, .success((response.head, response.body)))
            return response
        } catch {
            end(start, .failure(error))
            throw error
        }
    }

    func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse.Stream {
        let start = begin(request)
        do throws(TransportError) {
            let response = try await base.stream(request, deadline: deadline, progress: progress)
            end(start, .success((response.head, nil)))
            return response
        } catch {
            end(start, .failure(error))
            throw error
        }
    }

    func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let start = begin(request)
        do throws(TransportError) {
            let response = try await base.download(request, to: target, deadline: deadline, progress: progress)
            end(start, .success((response.head, response.head.isSuccess ? nil : response.body)))
            return response
        } catch {
            end(start, .failure(error))
            throw error
        }
    }

    func shutdown() async { await base.shutdown() }

    private func begin(_ request: HTTPRequest) -> ContinuousClock.Instant {
        StandardOutput.note(CurlLine(request).text)
        return .now
    }

    private func end(
        _ start: ContinuousClock.Instant, _ result: Result<(HTTPResponse.Head, [UInt8]?), TransportError>
    ) {
        // bounded: by the deadline of the request
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        switch result {
        case .success((let head, let body)):
            let size = body.map { ", \($0.count) bytes" } ?? ""
            StandardOutput.note("# \(head.status)\(size), \(milliseconds) ms")
        case .failure(let error):
            StandardOutput.note("# \(error.code): \(error.message), \(milliseconds) ms".singleLine)
        }
    }
}
