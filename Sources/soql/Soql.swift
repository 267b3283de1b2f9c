// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The `soql` command.
@main
enum Soql {
    static func main() async {
        let status = await Interrupt.guarding { await run(Array(CommandLine.arguments.dropFirst())) }
        exitProcess(status)
    }

    private static func run(_ words: [String]) async -> ExitStatus {
        do {
            switch try Invocation(words) {
            case .help: try StandardOutput.write(Usage.text)
            case .version: try StandardOutput.write("soql \(SDKVersion.current)\n")
            case .query(let options): try await QueryCommand(options: options).run()
            case .org(let options): try await OrgCommand(options: options).run()
            }
            return .success
        } catch {
            return Diagnostics.report(error)
        }
    }
}
