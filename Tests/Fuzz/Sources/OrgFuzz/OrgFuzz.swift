// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import FuzzSupport
import RestTransport

/// Called by libFuzzer with each input: a request to an embedded org, through its real router.
///
/// The first byte selects the meaning of the rest: a whole request, a query, a search, or a body for one of the
/// resources, including bodies with several parts and uploads of bulk jobs, which are processed before the next input.
///
/// Unsafe because it is libFuzzer's C interface. The bytes are copied first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe fuzzedBytes(start, count)
    guard let choice = bytes.first else { return 0 }
    let request = FuzzedRequest(choice, bytes.dropFirst())
    runBlocking {
        guard let (org, token) = await FuzzedOrg.shared.next() else { return require(false, "an org starts") }
        var request = request
        if request.isAuthorized { request.request.fields.append("Authorization", "Bearer \(token)") }
        if request.isUpload { request.openJob(in: org, token) }
        check(org.respond(request.request), request.request)
        if request.isUpload { request.closeJob(in: org, token) }
    }
    return 0
}

extension LocalOrg {
    fileprivate func respond(_ request: HostileRequest) -> HTTPResponse {
        respond(request.method, request.target, fields: request.fields, body: request.body)
    }
}

/// Checks that the response is one that Salesforce could send, with a body that matches its content type.
///
/// A query that SQLite could not run would be a 503.
private func check(_ response: HTTPResponse, _ request: HostileRequest) {
    if let fault = ResponseRules.fault(of: response, to: request) { fatalError("\(fault): \(request)") }
}

/// The org that gets the requests, which is replaced after a number of inputs. Until then, the changes of one input may
/// help a later input to find an error.
private actor FuzzedOrg {
    static let shared = FuzzedOrg()
    private static let mostRequests = 2_000

    private var current: (org: LocalOrg, token: String)?
    private var requests = 0

    func next() async -> (LocalOrg, String)? {
        requests += 1
        if requests % Self.mostRequests == 0, let old = current {
            current = nil
            await old.org.stop()
        }
        if current == nil, let org = try? await LocalOrg.start() {
            current = (org, org.issueCredential().accessToken)
        }
        return current
    }
}
