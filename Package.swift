// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// What Apple's platforms want to know of a library that looks at files; elsewhere it would cost a bundle for nothing.
#if os(macOS)
let privacy = (resources: [Resource.copy("PrivacyInfo.xcprivacy")], excluded: [String]())
#else
let privacy = (resources: [Resource](), excluded: ["PrivacyInfo.xcprivacy"])
#endif

/// A C library of the platform; `make setup` installs its headers (see docs/architecture.md, "Dependencies").
///
/// On a Mac, pkg-config finds the directory of a library of Homebrew, which the compiler does not search. Linux needs
/// no pkg-config, and SwiftPM would warn there if it is not installed.
func library(_ name: String, apt: String, brew: String? = nil, pkgConfig: String? = nil) -> Target {
    #if os(macOS)
    let pkgConfig = pkgConfig
    #else
    let pkgConfig: String? = nil
    #endif
    return .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([apt])] + (brew.map { [.brew([$0])] } ?? []))
}

/// A module in `Sources/DIRECTORY/NAME`.
///
/// It uses `RestBase`, modules of its own directory, and those above it in this file.
func module(
    _ name: String, in directory: String, uses: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: uses, path: "Sources/\(directory)/\(name)", exclude: exclude, resources: resources)
}

func program(_ name: String, in directory: String, uses: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: uses, path: "Sources/\(directory)/\(name)")
}

func linux(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(platforms: [.linux])) }

