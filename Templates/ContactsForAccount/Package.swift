// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "ContactsForAccount",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(name: "ContactsForAccount", dependencies: [.product(name: "RestSDK", package: "RestSDK")]),
        .testTarget(
            name: "ContactsForAccountTests",
            dependencies: [
                .target(name: "ContactsForAccount"),
                .product(name: "RestSDK", package: "RestSDK"),
                .product(name: "EmbeddedOrg", package: "RestSDK"),
            ]),
    ]
)
