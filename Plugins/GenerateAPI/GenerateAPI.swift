// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package generate-api`: runs `stonegen` in the directory of the package.
///
/// Arguments, messages and the exit status are those of `stonegen`. Relative paths start at the package's directory.
@main
struct GenerateAPI: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "stonegen").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // A thrown error would be printed a second time, with exit status 1.
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            exit(process.terminationReason == .exit ? process.terminationStatus : 70)
        }
    }
}
