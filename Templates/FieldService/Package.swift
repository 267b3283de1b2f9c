// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "FieldService",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RestSDK", path: "../..")],
    targets: [
        .executableTarget(name: "FieldService", dependencies: [.product(name: "RestSync", package: "RestSDK")]),
        .testTarget(
            name: "FieldServiceTests",
            dependencies: [
                .target(name: "FieldService"),
                .product(name: "RestSync", package: "RestSDK"),
                .product(name: "EmbeddedOrg", package: "RestSDK"),
            ]),
    ]
)
