// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "SyncJob",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(
            name: "SyncJob", dependencies: ["SystemSQLite", .product(name: "RestSDK", package: "RestSDK")]),
        .systemLibrary(name: "SystemSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .testTarget(
            name: "SyncJobTests",
            dependencies: [
                .target(name: "SyncJob"),
                .product(name: "RestSDK", package: "RestSDK"),
                .product(name: "EmbeddedOrg", package: "RestSDK"),
            ]),
    ]
)
