// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestSDK

@Suite("Retry-After")
struct RetryAfterTests {
    private let now = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "what follows the grammar is a delay",
        arguments: [
            ("0", 0), ("1", 1), ("120", 120), ("007", 7), ("9999999999", 9_999_999_999),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:50:37 1994", 60),
            ("Wed Nov 16 08:49:37 1994", 864_000),
            ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 167_670_623), ("Fri, 31 Dec 9999 23:59:59 GMT", 252_618_189_022),
            ("0000000000", 0), ("60", 60), ("3600", 3_600), ("Sun, 06 Nov 1994 08:49:38 GMT", 1),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 0), ("Sun Nov  6 08:49:36 1994", 0),
            ("Sun, 06 Nov 1994 08:49:60 GMT", 23), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ])
    func delays(text: String, seconds: Int) {
        #expect(RetryAfter.delay(in: ["Retry-After": text, "Date": now]) == .seconds(seconds))
    }

    @Test(
        "everything else is no delay",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1e3", "0x10", "１２", "99999999999", "soon", "1 2", "1;", "NaN", "inf",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 19994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sunday, 06-Nov-194 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "1994-11-06T08:49:37Z",
            "Sun,06 Nov 1994 08:49:37 GMT", "12s", "5 ", " 5", "0.0", "1,5", "1_000", "∞", "null", "Sun", "GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 -1:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Foo 1994 08:49:37 GMT",
        ])
    func ignored(text: String) {
        #expect(RetryAfter.delay(in: ["Retry-After": text, "Date": now]) == nil)
    }

    @Test("a date without the server's own, or with one that cannot be read, is measured by this machine's clock")
    func present() throws {
        let later = "Sun, 06 Nov 1994 08:51:37 GMT"
        let present = try #require(HTTPDate(now))
        #expect(RetryAfter.delay(in: ["Retry-After": later], present: present) == .seconds(120))
        #expect(RetryAfter.delay(in: ["Retry-After": later, "Date": "today"], present: present) == .seconds(120))
        // In truth, that was long ago, and the end of the calendar is far away.
        #expect(RetryAfter.delay(in: ["Retry-After": later]) == .zero)
        let end = try #require(RetryAfter.delay(in: ["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"]))
        #expect(end > .seconds(200_000_000_000) && end < .seconds(252_000_000_000))
    }

    @Test("the longest of several counts")
    func several() {
        #expect(RetryAfter.delay(in: ["Retry-After": "3", "retry-after": "9", "RETRY-AFTER": "x"]) == .seconds(9))
    }

    private func delay(_ status: Int, _ body: String, _ fields: HTTPFields = [:]) -> Duration? {
        RestError(
            refusal: HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(body.utf8)),
            isWrite: false
        ).retryAfter
    }

    @Test("the wait in the body of a 429 counts where no field says one")
    func inBody() {
        #expect(
            delay(429, #"{"error_summary":"x","error":{"reason":{".tag":"x"},"retry_after":300}}"#) == .seconds(300))
        #expect(delay(429, #"{"retry_after":1.5}"#) == .seconds(1.5))
        #expect(delay(429, #"{"retry_after":300}"#, ["Retry-After": "7"]) == .seconds(7))
        #expect(delay(409, #"{"retry_after":300}"#) == nil)
        for value in ["-1", "1e300", "\"5\"", "null", "{}"] {
            #expect(delay(429, #"{"retry_after":\#(value)}"#) == nil)
        }
        #expect(delay(429, "<h1>busy</h1>") == nil)
    }

    @Test(
        "a wait is drawn below a bound that doubles, up to the limit",
        arguments: [
            (1, 50), (2, 100), (3, 200), (5, 800), (9, 12_800), (10, 20_000), (40, 20_000), (1_000, 20_000),
        ])
    func backoff(retry: Int, milliseconds: Int) {
        let policy = RetryPolicy()
        let delay = policy.delay(beforeRetry: retry, for: .transient, draw: 0.5, retryAfter: nil)
        #expect(delay == .milliseconds(milliseconds) * 0.5)
    }
}
