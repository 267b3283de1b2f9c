// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "BoxSync",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(name: "boxsync", dependencies: ["BoxSyncCore"]),
        .target(
            name: "BoxSyncCore",
            dependencies: [
                .product(name: "Dropbox", package: "RestSDK"),
                .product(name: "EmbeddedBox", package: "RestSDK"),
            ]),
        .testTarget(
            name: "BoxSyncTests",
            dependencies: [
                "BoxSyncCore", "boxsync",
                .product(name: "Dropbox", package: "RestSDK"),
                .product(name: "EmbeddedBox", package: "RestSDK"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
