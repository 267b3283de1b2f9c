// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "ChangeFeed",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(
            name: "ChangeFeed",
            dependencies: [
                "SystemSQLite",
                .product(name: "RestSDK", package: "RestSDK"),
                .product(name: "RestEvents", package: "RestSDK"),
            ]),
        .systemLibrary(name: "SystemSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .testTarget(
            name: "ChangeFeedTests",
            dependencies: [
                .target(name: "ChangeFeed"),
                .product(name: "RestSDK", package: "RestSDK"),
                .product(name: "RestEvents", package: "RestSDK"),
                .product(name: "EmbeddedOrg", package: "RestSDK"),
            ]),
    ]
)
