// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation

/// The proxies that FoundationNetworking takes from the environment, whatever its configuration says.
enum EnvironmentProxy {
    private static let loopback = ["127.0.0.0/8", "127.0.0.1", "::1"]

    /// Excepts loopback addresses, once per process.
    ///
    /// Nothing else keeps FoundationNetworking from handing requests for this machine, tokens included, to the proxy.
    /// The environment is shared by all threads: make the first transport before others start to read it.
    static func exceptLoopback() { _ = isDone }

    private static let isDone: Bool = {
        let environment = ProcessInfo.processInfo.environment
        // libcurl prefers the variable in small letters.
        let value = exceptions(added: loopback, to: environment["no_proxy"] ?? environment["NO_PROXY"])
        if let value { unsafe setenv("no_proxy", value, 1) }
        return true
    }()

    /// The list with what it lacks; `nil` when it lacks nothing.
    static func exceptions(added hosts: [String] = loopback, to list: String?) -> String? {
        let known = list?.split { $0 == "," || $0 == " " }.map(String.init) ?? []
        guard !known.contains("*") else { return nil }
        let missing = hosts.filter { !known.contains($0) }
        return missing.isEmpty ? nil : (known + missing).joined(separator: ",")
    }
}
#endif
