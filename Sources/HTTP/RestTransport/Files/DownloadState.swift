// SPDX-License-Identifier: Apache-2.0
/// What is known of a download: what the next attempt asks for, and what its answer means.
///
/// A rest is asked for only when the server gave a strong validator, so that the two ends never belong to different
/// states of the resource, and when the bytes in the file are those that were sent.
package struct DownloadState: Sendable {
    /// Where the body of an answer goes.
    package enum Placement: Equatable {
        /// Into the response.
        case memory
        /// Into a new file.
        case newFile
        /// Behind what an earlier attempt left.
        case append
    }

    fileprivate enum Question: Equatable, Sendable {
        /// The whole, or what the caller asks for with a field of its own.
        case whole(isOwnRange: Bool)
        case part(HTTPRequest.ByteRange)
        case rest
    }

    /// What is in the file, or is to come into it.
    fileprivate struct Content: Sendable {
        let url: HTTPURL
        /// What tells this state of the resource from all others; `nil` when nothing does for certain.
        let validator: Validator?
        /// The place in the resource of the first byte of the file.
        let start: Int64
        /// The place behind its last byte; `nil` when the server did not say.
        var end: Int64?
        /// The length of the resource, where it is known.
        var total: Int64?
        /// How many bytes are in the file.
        var count: Int64 = 0
    }

    /// The part of the resource that the caller wants.
    package let range: HTTPRequest.ByteRange?
    private var content: Content?
    private var question = Question.whole(isOwnRange: false)
    /// Bytes of the answer that come before the file's first one.
    private var skipped: Int64 = 0
    /// Whether the answer holds more than was asked for, and the part is cut out.
    private var isCut = false

    package init(range: HTTPRequest.ByteRange?) {
        self.range = range
    }

    /// Makes the state of a download whose request asks for the part by itself, whatever its method.
    package init(asked range: HTTPRequest.ByteRange?) {
        self.range = range
        question = range.map(Question.part) ?? .whole(isOwnRange: false)
    }

    /// The place in the resource of the first byte that is taken, and the length of the resource, where it is known.
    package var place: (start: Int64, total: Int64?) { (content?.start ?? 0, content?.total) }

    /// How many bytes are in the file, and how many will be, where that is known.
    var amounts: (received: Int64, total: Int64?) {
        guard let content else { return (0, nil) }
        return (content.count, content.end.map { $0 - content.start })
    }

    /// The request of the next attempt.
    mutating func ask(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        let hasOwnRange = request.fields["Range"] != nil
        question = .whole(isOwnRange: hasOwnRange)
        guard request.method == .get, !hasOwnRange else { return request }
        if let content, let validator = content.validator, content.url == request.url, content.count > 0 {
            question = .rest
            let first = content.start + content.count
            request.fields["Range"] = "bytes=\(first)-" + (content.end.map { "\($0 - 1)" } ?? "")
            request.fields["If-Range"] = validator.text
        } else if let range {
            question = .part(range)
            request.fields["Range"] = range.text
        } else {
            return request
        }
        // A range counts the bytes that are sent: those of the packed form would be of no use.
        request.fields["Accept-Encoding"] = "identity"
        return request
    }

    /// Decides where the body of an answer goes.
    ///
    /// - Throws: `.invalidResponse` for a part that is not the one asked for, `.rangeNotSatisfiable` for a resource
    ///   that ends before the range.
    package mutating func receive(_ head: HTTPResponse.Head, from url: HTTPURL) throws(TransportError) -> Placement {
        switch (head.status, question) {
        case (206, .rest):
            do {
                try goOn(with: head)
                return .append
            } catch {
                content = nil
                throw error
            }
        case (206, .part(let range)):
            try beginPart(range, head, url)
            return .newFile
        case (206, .whole(isOwnRange: false)):
            throw .refusedPart("a part of the resource, which was not asked for")
        case (416, .rest):
            content = nil
            throw .refusedPart("nothing after the bytes that it sent before")
        case (200...299, _):
            if let range, isManaged {
                try cut(range, out: head, url)
            } else {
                begin(Content(of: head, url, start: 0, end: head.plainContentLength, total: head.plainContentLength))
            }
            return .newFile
        default: return .memory
        }
    }

    /// Which of the next bytes go into the file.
    ///
    /// - Throws: `.invalidResponse` for more bytes than the answer announced.
    package mutating func take(_ count: Int) throws(TransportError) -> Range<Int> {
        guard var content else { return 0..<count }
        let first = Int(min(skipped, Int64(count)))
        skipped -= Int64(first)
        var taken = count - first
        if let end = content.end, isManaged {
            let left = end - content.start - content.count
            guard isCut || taken <= left else {
                self.content = nil
                throw .refusedPart("more bytes than it announced")
            }
            taken = Int(min(Int64(taken), left))
        }
        content.count += Int64(taken)
        self.content = content
        return first..<(first + taken)
    }

    /// The answer is over; the file is complete if nothing is thrown.
    ///
    /// - Throws: `.connectionLost` when bytes of a part are missing, `.rangeNotSatisfiable` when there is none at all.
    package mutating func finish() throws(TransportError) {
        guard let content else { return }
        if isCut {
            guard content.count > 0 else { throw .rangeNotSatisfiable }
        } else if let end = content.end, isManaged, content.start + content.count < end {
            throw TransportError(.connectionLost, "the body ends too early", mayHaveReachedServer: true)
        }
    }

    /// Whether all bytes were taken that are wanted, so that what still comes is of no use.
    package var isFull: Bool { content.map { $0.end == $0.start + $0.count } ?? false }

    /// Whether the attempt asked for a range of ours.
    private var isManaged: Bool { if case .whole = question { false } else { true } }

    /// Nothing is in the file any more.
    mutating func forget() { content = nil }
}

