// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Process {
    /// The environment of every program that a test starts, whoever runs the tests and on whichever machine.
    ///
    /// The locale, the time zone, the terminal and the directories are fixed. Only the search path, the temporary
    /// directory, the settings of loaders and sanitizers, and our own variables come from the test's environment.
    public static func toolEnvironment(adding more: [String: String] = [:]) -> [String: String] {
        let inherited = ProcessInfo.processInfo.environment.filter { name, _ in
            ["PATH", "TMPDIR", "LD_LIBRARY_PATH"].contains(name) || name.hasSuffix("SAN_OPTIONS")
                || name.hasPrefix("RESTSDK_")
        }
        let fixed = [
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm", "HOME": "/nonexistent", "PYTHONUTF8": "1",
            // Python would write beside the scripts of the tests.
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
        return inherited.merging(fixed) { $1 }.merging(more) { $1 }
    }

    /// A process with ``toolEnvironment(adding:)``, which is terminated if it runs for more than `limit` seconds.
    ///
    /// Tests and benchmarks create every process with it, so that none of them depends on the user's settings or
    /// waits for ever.
    public static func tool(adding more: [String: String] = [:], limit: Int = 300) -> Process {
        let process = Process()
        process.environment = toolEnvironment(adding: more)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) { [weak process] in
            if let process, process.isRunning { process.terminate() }
        }
        return process
    }
}

/// Removes the user's proxies from the environment of this process, for tests of transports that heed them.
public func ignoreProxies() {
    for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] { unsafe unsetenv(name) }
}