func apple(_ name: String) -> Target.Dependency {
    .target(name: name, condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
}

let modules: [Target] = [
    library("CCurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    library("COpenSSL", apt: "libssl-dev"),
    library("CSQLite", apt: "libsqlite3-dev", brew: "sqlite"),
    library("CZlib", apt: "zlib1g-dev"),
    library("CEdit", apt: "libedit-dev"),
    library("CMicroHTTPD", apt: "libmicrohttpd-dev", brew: "libmicrohttpd", pkgConfig: "libmicrohttpd"),
    library("CNGHTTP2", apt: "libnghttp2-dev", brew: "libnghttp2", pkgConfig: "libnghttp2"),
    // No library, but one header of the package's own: instructions of the processor that Swift has no word for.
    .systemLibrary(name: "CBytes", path: "Sources/System/CBytes"),

    module("RestBase", in: "Base"),
    module("RestJSON", in: "Base", uses: ["CBytes"]),
    module("RestCSV", in: "Base"),
    module("RestXML", in: "Base"),
    module("RestSQLite", in: "Base", uses: ["CSQLite"]),

    module("RestTransport", in: "HTTP", uses: [linux("COpenSSL")]),
    module(
        "RestCurl", in: "HTTP",
        uses: ["RestTransport", "CCurl", "CZlib"]),
    module("RestHTTP2", in: "HTTP", uses: ["RestTransport", "RestCurl", "CNGHTTP2"]),
    module("RestURLSession", in: "HTTP", uses: ["RestTransport"]),

    module("SOQLSyntax", in: "SOQL"),
    module("SOQLCheck", in: "SOQL", uses: ["SOQLSyntax", "RestJSON"]),
    module("SOQLStore", in: "SOQL", uses: ["SOQLCheck", "SOQLSyntax", "RestJSON", "RestSQLite"]),

    module(
        "RestAuth", in: "Client",
        uses: ["RestTransport", "RestJSON", "RestXML", linux("COpenSSL")]),
    module("EventWire", in: "Client", uses: ["RestJSON"]),
    module(
        "RestSDK", in: "Client",
        uses: [
            "RestTransport", "RestJSON", "RestXML", "RestAuth", "SOQLSyntax", "SOQLCheck", linux("RestCurl"),
            apple("RestURLSession"),
        ],
        exclude: privacy.excluded, resources: privacy.resources),
    module("RestModels", in: "Client", uses: ["RestSDK", "SOQLSyntax", "RestJSON", "RestTransport"]),
    module(
        "RestBulk", in: "Client",
        uses: ["RestSDK", "RestCSV", "RestTransport", "RestJSON", "SOQLCheck", "SOQLSyntax"]),
    module(
        "RestEvents", in: "Client",
        uses: [
            "RestModels", "RestSDK", "RestAuth", "RestSQLite", "RestTransport", "RestJSON", "EventWire",
            linux("RestHTTP2"), linux("RestCurl"),
        ]),
    module(
        "RestSync", in: "Client",
        uses: [
            "RestModels", "RestBulk", "RestSDK", "RestAuth", "RestTransport", "RestJSON", "SOQLStore", "SOQLCheck",
            "SOQLSyntax", "RestSQLite",
        ]),
    module("RestSyncLive", in: "Client", uses: ["RestSync", "RestEvents", "RestSDK"]),

    module("StoneRuntime", in: "Dropbox", uses: ["RestSDK", "RestJSON", "RestTransport"]),
    module("DropboxAPI", in: "Dropbox", uses: ["StoneRuntime", "RestSDK"]),
    module(
        "Dropbox", in: "Dropbox",
        uses: [
            "DropboxAPI", "StoneRuntime", "RestSDK", "RestAuth", "RestJSON", "RestTransport",
            apple("RestURLSession"),
        ]),

    module(
        "LocalServer", in: "Embedded",
        uses: ["RestJSON", "RestTransport", "CMicroHTTPD"]),
    module(
        "EmbeddedOrg", in: "Embedded",
        uses: [
            "LocalServer", "SOQLStore", "SOQLCheck", "SOQLSyntax", "EventWire", "RestJSON", "RestCSV", "RestXML",
            "RestSQLite", "RestTransport", linux("RestHTTP2"), linux("COpenSSL"),
        ]),
    module(
        "EmbeddedBox", in: "Embedded",
        uses: [
            "LocalServer", "DropboxAPI", "StoneRuntime", "RestSDK", "RestJSON", "RestSQLite", "RestTransport",
        ]),

    module("RestTesting", in: "Testing", uses: ["RestSDK", "RestTransport", "RestJSON"]),

    module("SwiftSource", in: "Generators"),
    module("SOQLSwift", in: "Generators", uses: ["SOQLCheck", "SwiftSource", "RestJSON"]),
    module("StoneCompiler", in: "Generators", uses: ["SwiftSource"]),
    program("soqlgen", in: "Generators", uses: ["SOQLSwift", "SOQLCheck", "SwiftSource"]),
    program("stonegen", in: "Generators", uses: ["StoneCompiler", "SwiftSource"]),
    .plugin(
        name: "GenerateAPI",
        capability: .command(
            intent: .custom(verb: "generate-api", description: "Writes Swift sources of Stone specs."),
            permissions: [.writeToPackageDirectory(reason: "The sources of the API become files of the package.")]),
        dependencies: ["stonegen"]),
    .plugin(name: "RestSDKQueries", capability: .buildTool(), dependencies: ["soqlgen"]),

    module(
        "SoqlCommand", in: "Command",
        uses: [
            "RestSDK", "RestBulk", "RestEvents", "RestSync", "EmbeddedOrg", "SOQLSyntax", "SOQLCheck", "SOQLSwift",
            "SOQLStore", "SwiftSource", "RestJSON", "RestTransport", "RestXML", "CEdit",
        ]),
    program("soql", in: "Command", uses: ["SoqlCommand"]),
]

#if canImport(Combine)
let combine = (
    targets: [Target](), linked: [Target.Dependency](),
    excluded: ["CallPublisher", "BulkPublishers", "EventPublisher", "Transfer+Publisher"].map {
        "Fronts/\($0).swift"
    },
    settings: [SwiftSetting]()
)
#else
/// A stand-in for Apple's module, for the tests alone.
///
/// Against it they compile the files of publishers, to which links lead. Like Apple's module it is older than Swift 6,
/// so that closures which are handed to it check their actor.
let combine = (
    targets: [Target.target(name: "Combine", path: "Tests/Combine", swiftSettings: [.swiftLanguageMode(.v5)])],
    linked: [Target.Dependency.target(name: "Combine")], excluded: [String](),
    settings: [SwiftSetting.define("COMBINE_STAND_IN")]
)
#endif

let tests: [Target] = [
    .executableTarget(
        name: "RestBenchmarks",
        dependencies: [
            "RestSDK", "RestJSON", "RestSQLite", "RestTransport", "EmbeddedOrg", "RestCurl", "RestTesting",
            "TestSupport", "LoginPeers", "Simulation", "QueryCorpus", "MutatedPages", "SOQLSyntax", "StoneCompiler",
            "SwiftSource", "StoneRuntime", "DropboxAPI", "Dropbox", "EmbeddedBox", "RestCSV", "RestBulk", "Terminals",
            "BuiltPrograms", "EventWire", "RestEvents", "EventServers", "eventworker", linux("RestHTTP2"),
            "RestSync", "SyncSimulation", "SOQLStore",
        ],
        path: "Tests/Benchmarks"),
    // What tests and figures share: servers, responses and programs that no user of `RestTesting` needs.
    .target(
        name: "TestSupport", dependencies: ["RestTesting", "RestTransport", "RestSDK"],
        path: "Tests/Support/TestSupport"),
    // Authorization servers that others wrote.
    .target(
        name: "LoginPeers",
        dependencies: ["RestAuth", "RestSDK", "RestTransport", "RestJSON", "RestTesting", "BuiltPrograms"],
        path: "Tests/LoginPeers"),
    // The same for calls and accounts that a seed drives.
    .target(name: "Simulation", dependencies: ["RestTesting", "RestSDK", "RestTransport"], path: "Tests/Simulation"),
    // Copies and an org that a seed drives.
    .target(
        name: "SyncSimulation",
        dependencies: [
            "RestSync", "RestModels", "RestSDK", "RestTransport", "RestJSON", "EmbeddedOrg", "LocalServer", "SOQLStore",
        ],
        path: "Tests/Support/SyncSimulation"),
    // Measures how a cost grows with the input.
    .target(name: "Costs", path: "Tests/Costs"),
    // Random queries over the whole grammar and over schemas, and queries with known results.
    .target(name: "QueryCorpus", dependencies: ["RestTransport", "SOQLStore", "SOQLCheck"], path: "Tests/QueryCorpus"),
    // Pages of records that are damaged and changed, and the plainest reader of them.
    .target(name: "MutatedPages", dependencies: ["RestJSON", "RestTransport"], path: "Tests/MutatedPages"),
    // And the programs that tests run: those of the package, and Python.
    .target(name: "BuiltPrograms", path: "Tests/BuiltPrograms"),
    // Terminals made of software, and programs at them.
    .target(name: "Terminals", dependencies: ["RestTransport"], path: "Tests/Terminals"),
    // A box in a process of its own, which tests kill and figures measure.
    .executableTarget(name: "boxserver", dependencies: ["EmbeddedBox"], path: "Tests/BoxServer"),
    // Exports and loads in a process of its own, which tests kill.
    .executableTarget(name: "bulkworker", dependencies: ["RestBulk"], path: "Tests/BulkWorker"),
    .testTarget(
        name: "RestBaseTests",
        dependencies: [
            "RestTransport", "RestJSON", "RestCSV", "RestSDK", "RestTesting", "EmbeddedOrg", "SOQLSyntax",
            "SOQLCheck", "SOQLSwift", "SwiftSource", "StoneCompiler", "BuiltPrograms", "SoqlCommand",
        ]),
    .testTarget(name: "RestJSONTests", dependencies: ["RestJSON", "RestTransport", "MutatedPages", "Costs"]),
    .testTarget(name: "RestCSVTests", dependencies: ["RestCSV", "RestTransport", "Costs"]),
    .testTarget(name: "RestXMLTests", dependencies: ["RestXML"]),
    .testTarget(name: "SOQLSyntaxTests", dependencies: ["SOQLSyntax", "RestTransport", "QueryCorpus"]),
    .testTarget(name: "SOQLCheckTests", dependencies: ["SOQLCheck", "SOQLSyntax", "RestJSON"]),
    .testTarget(
        name: "SOQLStoreTests",
        dependencies: ["SOQLStore", "SOQLCheck", "SOQLSyntax", "RestJSON", "RestSQLite", "QueryCorpus", "Costs"]),
    .testTarget(
        name: "StoneCompilerTests",
        dependencies: [
            "StoneCompiler", "SwiftSource", "NotesAPI", "StoneRuntime", "RestJSON", "BuiltPrograms", "Costs",
        ],
        exclude: ["Oracle"]),
    .testTarget(name: "StoneGenTests", dependencies: ["stonegen", "BuiltPrograms"]),
    // The functions of queries, for the tests and the samples of the articles. They are checked in, because the plugin
    // would compile its program and seven modules once more.
    .target(
        name: "SampleQueries", dependencies: ["RestModels", "OrgModels"], path: "Tests/SampleQueries",
        exclude: ["Queries", "schema.json", "soqlgen.json"]),
    .testTarget(name: "SOQLGenTests", dependencies: ["soqlgen", "BuiltPrograms"]),
    // What the specs of the notes service give, checked in and compiled.
    .target(name: "NotesAPI", dependencies: ["StoneRuntime", "RestSDK"], path: "Tests/NotesAPI"),
    .testTarget(
        name: "StoneRuntimeTests", dependencies: ["StoneRuntime", "RestSDK", "RestJSON", "RestTesting"]),
    // What `soql models` makes of the objects in schema.json, checked in and compiled.
    .target(name: "OrgModels", dependencies: ["RestModels"], path: "Tests/OrgModels", exclude: ["schema.json"]),
    .testTarget(
        name: "SOQLSwiftTests",
        dependencies: ["SOQLSwift", "SOQLCheck", "SwiftSource", "RestJSON", "OrgModels", "RestModels"]),
    // What all writers of sources make of random schemas, queries and specs, compiled.
    .testTarget(
        name: "CompiledSourcesTests",
        dependencies: [
            "SwiftSource", "SOQLCheck", "SOQLSwift", "StoneCompiler", "RestJSON", "RestTransport", "RestModels",
            "StoneRuntime", "OrgModels", "BuiltPrograms", "soql", "soqlgen", "stonegen",
        ]),
    .testTarget(
        name: "DropboxTests",
        dependencies: [
            "Dropbox", "DropboxAPI", "StoneRuntime", "RestSDK", "RestAuth", "RestTesting", "TestSupport", "RestJSON",
            "RestTransport", "EmbeddedBox",
        ]),
    .testTarget(
        name: "RestBulkTests",
        dependencies: [
            "RestBulk", "RestSDK", "RestCSV", "RestTesting", "RestTransport", "RestJSON", "EmbeddedOrg",
            "BuiltPrograms",
            "bulkworker",
        ]),
    // A CometD server in memory, for tests and figures.
    .target(
        name: "EventServers",
        dependencies: ["RestEvents", "RestSDK", "RestAuth", "RestJSON", "RestTesting", "RestTransport"],
        path: "Tests/EventServers"),
    // Listens to a scripted server in a process of its own, which tests kill.
    .executableTarget(name: "eventworker", dependencies: ["RestEvents", "RestSQLite"], path: "Tests/EventWorker"),
    .testTarget(
        name: "RestEventsTests",
        dependencies: [
            "RestEvents", "RestModels", "RestSDK", "RestAuth", "RestSQLite", "RestTesting", "RestTransport", "RestJSON",
            "OrgModels", "EmbeddedOrg", "BuiltPrograms", "EventServers", "eventworker", "EventWire", linux("RestHTTP2"),
        ]),
    // Uses a copy in a process of its own, which tests kill or give another SQLite.
    .executableTarget(name: "syncworker", dependencies: ["RestSync"], path: "Tests/SyncWorker"),
    .testTarget(
        name: "RestSyncTests",
        dependencies: [
            "RestSync", "RestModels", "RestBulk", "RestSDK", "RestJSON", "RestTransport", "RestTesting", "SOQLStore",
            "RestSQLite", "SOQLSyntax", "EmbeddedOrg", "OrgModels", "BuiltPrograms", "syncworker", "SyncSimulation",
            "QueryCorpus",
        ]),
    .testTarget(
        name: "RestSyncLiveTests",
        dependencies: ["RestSyncLive", "RestEvents", "RestSync", "RestJSON", "RestTesting", "EmbeddedOrg"]),
    .testTarget(name: "RestTransportTests", dependencies: ["RestTransport", "RestTesting", "TestSupport"]),
    .testTarget(
        name: "RestCurlTests",
        dependencies: [
            "RestCurl", "RestTransport", "RestTesting", "TestSupport", "RestAuth", "CCurl", "CZlib", "BuiltPrograms",
            linux("COpenSSL"),
        ]),
    .testTarget(
        name: "RestHTTP2Tests",
        dependencies: ["RestHTTP2", "RestCurl", "RestTransport", "RestTesting", "TestSupport", "BuiltPrograms"],
        exclude: ["Peers"]),
    .testTarget(name: "RestTestingTests", dependencies: ["RestTesting", "RestTransport", "RestCurl", "EmbeddedOrg"]),
    .testTarget(
        name: "RestURLSessionTests",
        dependencies: ["RestURLSession", "RestTransport", "RestTesting", "RestSDK", "BuiltPrograms"]),
    .testTarget(
        name: "RestAuthTests",
        dependencies: [
            "RestAuth", "RestTransport", "RestJSON", "RestTesting", "RestSDK", "EmbeddedOrg", "LocalServer",
            "LoginPeers", "Simulation", "BuiltPrograms",
        ],
        exclude: ["Peers"]),
    .testTarget(
        name: "EventWireTests", dependencies: ["EventWire", "RestJSON", "BuiltPrograms", "Costs"],
        exclude: ["Peers/avro_check.py", "Peers/protobuf_check.py", "Peers/pubsub.proto"]),
    .testTarget(
        name: "RestSDKTests",
        dependencies: [
            "RestSDK", "RestCurl", "RestTesting", "RestTransport", "RestAuth", "EmbeddedOrg", "RestJSON", "RestXML",
            "SOQLSyntax", "Simulation", "SampleQueries", "Dropbox", "DropboxAPI", "EmbeddedBox", "StoneRuntime",
            "RestBulk", "RestEvents", "RestModels", "OrgModels", "Costs",
        ] + combine.linked,
        exclude: combine.excluded, swiftSettings: combine.settings),
    .testTarget(
        name: "EmbeddedOrgTests",
        dependencies: [
            "EmbeddedOrg", "LocalServer", "SOQLStore", "SOQLSyntax", "SOQLCheck", "EventWire", "RestAuth", "RestJSON",
            "RestSDK", "RestSQLite", "RestTesting", "RestTransport", "Costs", "BuiltPrograms", "QueryCorpus", "soql",
            linux("RestHTTP2"), linux("RestCurl"),
        ],
        exclude: ["Peers/simple_salesforce_check.py", "Peers/aiosfstream_check.py", "Peers/pubsub_check.py"]),
    .testTarget(
        name: "EmbeddedBoxTests",
        dependencies: [
            "EmbeddedBox", "DropboxAPI", "StoneRuntime", "RestSDK", "RestTransport", "RestCurl", "RestJSON",
            "RestTesting", "BuiltPrograms", "boxserver",
        ],
        exclude: ["Peers/box_sdk.py", "Peers/dropbox_check.py", "Peers/files_check.py", "Peers/team_check.py"]),
    .testTarget(
        name: "SoqlTests",
        dependencies: [
            "SoqlCommand", "soql", "RestSDK", "RestSync", "EmbeddedOrg", "SOQLCheck", "RestJSON", "RestTransport",
            "RestTesting", "TestSupport", "LoginPeers", "BuiltPrograms", "RestCSV", "RestXML", "Terminals",
        ],
        exclude: ["MCP/mcp_client.py", "Manual/complete.bash", "Manual/complete.zsh", "Manual/complete.fish"]),
    .testTarget(name: "RestBenchmarksTests", dependencies: ["RestBenchmarks", "BuiltPrograms"]),
]

let package = Package(
    name: "RestSDK",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "RestSDK", targets: ["RestSDK"]),
        .library(name: "RestCurl", targets: ["RestCurl"]),
        .library(name: "RestURLSession", targets: ["RestURLSession"]),
        .library(name: "RestCSV", targets: ["RestCSV"]),
        .library(name: "RestModels", targets: ["RestModels"]),
        .library(name: "RestBulk", targets: ["RestBulk"]),
        .library(name: "RestEvents", targets: ["RestEvents"]),
        .library(name: "RestSync", targets: ["RestSync"]),
        .library(name: "RestSyncLive", targets: ["RestSyncLive"]),
        .library(name: "RestTesting", targets: ["RestTesting"]),
        .library(name: "StoneRuntime", targets: ["StoneRuntime"]),
        .library(name: "DropboxAPI", targets: ["DropboxAPI"]),
        .library(name: "Dropbox", targets: ["Dropbox"]),
        .library(name: "EmbeddedOrg", targets: ["EmbeddedOrg"]),
        .library(name: "EmbeddedBox", targets: ["EmbeddedBox"]),
        .executable(name: "soql", targets: ["soql"]),
        .executable(name: "stonegen", targets: ["stonegen"]),
        .executable(name: "soqlgen", targets: ["soqlgen"]),
        .plugin(name: "GenerateAPI", targets: ["GenerateAPI"]),
        .plugin(name: "RestSDKQueries", targets: ["RestSDKQueries"]),
    ],
    targets: modules + combine.targets + tests,
    swiftLanguageModes: [.v6]
)

