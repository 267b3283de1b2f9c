// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl) || os(macOS)
import Dispatch
public import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import RestBase

extension LoopbackPresenter {
    #if os(macOS)
    private static let programs = [["/usr/bin/open"]]
    #else
    private static let programs = [["xdg-open"], ["gio", "open"], ["sensible-browser"], ["wslview"]]
    #endif

    /// Creates a presenter that opens pages in the user's browser.
    ///
    /// On a machine without a display, the programs that open pages can exist and fail. To show the URL as well, use
    /// ``init(options:open:)`` and ``openBrowser(_:onFailure:)``.
    ///
    /// - Parameter options: the host, ports and path of the redirect URI.
    public init(options: Options = Options()) {
        self.init(options: options) { (page) throws(OAuthError) in try Self.openBrowser(page) }
    }

    /// Opens a page in the user's default browser and returns at once.
    ///
    /// - Parameters:
    ///   - url: the page.
    ///   - onFailure: receives `.browserUnavailable` if the program that opens pages reports an error later. It is
    ///     called at most once, on another thread.
    /// - Throws: ``OAuthError`` with `.invalidRequest` if the URL is neither https nor http on the local machine,
    ///   because programs would act on other schemes. `.browserUnavailable` if no program can be started: show the URL
    ///   instead.
    public static func openBrowser(
        _ url: HTTPURL, onFailure: @escaping @Sendable (OAuthError) -> Void = { _ in }
    ) throws(OAuthError) {
        try openBrowser(url, with: programs, onFailure: onFailure)
    }

    static func openBrowser(
        _ url: HTTPURL, with programs: [[String]], onFailure: @escaping @Sendable (OAuthError) -> Void = { _ in }
    ) throws(OAuthError) {
        guard url.isTrustworthy, (try? HTTPURL(parsing: url.description)) != nil else {
            throw OAuthError(.invalidRequest, "a page to open must have an https URL")
        }
        guard open(url, with: programs[...], onFailure: onFailure) else {
            throw OAuthError(.browserUnavailable, "no browser can be started; open this URL yourself: \(url)")
        }
    }

    /// Starts the first program that can be started, and the next one if it reports an error.
    private static func open(
        _ url: HTTPURL, with programs: ArraySlice<[String]>, onFailure: @escaping @Sendable (OAuthError) -> Void
    ) -> Bool {
        guard let words = programs.first else { return false }
        let others = programs.dropFirst()
        let isStarted = start(words + [url.description]) { isGood in
            guard !isGood, !open(url, with: others, onFailure: onFailure) else { return }
            onFailure(OAuthError(.browserUnavailable, "no browser opened; open this URL yourself: \(url)"))
        }
        return isStarted || open(url, with: others, onFailure: onFailure)
    }

    /// Starts a program that inherits no file descriptors, and reports later whether its exit status was 0.
    private static func start(_ words: [String], onEnd: @escaping @Sendable (Bool) -> Void) -> Bool {
        guard
            let child = try? ChildProcess(
                words[0], Array(words.dropFirst()), environment: ProcessInfo.processInfo.environment,
                streams: (.null, .null, .null))
        else { return false }
        DispatchQueue(label: "browser").async { onEnd(child.wait().status == 0) }
        return true
    }
}
#endif