extension DownloadState {
    private mutating func begin(_ content: Content, skipping skipped: Int64 = 0, isCut: Bool = false) {
        self.content = content
        self.skipped = skipped
        self.isCut = isCut
    }

    /// Takes the part that was asked for.
    private mutating func beginPart(
        _ range: HTTPRequest.ByteRange, _ head: HTTPResponse.Head, _ url: HTTPURL
    ) throws(TransportError) {
        let (part, total) = try head.part()
        let isRight: Bool
        switch (range, total) {
        case (_, let total?): isRight = range.bytes(of: total) == part
        case (.bytes(let bytes), nil): isRight = bytes == part
        case (.from(let start), nil): isRight = start == part.lowerBound
        case (.last, nil): isRight = false
        }
        guard isRight else { throw .refusedPart("another part of the resource than was asked for") }
        begin(Content(of: head, url, start: part.lowerBound, end: part.upperBound, total: total))
    }

    /// Takes the rest of what an earlier attempt began.
    private mutating func goOn(with head: HTTPResponse.Head) throws(TransportError) {
        guard var content else { return }
        let (part, total) = try head.part()
        guard part.lowerBound == content.start + content.count else {
            throw .refusedPart("another part of the resource than was asked for")
        }
        guard content.total == nil || content.total == total, part.upperBound == content.end ?? total ?? part.upperBound
        else { throw .refusedPart("the rest of a resource of another length") }
        guard let validator = content.validator, validator.isSame(in: head) else {
            throw .refusedPart("the rest of another state of the resource")
        }
        (content.end, content.total) = (part.upperBound, total)
        begin(content)
    }

