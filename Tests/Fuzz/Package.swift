// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The fuzz targets, in a separate package because a product built for the fuzzer has no `main` that a normal build
/// could link.
///
/// The modules under test are symbolic links into the main package, so that they are instrumented too.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    products: [
        "JSONFuzz", "CSVFuzz", "AnswerFuzz", "OrgFuzz", "HTTPFuzz", "RecordFuzz", "StoneFuzz", "AvroFuzz",
        "ProtobufFuzz", "BayeuxFuzz", "HTTP2Fuzz",
    ].map {
        .executable(name: $0, targets: [$0])
    },
    targets: [
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "COpenSSL"), .systemLibrary(name: "CSQLite"), .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CMicroHTTPD"), .systemLibrary(name: "CBytes"),
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2"),
        .target(name: "RestBase"),
        .target(name: "RestJSON", dependencies: ["CBytes"]),
        .target(name: "RestCSV"),
        .target(name: "RestXML"),
        .target(name: "RestSQLite", dependencies: ["CSQLite"]),
        .target(name: "SOQLSyntax"),
        .target(name: "SOQLCheck", dependencies: ["SOQLSyntax", "RestJSON"]),
        .target(name: "SOQLStore", dependencies: ["SOQLCheck", "SOQLSyntax", "RestJSON", "RestSQLite"]),
        .target(name: "RestTransport", dependencies: ["COpenSSL"]),
        .target(name: "EventWire", dependencies: ["RestJSON"]),
        .target(name: "RestCurl", dependencies: ["RestTransport", "CCurl", "CZlib"]),
        .target(name: "RestAuth", dependencies: ["RestTransport", "RestJSON", "COpenSSL"]),
        .target(name: "RestHTTP2", dependencies: ["RestTransport", "RestCurl", "CNGHTTP2"]),
        .target(
            name: "RestSDK",
            dependencies: ["RestTransport", "RestJSON", "RestXML", "RestAuth", "SOQLSyntax", "SOQLCheck", "RestCurl"]),
        .target(name: "RestModels", dependencies: ["RestSDK", "SOQLSyntax", "RestJSON", "RestTransport"]),
        .target(
            name: "RestEvents",
            dependencies: [
                "RestModels", "RestSDK", "RestAuth", "RestSQLite", "RestTransport", "RestJSON", "EventWire",
                "RestHTTP2", "RestCurl",
            ]),
        .target(name: "RestTesting", dependencies: ["RestSDK", "RestTransport", "RestJSON"]),
        .target(
            name: "LocalServer",
            dependencies: ["RestJSON", "RestTransport", "CMicroHTTPD", "CZlib"]),
        .target(
            name: "EmbeddedOrg",
            dependencies: [
                "LocalServer", "SOQLStore", "SOQLCheck", "SOQLSyntax", "RestJSON", "RestCSV", "RestXML", "RestSQLite",
                "RestTransport", "COpenSSL", "EventWire", "RestHTTP2",
            ]),
        .target(name: "SwiftSource"),
        .target(name: "StoneCompiler", dependencies: ["SwiftSource"]),
        .target(name: "FuzzSupport"),
        .target(name: "MutatedPages", dependencies: ["RestJSON", "RestTransport"]),
        .executableTarget(name: "JSONFuzz", dependencies: ["RestJSON", "MutatedPages", "FuzzSupport"]),
        .executableTarget(name: "CSVFuzz", dependencies: ["RestCSV", "FuzzSupport"]),
        .executableTarget(name: "AnswerFuzz", dependencies: ["RestSDK", "RestTesting", "FuzzSupport"]),
        .executableTarget(
            name: "OrgFuzz", dependencies: ["EmbeddedOrg", "RestJSON", "RestTransport", "FuzzSupport"]),
        .executableTarget(name: "HTTPFuzz", dependencies: ["EmbeddedOrg", "LocalServer", "FuzzSupport"]),
        .executableTarget(name: "RecordFuzz", dependencies: ["RestAuth", "RestTesting", "FuzzSupport"]),
        .executableTarget(name: "StoneFuzz", dependencies: ["StoneCompiler", "FuzzSupport"]),
        .executableTarget(name: "AvroFuzz", dependencies: ["EventWire", "RestJSON", "FuzzSupport"]),
        .executableTarget(name: "ProtobufFuzz", dependencies: ["EventWire", "FuzzSupport"]),
        .executableTarget(
            name: "BayeuxFuzz", dependencies: ["RestEvents", "RestJSON", "RestTransport", "FuzzSupport"]),
        .executableTarget(name: "HTTP2Fuzz", dependencies: ["RestHTTP2", "RestTransport", "FuzzSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
]
for target in package.targets where target.type != .system {
    target.swiftSettings = settings
    if target.name != "RestBase" { target.dependencies.append("RestBase") }
}
// The fuzzer drives the internal state machines, without I/O.
for target in package.targets where target.name == "RestEvents" {
    target.swiftSettings?.append(.unsafeFlags(["-enable-testing"]))
}
