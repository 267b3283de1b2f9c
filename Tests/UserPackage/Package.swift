// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The dependencies of an app: every library of the SDK, and the plugin for checked queries.
let libraries = [
    "RestSDK", "RestCurl", "RestURLSession", "RestCSV", "RestModels", "RestBulk", "RestEvents", "RestSync",
    "RestSyncLive", "RestTesting", "StoneRuntime", "DropboxAPI", "Dropbox", "EmbeddedOrg", "EmbeddedBox",
]

/// Targets with the settings of different users, all with the sources of the first by symbolic links.
let settings: [(name: String, settings: [SwiftSetting])] = [
    ("DefaultTests", []),
    (
        "MainActorTests",
        [
            .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("InferIsolatedConformances"),
        ]
    ),
    ("Swift5Tests", [.swiftLanguageMode(.v5)]),
]

let package = Package(
    name: "UserPackage", platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "rest", path: "../..")],
    targets: settings.map { target in
        .testTarget(
            name: target.name, dependencies: libraries.map { .product(name: $0, package: "rest") },
            swiftSettings: target.settings + [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "RestSDKQueries", package: "rest")])
    })
