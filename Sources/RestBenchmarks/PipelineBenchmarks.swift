// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalOrg
import RestSDK

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Records through the whole client, beside URLSession with JSONSerialization on the same org.
func pipelineFigures() async throws {
    let org = try await LocalOrg.start(LocalOrgConfiguration(records: 50_000))
    let client = try RestClient(
        loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    let token = org.issueCredential().accessToken
    let query: SOQL = "SELECT Id, Name, Industry, Phone, Website, AnnualRevenue FROM Account"
    let pairs = try await Pairs {
        try foundationRecords(of: query.text, at: org.instanceURL, token: token)
    } ours: {
        var count = 0
        for try await record in client.records(query) where record["Name"] != nil { count += 1 }
    }
    pairs.figure("pipeline.records.urlsession", atLeast: 1).print()
    await org.stop()
}

/// Reads every page with URLSession, as a host without the SDK would.
private func foundationRecords(of query: String, at instance: String, token: String) throws {
    var path: String? = "/services/data/v66.0/query?q=" + query.split(separator: " ").joined(separator: "%20")
    while let next = path, let url = URL(string: instance + next) {
        var request = URLRequest(url: url)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let page = try JSONSerialization.jsonObject(with: try load(request)) as? [String: Any]
        for case let record as [String: Any] in page?["records"] as? [Any] ?? [] where record["Name"] == nil { return }
        path = page?["nextRecordsUrl"] as? String
    }
}

private func load(_ request: URLRequest) throws -> Data {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result<Data, any Error> = .failure(URLError(.unknown))
    // The semaphore orders the write in the call-back before the read below.
    URLSession.shared.dataTask(with: request) { data, _, error in
        unsafe result = data.map(Result.success) ?? .failure(error ?? URLError(.unknown))
        done.signal()
    }.resume()
    done.wait()
    return try unsafe result.get()
}
