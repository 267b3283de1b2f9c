// SPDX-License-Identifier: Apache-2.0
/// The state of a download, which determines the request of the next attempt and interprets its response.
///
/// A download is resumed only if the server sent a strong validator, so that both parts belong to the same version of
/// the resource, and if the file contains the bytes as they were sent.
package struct DownloadState: Sendable {
    package enum Placement: Equatable {
        /// In memory, as part of the response.
        case memory
        /// Into a new file.
        case newFile
        /// After the bytes in the file of an earlier attempt.
        case append
    }

    fileprivate enum Question: Equatable, Sendable {
        /// The whole resource, or the range in a `Range` header that the caller set.
        case whole(isOwnRange: Bool)
        case part(HTTPRequest.ByteRange)
        case rest
    }

    /// The current or expected content of the file.
    fileprivate struct Content: Sendable {
        let url: HTTPURL
        /// The strong validator of this version of the resource, or `nil` if the server sent none.
        let validator: Validator?
        /// The offset in the resource of the first byte of the file.
        let start: Int64
        /// The offset in the resource after the last byte of the file, or `nil` if the server did not send it.
        var end: Int64?
        /// The length of the resource, or `nil` if it is unknown.
        var total: Int64?
        /// The number of bytes in the file.
        var count: Int64 = 0
    }

    package let range: HTTPRequest.ByteRange?
    private var content: Content?
    private var question = Question.whole(isOwnRange: false)
    /// The remaining number of bytes to skip at the start of the response.
    private var skipped: Int64 = 0
    /// Whether the response holds more than the requested range, which is cut out of it.
    private var isCut = false

    package init(range: HTTPRequest.ByteRange?) { self.range = range }

    /// Creates the state of a download whose request already asks for the range, regardless of its method.
    package init(asked range: HTTPRequest.ByteRange?) {
        self.range = range
        question = range.map(Question.part) ?? .whole(isOwnRange: false)
    }

    /// The offset in the resource of the first byte of the file, and the length of the resource if it is known.
    package var place: (start: Int64, total: Int64?) { (content?.start ?? 0, content?.total) }

    /// The number of bytes in the file, and the expected number if it is known.
    var amounts: (received: Int64, total: Int64?) {
        guard let content else { return (0, nil) }
        return (content.count, content.end.map { $0 - content.start })
    }

    /// Prepares the request of the next attempt.
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
        // A range counts the bytes as sent, so a compressed response would be useless.
        request.fields["Accept-Encoding"] = "identity"
        return request
    }

    /// Decides where the response body is stored.
    ///
    /// - Throws: `.invalidResponse` for a range that was not requested, `.rangeNotSatisfiable` for one after the end.
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
            throw .refusedPart("a part of the resource, which was not requested")
        case (416, .rest):
            content = nil
            throw .refusedPart("no bytes after those that it sent before")
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

    /// Returns the indices of the next `count` bytes that belong in the file.
    ///
    /// - Throws: `.invalidResponse` for more bytes than the response announced.
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

    /// Checks at the end of the response that the file is complete.
    ///
    /// - Throws: `.connectionLost` if bytes are missing, `.rangeNotSatisfiable` if the range contains no byte.
    package mutating func finish() throws(TransportError) {
        guard let content else { return }
        if isCut {
            guard content.count > 0 else { throw .rangeNotSatisfiable }
        } else if let end = content.end, isManaged, content.start + content.count < end {
            throw TransportError(.connectionLost, "the body ended early", mayHaveReachedServer: true)
        }
    }

    /// Whether the file has all wanted bytes, so that the rest of the response can be ignored.
    package var isFull: Bool { content.map { $0.end == $0.start + $0.count } ?? false }

    /// Whether the attempt asked for a range that this state manages, and not the caller.
    private var isManaged: Bool { if case .whole = question { false } else { true } }

    /// Discards the content after the file has been emptied.
    mutating func forget() { content = nil }
}

