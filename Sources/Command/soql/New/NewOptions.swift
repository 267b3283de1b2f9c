// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let new = Verb(
        "new", operands: ["", "TEMPLATE DIR"], "makes a small app from a template, or lists the templates",
        notes: [
            """
            DIR is not there yet, or empty. The package in it builds and passes its tests as it is; it is written whole, \
            or not at all. What is written is yours and has no licence lines.
            """,
            """
            The package depends on the RestSDK that this command was built of: by the address of its repository, or in a \
            checkout by the checkout's folder. --sdk names another one: a folder, URL (the release of this version), \
            URL#BRANCH or URL#COMMIT.
            """,
        ],
        [.newName, .sdk]
    ) { NewCommand(options: try NewOptions($0)) }
}

extension Option {
    static let newName = Option("--name", .text("NAME"), "the package's name; by default that of DIR")
    static let sdk = Option("--sdk", .text("SDK"), "the RestSDK that the package depends on: a folder or a URL")
}

/// The options of `soql new`.
struct NewOptions {
    /// What is to be made; `nil` lists the templates.
    struct Package {
        let template: String
        let folder: String
        let name: String?
        /// `nil`: the one that this command was built of.
        let sdk: SDKSource?
    }

    let package: Package?

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 2)
        guard let template = arguments.words.first else {
            guard arguments[.newName] == nil, arguments[.sdk] == nil else { throw UsageError("give the template, too") }
            package = nil
            return
        }
        guard arguments.words.count == 2 else { throw UsageError("give the folder of the new package, too") }
        var sdk: SDKSource?
        if let text = arguments[.sdk] { sdk = try SDKSource(text) }
        package = Package(template: template, folder: arguments.words[1], name: arguments[.newName], sdk: sdk)
    }
}