/// One rule for every module: `RestBase`, the upcoming features of Swift 7, strict memory safety, and no warnings.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .strictMemorySafety(),  // SE-0458
    .treatAllWarnings(as: .error),  // SE-0480
]

/// With RESTSDK_WHOLE=1 the compiler reads each module once as a whole.
///
/// A build from nothing then takes 29 % less time of the processor, but no build is incremental.
let whole =
    Context.environment["RESTSDK_WHOLE"] != "1"
    ? [] : ["-whole-module-optimization", "-num-threads", "1", "-no-emit-module-separately-wmo"]
/// Modules in which tests spend so much time that optimizing them costs less than it saves.
let optimized = ["RestBase", "RestJSON", "RestSQLite"]
for target in package.targets where ![.system, .plugin].contains(target.type) && target.name != "Combine" {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
    if !whole.isEmpty {
        let flags = whole + (optimized.contains(target.name) ? ["-O"] : [])
        target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .debug)))
    }
    if target.name != "RestBase" { target.dependencies.append("RestBase") }
}

// With RESTSDK_PLUGINS=0 the package has no plugins, whose programs are compiled once more. The tests do not use them.
if Context.environment["RESTSDK_PLUGINS"] == "0" {
    package.targets.removeAll { $0.type == .plugin }
    package.products.removeAll { $0 is Product.Plugin }
}

