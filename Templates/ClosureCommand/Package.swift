// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "ClosureCommand",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(name: "ClosureCommand", dependencies: [.product(name: "RestSDK", package: "RestSDK")]),
        .testTarget(
            name: "ClosureCommandTests",
            dependencies: [
                .target(name: "ClosureCommand"),
                .product(name: "RestSDK", package: "RestSDK"),
                .product(name: "EmbeddedOrg", package: "RestSDK"),
            ]),
    ]
)