    /// Cuts the part out of the whole, which a server sends that knows no ranges (RFC 9110 14.2).
    private mutating func cut(
        _ range: HTTPRequest.ByteRange, out head: HTTPResponse.Head, _ url: HTTPURL
    ) throws(TransportError) {
        let total = head.plainContentLength
        let start: Int64
        var end: Int64?
        switch (range, total) {
        case (_, let total?):
            guard let part = range.bytes(of: total) else { throw .rangeNotSatisfiable }
            (start, end) = (part.lowerBound, part.upperBound)
        case (.bytes(let bytes), nil): (start, end) = (bytes.lowerBound, bytes.upperBound)
        case (.from(let first), nil): start = first
        case (.last, nil): throw .refusedPart("the whole in place of its end, and not how long it is")
        }
        // Where the end is only the caller's word, a rest is not asked for by it.
        let content = Content(of: head, url, start: start, end: end, total: total)
        begin(content, skipping: start, isCut: true)
    }
}

extension DownloadState.Content {
    fileprivate init(of head: HTTPResponse.Head, _ url: HTTPURL, start: Int64, end: Int64?, total: Int64?) {
        self.url = url
        self.start = start
        self.end = end
        self.total = total
        validator = head.fields["Content-Encoding"] == nil ? DownloadState.Validator(of: head) : nil
    }
}

extension HTTPResponse.Head {
    /// The part that a 206 holds, and the length of the whole.
    fileprivate func part() throws(TransportError) -> (part: Range<Int64>, total: Int64?) {
        let lines = fields.values(of: "Content-Range")
        guard lines.count == 1, let content = ContentRange(lines[0]), let part = content.part else {
            throw .refusedPart("a part of the resource without saying which one")
        }
        guard fields["Content-Encoding"].map({ $0.isEqualIgnoringASCIICase(to: "identity") }) ?? true else {
            throw .refusedPart("a part of a packed form, which was not asked for")
        }
        guard plainContentLength ?? Int64(part.count) == Int64(part.count) else {
            throw .refusedPart("a part of another length than it says")
        }
        return (part, content.total)
    }
}

extension TransportError {
    fileprivate static func refusedPart(_ what: String) -> TransportError {
        TransportError(.invalidResponse, "the server sent \(what)", mayHaveReachedServer: true)
    }

    fileprivate static let rangeNotSatisfiable = TransportError(
        .rangeNotSatisfiable, "the resource has no bytes in the range that was asked for", mayHaveReachedServer: true)
}

extension DownloadState {
    /// What tells one state of a resource from all others (RFC 9110 8.8.1).
    enum Validator: Equatable, Sendable {
        /// A strong entity tag.
        case tag(String)
        /// A time of the last change that is strong.
        case date(String)

        /// The least time between the last change and the answer, in seconds: then the resource did not change again
        /// within the second that the field tells, also when two clocks of the server disagree a little.
        private static let rest: Int64 = 60

        /// The strong validator of an answer; `nil` when there is none.
        ///
        /// A time counts only where there is no tag at all (RFC 9110 13.1.5).
        init?(of head: HTTPResponse.Head) {
            guard head.fields["Accept-Ranges"]?.isEqualIgnoringASCIICase(to: "none") != true else { return nil }
            let tags = head.fields.values(of: "ETag")
            guard tags.isEmpty else {
                guard tags.count == 1, Self.isStrong(tags[0]) else { return nil }
                self = .tag(tags[0])
                return
            }
            let dates = head.fields.values(of: "Last-Modified")
            guard dates.count == 1, let change = HTTPDate(dates[0]),
                let now = head.fields["Date"].flatMap(HTTPDate.init),
                now.secondsSince1970 - change.secondsSince1970 >= Self.rest
            else { return nil }
            self = .date(dates[0])
        }

        /// The value of an `If-Range` field.
        var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }

        /// Whether an answer is of the same state.
        ///
        /// A part of a resource repeats its tag (RFC 9110 15.3.7), and need not repeat the time.
        func isSame(in head: HTTPResponse.Head) -> Bool {
            switch self {
            case .tag(let text): head.fields.values(of: "ETag") == [text]
            case .date(let text): head.fields.values(of: "Last-Modified").allSatisfy { $0 == text }
            }
        }

        /// Whether the text is an entity tag that is not weak (RFC 9110 8.8.3).
        private static func isStrong(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
                return false
            }
            return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
        }
    }
}
