// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Testing

@Suite("Kinds of errors by the names of the Dropbox SDKs")
struct ErrorKindTests {
    private struct Conflict: Error {}

    @Test(
        "every status has its kind",
        arguments: [
            (400, RestError.Code.api, ErrorKind.badInputError), (401, .unauthorized, .authError),
            (403, .forbidden, .accessError), (404, .notFound, .httpError), (409, .api, .httpError),
            (422, .api, .httpError), (429, .rateLimited, .rateLimitError), (403, .rateLimited, .rateLimitError),
            (500, .server, .internalServerError), (503, .server, .internalServerError), (302, .redirected, .httpError),
            (414, .tooLarge, .httpError), (200, .api, .badInputError), (200, .decoding, .clientError),
        ])
    func statuses(status: Int, code: RestError.Code, kind: ErrorKind) {
        let error = RestError(code, "", response: HTTPResponseHead(status: status))
        #expect(error.kind == kind)
        #expect(CallError<Conflict>.rest(error).kind == kind)
    }

    @Test(
        "every failure without an answer has its kind",
        arguments: [
            (RestError.Code.cancelled, ErrorKind.clientError), (.timedOut, .clientError), (.notConnected, .clientError),
            (.transport, .clientError), (.tls, .clientError), (.loginFailed, .authError), (.refreshFailed, .authError),
            (.invalidRequest, .clientError), (.tooLarge, .clientError), (.shutDown, .clientError),
            (.circuitOpen, .clientError), (.proxyUnauthorized, .clientError),
            (RestError.Code(rawValue: "of-tomorrow"), .clientError),
        ])
    func noAnswer(code: RestError.Code, kind: ErrorKind) {
        #expect(RestError(code, "").kind == kind)
    }

    @Test("only a call's own failure is a route error, and every kind occurs")
    func routes() {
        #expect(CallError<Conflict>.route(Conflict(), requestID: nil).kind == .routeError)
        let kinds = RestError.Code.all.flatMap { code in
            [200, 400, 404, 500].map { RestError(code, "", response: HTTPResponseHead(status: $0)).kind }
        }
        #expect(Set(kinds).union([.routeError]) == Set(ErrorKind.allCases))
    }
}

extension RestError.Code {
    /// Every code of the SDK.
    static let all: [RestError.Code] = [
        .cancelled, .timedOut, .notConnected, .transport, .tls, .unauthorized, .loginFailed, .refreshFailed, .forbidden,
        .notFound,
        .rateLimited, .api, .server, .redirected, .decoding, .invalidRequest, .tooLarge, .shutDown, .circuitOpen,
        .proxyUnauthorized,
    ]
}
