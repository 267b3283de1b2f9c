// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting

/// A stub of Dropbox with scripted responses, and clients for it.
struct Stub {
    let transport = StubTransport()
    var app = DropboxApp(key: "appKey", secret: "appSecret")
    var configuration: RestClient.Configuration

    init() {
        configuration = RestClient.Configuration(retryPolicy: .never, transport: transport)
    }

    var user: DropboxClient { DropboxClient(accessToken: "t", app: app, configuration: configuration) }
    var team: DropboxTeamClient { DropboxTeamClient(accessToken: "t", app: app, configuration: configuration) }
    var itself: DropboxAppClient { DropboxAppClient(app: app, configuration: configuration) }

    func field(_ name: String, _ number: Int) -> String? { transport.requests[number].fields[name] }
    func url(_ number: Int) -> String { "\(transport.requests[number].url)" }
    func body(_ number: Int) -> String {
        String(decoding: transport.requests[number].body.inMemory ?? [], as: UTF8.self)
    }

    static let folder = #"{".tag":"folder","name":"f","id":"id:1","path_lower":"/f","path_display":"/f"}"#
    static let page = #"{"entries":[],"cursor":"c","has_more":false}"#
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
