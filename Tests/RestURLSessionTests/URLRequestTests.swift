// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTransport
import RestURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Conversion between URLRequest and the SDK's requests")
struct URLRequestTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("URL, query, method, headers and body survive the conversion in both directions, also through a RestRequest")
    func roundTrip() throws {
        let text = "https://example.my.salesforce.com/services/apexrest/a%2Fb?q=x%2By&z=%20"
        var original = URLRequest(url: try url(text))
        original.httpMethod = "PATCH"
        original.httpBody = Data(#"{"a":1}"#.utf8)
        original.setValue("application/json", forHTTPHeaderField: "Content-Type")
        original.setValue("1, 2", forHTTPHeaderField: "X-Two")
        original.setValue("7", forHTTPHeaderField: "Content-Length")
        original.timeoutInterval = 12
        let http = try HTTPRequest(original)
        #expect(http.method == .patch)
        #expect(http.url.description == text)
        #expect(http.body == .bytes(Array(#"{"a":1}"#.utf8)))
        #expect(http.fields["Content-Type"] == "application/json")
        #expect(http.fields["Content-Length"] == nil)

        let client = try RestClient(instanceURL: "https://example.my.salesforce.com", accessToken: "secret")
        let origin = http.url.origin
        let rest = try client.httpRequest(for: RestRequest(http), instance: origin)
        #expect(rest.url == http.url && rest.method == http.method && rest.body == http.body)
        #expect(rest.fields["X-Two"] == "1, 2")
        #expect(rest.fields["Authorization"] == nil)

        let back = try URLRequest(copying: http, timeout: .seconds(12))
        #expect(back.url == original.url)
        #expect(back.httpMethod == "PATCH")
        #expect(back.httpBody == original.httpBody)
        #expect(back.timeoutInterval == 12)
        #expect(back.value(forHTTPHeaderField: "X-Two") == "1, 2")
    }

    @Test("a default URLRequest becomes a GET without a body")
    func plain() throws {
        let http = try HTTPRequest(URLRequest(url: try url("http://127.0.0.1:1/x")))
        #expect(http == HTTPRequest(url: try HTTPURL(parsing: "http://127.0.0.1:1/x")))
        #expect(try URLRequest(copying: http).httpBody == nil)
    }

    @Test(
        "requests that do not use HTTP, and plain HTTP to a remote host, are rejected",
        arguments: ["ftp://example.com/x", "example.com/x", "mailto:a@b", "file:///etc/hosts", "http://example.com/"])
    func refused(text: String) throws {
        let request = URLRequest(url: try url(text))
        let error = #expect(throws: TransportError.self) { try HTTPRequest(request) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test("a body that would be lost is rejected in both directions")
    func bodies() throws {
        var request = URLRequest(url: try url("https://example.com/"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data([1]))
        #expect(throws: TransportError.self) { try HTTPRequest(request) }
        let address = try HTTPURL(parsing: "https://example.com/")
        for body in [HTTPBody.file(path: "/etc/hosts"), .stream(HTTPBody.Source.once { nil })] {
            let request = HTTPRequest(method: .post, url: address, body: body)
            #expect(throws: TransportError.self) { try URLRequest(copying: request) }
        }
    }

    @Test("a request to another server than the account's is rejected before it is sent")
    func elsewhere() async throws {
        let client = try RestClient(instanceURL: "https://example.my.salesforce.com", accessToken: "secret")
        let request = RestRequest(try HTTPRequest(URLRequest(url: try url("https://evil.example/x"))))
        let error = await #expect(throws: RestError.self) { try await client.send(request) }
        #expect(error?.code == .invalidRequest)
    }
}
