// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package generate-api`: runs `stonegen` for the package in whose folder it is called.
///
/// Arguments, messages and the exit status are those of `stonegen`; relative paths begin at the package's folder.
@main
struct GenerateAPI: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "stonegen").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // A fault that is thrown would be told a second time, and its status would be 1.
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            exit(process.terminationReason == .exit ? process.terminationStatus : 70)
        }
    }
}
