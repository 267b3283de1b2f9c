// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "BoxSync",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(
            name: "boxsync",
            dependencies: [
                .product(name: "Dropbox", package: "RestSDK"),
                .product(name: "EmbeddedBox", package: "RestSDK"),
            ]),
        .testTarget(
            name: "BoxSyncTests",
            dependencies: [
                .target(name: "boxsync"),
                .product(name: "Dropbox", package: "RestSDK"),
                .product(name: "EmbeddedBox", package: "RestSDK"),
            ]),
    ]
)
