// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Fuzz targets, in a package of their own, as a product built with the fuzzer has no `main` for normal builds to link.
///
/// The modules under test are symbolic links into the package beside this one, so that they are instrumented as well.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "JSONFuzz", targets: ["JSONFuzz"])],
    targets: [
        .target(name: "RestJSON"),
        .executableTarget(name: "JSONFuzz", dependencies: ["RestJSON"]),
    ],
    swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
]
for target in package.targets { target.swiftSettings = settings }
