// SPDX-License-Identifier: Apache-2.0

import RestSDK

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The `soql` command.
@main
enum Soql {
    static func main() async {
        Settings.takeEnvironment()
        do {
            guard StandardOutput.openMissingStreams() else { throw StandardOutput.WriteFailed(code: EBADF) }
            let task = try task(for: Array(CommandLine.arguments.dropFirst()))
            let status = await Interrupt.guarding {
                do {
                    try await task()
                    return .success
                } catch {
                    return Diagnostics.report(error)
                }
            }
            exitProcess(status)
        } catch {
            exitProcess(Diagnostics.report(error))
        }
    }

    /// What to do.
    ///
    /// A query is read here already, while an interrupt still ends the process by itself.
    private static func task(for words: [String]) throws -> @Sendable () async throws -> Void {
        switch try Invocation(words) {
        case .help: return { try StandardOutput.write(Usage.text) }
        case .version: return { try StandardOutput.write("soql \(RestClient.version)\n") }
        case .query(let options):
            let command = try QueryCommand(options: options)
            return { try await command.run() }
        case .org(let options): return { try await OrgCommand(options: options).run() }
        case .login(let options):
            let command = try LoginCommand(options: options)
            return { try await command.run() }
        case .logout(let options): return { try await LogoutCommand(options: options).run() }
        case .accounts(let options): return { try await AccountsCommand(options: options).run() }
        }
    }
}