/// Leaves only targets of these names, and what they need of each other.
@MainActor func keep(_ names: Set<String>) {
    package.targets.removeAll { !names.contains($0.name) }
    package.products.removeAll { !names.contains($0.name) }
    for target in package.targets { target.dependencies.removeAll { !names.contains($0.target) } }
}

extension Target.Dependency {
    var target: String {
        switch self {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: ""
        }
    }
}

extension Target {
    /// The names of the targets and plugins that this one needs first.
    var needs: [String] {
        dependencies.map(\.target)
            + (plugins ?? []).compactMap { if case .plugin(let name, _) = $0 { name } else { nil } }
    }
}

// With RESTSDK_MOBILE=1 the package is what a phone can build and test: the rest needs libraries of the machine.
if Context.environment["RESTSDK_MOBILE"] != nil {
    let directories = ["Base", "HTTP", "SOQL", "Client", "Dropbox", "Testing"].map { "Sources/\($0)/" }
    let modules = package.targets.filter { directories.contains(where: ($0.path ?? "").hasPrefix) }.map(\.name)
    keep(
        Set(modules).subtracting(["RestCurl", "RestHTTP2"]).union([
            "COpenSSL", "CBytes", "CSQLite", "RestJSONTests", "RestCSVTests", "RestXMLTests", "RestTransportTests",
            "RestURLSessionTests", "SOQLSyntaxTests", "SOQLCheckTests", "SOQLStoreTests", "StoneRuntimeTests",
            "DropboxTests", "QueryCorpus", "MutatedPages", "Costs",
        ]))
}

// With RESTSDK_ONLY=NAME the package is that target and what it needs, so that `make test-one` builds nothing else.
if let name = Context.environment["RESTSDK_ONLY"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var (names, open) = (Set<String>(), [name])
    while let next = open.popLast() {
        if names.insert(next).inserted { open += targets[next]?.needs ?? [] }
    }
    keep(names)
}
