// SPDX-License-Identifier: Apache-2.0

import FuzzSupport
import LocalOrg
import RestJSON
import RestTransport

/// What libFuzzer calls with each input: a request to an embedded org, through its real router.
///
/// The first byte chooses what the rest is: a whole request, a query, a search, a body for one of the resources.
///
/// Unsafe by need: this is libFuzzer's C interface. The bytes are copied before anything else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe fuzzedBytes(start, count)
    guard let choice = bytes.first else { return 0 }
    let request = FuzzedRequest(choice, bytes.dropFirst())
    runBlocking {
        guard let (org, token) = await FuzzedOrg.shared.next() else { return require(false, "an org starts") }
        var fields = request.fields
        if request.isAuthorized { fields.append("Authorization", "Bearer \(token)") }
        check(org.answer(request.method, request.target, fields: fields, body: request.body))
    }
    return 0
}

/// Every answer has a status that HTTP knows and is no fault of the org itself, and its body is what it calls itself.
private func check(_ answer: HTTPResponse) {
    require((100...599).contains(answer.head.status), "a status")
    let type = answer.head.fields["Content-Type"] ?? ""
    // SOAP tells every refusal with 500 (SOAP 1.1, section 6.2).
    require(answer.head.status != 500 || type.hasPrefix("text/xml"), "no internal fault")
    let isJSON = type.hasPrefix("application/json")
    guard isJSON, !answer.body.isEmpty, answer.head.fields["Content-Encoding"] == nil else { return }
    require((try? JSONValue(parsing: answer.body)) != nil, "JSON that is JSON")
}

/// The org that gets the requests, and a new one when it has had many: what one input leaves behind may help a later
/// one to find something, but not for ever.
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