extension DownloadState {
    private mutating func begin(_ content: Content, skipping skipped: Int64 = 0, isCut: Bool = false) {
        self.content = content
        self.skipped = skipped
        self.isCut = isCut
    }

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
        guard isRight else { throw .refusedPart("a part of the resource other than the requested one") }
        begin(Content(of: head, url, start: part.lowerBound, end: part.upperBound, total: total))
    }

    /// Checks and accepts the rest of the content after an interruption.
    private mutating func goOn(with head: HTTPResponse.Head) throws(TransportError) {
        guard var content else { return }
        let (part, total) = try head.part()
        guard part.lowerBound == content.start + content.count else {
            throw .refusedPart("a part of the resource other than the requested one")
        }
        guard content.total == nil || content.total == total, part.upperBound == content.end ?? total ?? part.upperBound
        else { throw .refusedPart("the rest of a resource that has another length") }
        guard let validator = content.validator, validator.isSame(in: head) else {
            throw .refusedPart("the rest of another version of the resource")
        }
        (content.end, content.total) = (part.upperBound, total)
        begin(content)
    }

    /// Cuts the range out of the whole resource, which a server without range support sends (RFC 9110 §14.2).
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
        case (.last, nil): throw .refusedPart("the whole resource without its length instead of its end")
        }
        // If only the caller specified the end, it is not used to resume the download.
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
    /// The range in a 206 response, and the length of the resource.
    fileprivate func part() throws(TransportError) -> (part: Range<Int64>, total: Int64?) {
        let lines = fields.values(of: "Content-Range")
        guard lines.count == 1, let content = ContentRange(lines[0]), let part = content.part else {
            throw .refusedPart("a part of the resource without a valid Content-Range")
        }
        guard fields["Content-Encoding"].map({ $0.isEqualIgnoringASCIICase(to: "identity") }) ?? true else {
            throw .refusedPart("a part of a compressed form, which was not requested")
        }
        guard plainContentLength ?? Int64(part.count) == Int64(part.count) else {
            throw .refusedPart("a part whose length differs from its Content-Range")
        }
        return (part, content.total)
    }
}

extension TransportError {
    fileprivate static func refusedPart(_ what: String) -> TransportError {
        TransportError(.invalidResponse, "the server sent \(what)", mayHaveReachedServer: true)
    }

    fileprivate static let rangeNotSatisfiable = TransportError(
        .rangeNotSatisfiable, "the resource has no bytes in the requested range", mayHaveReachedServer: true)
}

extension DownloadState {
    /// The strong validator of a version of a resource (RFC 9110 §8.8.1).
    enum Validator: Equatable, Sendable {
        /// A strong entity tag.
        case tag(String)
        /// A strong date of the last change.
        case date(String)

        /// The minimum time between the last change and the response, in seconds.
        ///
        /// It excludes a second change within the header's second, even if the server's clocks differ a little.
        private static let rest: Int64 = 60

        /// The strong validator of a response, or `nil` if the response has none.
        ///
        /// A date is used only if the response has no entity tag (RFC 9110 §13.1.5).
        init?(of head: HTTPResponse.Head) {
            guard head.fields["Accept-Ranges"]?.isEqualIgnoringASCIICase(to: "none") != true else { return nil }
            let tags = head.fields.values(of: "ETag")
            guard tags.isEmpty else {
                guard tags.count == 1, tags[0].isStrongEntityTag else { return nil }
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

        /// The value of the `If-Range` header.
        var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }

        /// Whether a response belongs to the same version.
        ///
        /// A partial response repeats the entity tag (RFC 9110 §15.3.7), but not necessarily the date.
        func isSame(in head: HTTPResponse.Head) -> Bool {
            switch self {
            case .tag(let text): head.fields.values(of: "ETag") == [text]
            case .date(let text): head.fields.values(of: "Last-Modified").allSatisfy { $0 == text }
            }
        }
    }
}

extension StringProtocol {
    /// Whether the string is a strong entity tag, such as `"opaque"` (RFC 9110 §8.8.3).
    package var isStrongEntityTag: Bool {
        let bytes = Array(utf8)
        guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
