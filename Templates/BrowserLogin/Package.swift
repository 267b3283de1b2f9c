// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "BrowserLogin",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(name: "BrowserLogin", dependencies: [.product(name: "RestSDK", package: "RestSDK")]),
        .testTarget(
            name: "BrowserLoginTests",
            dependencies: [
                .target(name: "BrowserLogin"),
                .product(name: "RestSDK", package: "RestSDK"),
                .product(name: "RestTesting", package: "RestSDK"),
                .product(name: "EmbeddedOrg", package: "RestSDK"),
            ]),
    ]
)
