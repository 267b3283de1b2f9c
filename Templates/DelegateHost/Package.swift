// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "DelegateHost",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(name: "DelegateHost", dependencies: [.product(name: "RestSDK", package: "RestSDK")]),
        .testTarget(
            name: "DelegateHostTests",
            dependencies: [
                .target(name: "DelegateHost"),
                .product(name: "RestSDK", package: "RestSDK"),
                .product(name: "EmbeddedOrg", package: "RestSDK"),
            ]),
    ]
)
