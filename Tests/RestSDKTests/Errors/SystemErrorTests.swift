// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import Testing

@Suite("Numbers of the system in errors", .timeLimit(.minutes(1)))
struct SystemErrorTests {
    private static let configuration = RestClient.Configuration(timeout: .seconds(20), retryPolicy: .never)

    /// The address of a server that has gone.
    private func closedOrigin() async throws -> Origin {
        let server = try ScriptServer([])
        let origin = server.url().origin
        await server.stop()
        return origin
    }

    @Test("a refused connection says so by libcurl's number and the system's, for programs and for people")
    func refused() async throws {
        let client = try RestClient(
            instanceURL: "\(await closedOrigin())", accessToken: "t", configuration: Self.configuration)
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .notConnected)
        #expect(
            error?.systemErrors == [
                TransportError.SystemError(.curl, 7), TransportError.SystemError(.errno, Int(ECONNREFUSED)),
            ])
        #expect(error?.systemErrors.last?.reason == "Connection refused")
        #expect(error?.description.contains("(libcurl 7, errno \(ECONNREFUSED): Connection refused)") == true)
    }

    @Test("a login that finds no server has the same numbers")
    func login() async throws {
        let client = try RestClient(
            loginURL: "\(await closedOrigin())", clientID: "c", clientSecret: nil, configuration: Self.configuration)
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .notConnected)
        #expect(error?.systemErrors.last == TransportError.SystemError(.errno, Int(ECONNREFUSED)))
        #expect(error?.description.contains("Connection refused") == true)
    }

    @Test("a connection that is reset has the number of the reset, a file that is not there that of the file")
    func others() async throws {
        let server = try ScriptServer([.readRequest, .reset])
        let client = try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t", configuration: Self.configuration)
        let reset = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(reset?.code == .transport)
        #expect(
            reset?.systemErrors == [
                TransportError.SystemError(.curl, 56), TransportError.SystemError(.errno, Int(ECONNRESET)),
            ])
        let upload = RestRequest(method: .put, resource: .data(["x"]), body: .file(path: "/nowhere/to/be/found"))
        let missing = await #expect(throws: RestError.self) { try await client.send(upload) }
        #expect(missing?.systemErrors == [TransportError.SystemError(.errno, Int(ENOENT))])
        #expect(missing?.outcome == .notApplied)
    }

    @Test("an error that no transport made has none")
    func none() {
        #expect(RestError(.api, "x").systemErrors.isEmpty)
        #expect(TransportError.SystemError(.curl, 7).reason == nil)
        #expect(TransportError.SystemError(.errno, .max).reason == nil)
    }
}
