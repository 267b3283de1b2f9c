// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

enum JSONTable {
    struct Valid: Sendable, CustomTestStringConvertible {
        let text: String
        let compact: String
        var testDescription: String { String(text.prefix(60)) }
    }

    struct Invalid: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let reason: JSONError.Reason
        let offset: Int
        var testDescription: String { String(decoding: bytes.prefix(60), as: UTF8.self) }
    }

    /// Texts that are already compact.
    private static let unchanged = [
        "null", "true", "false", "0", "-0", "1", "-1", "10", "123456789", "0.5", "-0.5", "1e5", "1E5", "1e+5", "1e-5",
        "0e1", "0e+1", "0E0", "0.0", "1.25e10", "1e400", "-1e400", "1e-400", "9007199254740991", "9007199254740992",
        "9007199254740993", "-9007199254740993", "1234567890123456789", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "12345678901234567890",
        "100000000000000000000000000000000", "0.1000000000000000055511151231257827021181583404541015625",
        "1e99999999999999999999", "\"\"", "\"a\"", "\"hello world\"", "\"é\"", "\"日本語\"", "\"😀\"", "\"\u{7F}\"",
        "\"\u{2028}\u{2029}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"", "\"\u{E000}\"", "\"\u{D7FF}\"", "\"\u{80}\"",
        "\"\u{7FF}\"", "\"\u{800}\"", "\"\u{10000}\"", "\"\u{FEFF}\"", "\"e\u{301}\"", "[]", "{}", "[[]]", "[{}]",
        "{\"\":0}",
        "[null,true,false]", "[1,2,3]", "[[],[]]", "[[1],[2,[3]]]", "{\"a\":1}", "{\"a\":1,\"b\":2}", "{\"a\":{}}",
        "{\"a\":[]}", "{\"a\":{\"b\":{\"c\":[1,{\"d\":null}]}}}", "{\"a\":1,\"a\":2}", "{\"a\":null,\"é\":1}",
        "[\"a\",1,\"b\",{\"c\":\"d\"},[],{},null]", "[\"//not a comment\"]", "{\"true\":true,\"null\":null}",
    ]

    static let valid: [Valid] =
        unchanged.map { Valid(text: $0, compact: $0) }
        + [
            (" 1", "1"), ("1 ", "1"), ("\t1\n", "1"), ("\r\n[ 1 , 2 ]\r\n", "[1,2]"), ("[ ]", "[]"), ("{ }", "{}"),
            ("[\n]", "[]"), (" { \"a\" : 1 , \"b\" : [ ] } ", "{\"a\":1,\"b\":[]}"), ("\t[\t[\t]\t]\t", "[[]]"),
            ("\"\\\"\"", "\"\\\"\""), ("\"\\\\\"", "\"\\\\\""), ("\"\\/\"", "\"/\""),
            ("\"\\b\\f\\n\\r\\t\"", "\"\\b\\f\\n\\r\\t\""),
            ("\"\\u0041\"", "\"A\""), ("\"\\u00e9\"", "\"é\""), ("\"\\u00E9\"", "\"é\""),
            ("\"\\u0000\"", "\"\\u0000\""),
            ("\"\\u001f\"", "\"\\u001f\""), ("\"\\u007f\"", "\"\u{7F}\""), ("\"\\ud83d\\ude00\"", "\"😀\""),
            ("\"\\uD83D\\uDE00\"", "\"😀\""), ("\"\\uD800\\uDC00\"", "\"\u{10000}\""),
            ("\"\\uDBFF\\uDFFF\"", "\"\u{10FFFF}\""),
            ("\"\\uFFFF\"", "\"\u{FFFF}\""), ("\"\\uFFFE\"", "\"\u{FFFE}\""), ("\"\\u2028\"", "\"\u{2028}\""),
            ("\"\\u0022\"", "\"\\\"\""), ("\"\\u005c\"", "\"\\\\\""), ("\"\\u005Cn\"", "\"\\\\n\""),
            ("\"a\\u0020b\"", "\"a b\""),
            ("{\"\\u0061\":1}", "{\"a\":1}"), ("{\"a\\nb\":1}", "{\"a\\nb\":1}"), ("{\"a\" :1}", "{\"a\":1}"),
        ].map { Valid(text: $0.0, compact: $0.1) }
}

extension JSONTable {
    /// Invalid texts, the reason for rejecting each, and the offset of the first invalid byte.
    private static let texts: [(String, JSONError.Reason, Int)] = [
        ("", .emptyInput, 0), (" ", .emptyInput, 1), ("\n\t \r", .emptyInput, 4),
        ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedByte, 3), ("n", .unexpectedEnd, 1), ("tru", .unexpectedEnd, 3),
        ("trux", .unexpectedByte, 3), ("True", .unexpectedByte, 0), ("TRUE", .unexpectedByte, 0),
        ("fals", .unexpectedEnd, 4),
        ("falze", .unexpectedByte, 3), ("truetrue", .trailingBytes, 4), ("nullx", .trailingBytes, 4),
        ("NaN", .unexpectedByte, 0),
        ("Infinity", .unexpectedByte, 0), ("undefined", .unexpectedByte, 0), ("nan", .unexpectedByte, 1),
        ("-", .unexpectedEnd, 1), ("+1", .unexpectedByte, 0), ("01", .invalidNumber, 1), ("-01", .invalidNumber, 2),
        ("00", .invalidNumber, 1), ("1.", .unexpectedEnd, 2), (".5", .unexpectedByte, 0), ("-.5", .invalidNumber, 1),
        ("1.e5", .invalidNumber, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
        ("1e+-1", .invalidNumber, 3),
        ("1ee1", .invalidNumber, 2), ("1.2.3", .trailingBytes, 3), ("0x10", .trailingBytes, 1),
        ("1_000", .trailingBytes, 1),
        ("--1", .invalidNumber, 1), ("-a", .invalidNumber, 1), ("[1.]", .invalidNumber, 3), ("[-]", .invalidNumber, 2),
        ("-Infinity", .invalidNumber, 1), ("1 2", .trailingBytes, 2), ("1e1.5", .trailingBytes, 3),
        ("１", .unexpectedByte, 0),
        ("1a", .trailingBytes, 1), ("0e", .unexpectedEnd, 2), ("[01]", .invalidNumber, 2), ("1.0e", .unexpectedEnd, 4),
        ("- 1", .invalidNumber, 1), ("[1 2]", .unexpectedByte, 3), ("0.", .unexpectedEnd, 2),
        ("\"", .unexpectedEnd, 1), ("\"abc", .unexpectedEnd, 4), ("\"\\", .unexpectedEnd, 2),
        ("\"\\\"", .unexpectedEnd, 3),
        ("\"\\x41\"", .invalidEscape, 2), ("\"\\a\"", .invalidEscape, 2), ("\"\\'\"", .invalidEscape, 2),
        ("\"\\0\"", .invalidEscape, 2), ("\"\\U0041\"", .invalidEscape, 2), ("\"\\\n\"", .invalidEscape, 2),
        ("\"\\u\"", .invalidEscape, 3), ("\"\\u1\"", .invalidEscape, 4), ("\"\\u12\"", .invalidEscape, 5),
        ("\"\\u123\"", .invalidEscape, 6), ("\"\\u123g\"", .invalidEscape, 6), ("\"\\u 123\"", .invalidEscape, 3),
        ("\"\\u{41}\"", .invalidEscape, 3), ("\"\\u+123\"", .invalidEscape, 3), ("\"\\u12", .unexpectedEnd, 5),
        ("\"\\ud800\"", .loneSurrogate, 1), ("\"\\udc00\"", .loneSurrogate, 1),
        ("\"\\ud800\\u0041\"", .loneSurrogate, 1),
        ("\"\\ud800x\"", .loneSurrogate, 1), ("\"\\ud800\\n\"", .loneSurrogate, 1),
        ("\"\\udc00\\ud800\"", .loneSurrogate, 1),
        ("\"\\ud800\\ud800\"", .loneSurrogate, 1), ("\"\\ud83d\\u\"", .invalidEscape, 9),
        ("\"abc\\udfff\"", .loneSurrogate, 4),
        ("\"\n\"", .controlCharacter, 1), ("\"\t\"", .controlCharacter, 1), ("\"\u{0}\"", .controlCharacter, 1),
        ("\"a\u{1F}\"", .controlCharacter, 2), ("\"12345678\u{1}\"", .controlCharacter, 9), ("'a'", .unexpectedByte, 0),
        ("\"a\" \"b\"", .trailingBytes, 4), ("abc", .unexpectedByte, 0), ("\"a\"b", .trailingBytes, 3),
        ("[", .unexpectedEnd, 1), ("]", .unexpectedByte, 0), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
        ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1), ("[,]", .unexpectedByte, 1),
        ("[1,,2]", .unexpectedByte, 3),
        ("[1}", .unexpectedByte, 2), ("[\"\",]", .unexpectedByte, 4), ("[1]]", .trailingBytes, 3),
        ("[1:2]", .unexpectedByte, 2),
        ("[1;2]", .unexpectedByte, 2), ("[\"a\" 1]", .unexpectedByte, 5), ("[[1]", .unexpectedEnd, 4),
        ("[}", .unexpectedByte, 1),
        ("[\u{0}]", .unexpectedByte, 1), ("[1\u{C}]", .unexpectedByte, 2), ("[\u{A0}1]", .unexpectedByte, 1),
        ("[1],", .trailingBytes, 3), ("[true false]", .unexpectedByte, 6), ("[a", .unexpectedByte, 1),
        ("[][]", .trailingBytes, 2),
        ("{", .unexpectedEnd, 1), ("}", .unexpectedByte, 0), ("{\"a\"", .unexpectedEnd, 4),
        ("{\"a\":", .unexpectedEnd, 5),
        ("{\"a\":1", .unexpectedEnd, 6), ("{\"a\":1,", .unexpectedEnd, 7), ("{\"id\":0,}", .unexpectedByte, 8),
        ("{,}", .unexpectedByte, 1), ("{1:1}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1),
        ("{'a':1}", .unexpectedByte, 1),
        ("{\"a\" 1}", .unexpectedByte, 5), ("{\"a\"=1}", .unexpectedByte, 4), ("{\"a\":}", .unexpectedByte, 5),
        ("{\"a\"::1}", .unexpectedByte, 5), ("{\"a\":1 \"b\":2}", .unexpectedByte, 7),
        ("{\"a\":1,,\"b\":2}", .unexpectedByte, 7),
        ("{\"a\":1]", .unexpectedByte, 6), ("{\"a\",1}", .unexpectedByte, 4), ("{\"a\"}", .unexpectedByte, 4),
        ("{null:1}", .unexpectedByte, 1), ("{[]:1}", .unexpectedByte, 1), ("{\"a\":1}}", .trailingBytes, 7),
        ("{\"a\":1}#", .trailingBytes, 7), ("{\"a\\ud800\":1}", .loneSurrogate, 3), ("{]", .unexpectedByte, 1),
        ("{{}:1}", .unexpectedByte, 1), ("{\"a\":1,\"b\"}", .unexpectedByte, 10), ("{\"a\":1,1}", .unexpectedByte, 7),
        // Texts that are not JSON.
        ("/* c */1", .unexpectedByte, 0), ("1 // c", .trailingBytes, 2), ("[1,/* c */2]", .unexpectedByte, 3),
        ("<a>", .unexpectedByte, 0),
        ("\u{FEFF}1", .byteOrderMark, 0), ("\u{FEFF}", .byteOrderMark, 0), ("1\u{FEFF}", .trailingBytes, 1),
        ("\u{B}1", .unexpectedByte, 0), ("\u{2028}1", .unexpectedByte, 0), ("\u{0}", .unexpectedByte, 0),
        ("1\u{0}", .trailingBytes, 1),
    ]

    /// Strings with invalid UTF-8, and the offset of the first byte of the invalid sequence.
    private static let utf8: [([UInt8], Int)] = [
        ([0x80], 0), ([0xBF], 0), ([0xC0, 0x80], 0), ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xC2], 0),
        ([0xC2, 0x41], 0),
        ([0xC2, 0xC2], 0), ([0xE0, 0x80, 0x80], 0), ([0xE0, 0x9F, 0xBF], 0), ([0xE1, 0x80], 0),
        ([0xE1, 0x41, 0x80], 0),
        ([0xE1, 0x80, 0x41], 0), ([0xED, 0xA0, 0x80], 0), ([0xED, 0xBF, 0xBF], 0), ([0xF0, 0x80, 0x80, 0x80], 0),
        ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF1, 0x80, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
        ([0xF5, 0x80, 0x80, 0x80], 0),
        ([0xF8, 0x88, 0x80, 0x80, 0x80], 0), ([0xFC, 0x80, 0x80, 0x80, 0x80, 0x80], 0), ([0xFE], 0), ([0xFF], 0),
        ([0x61, 0x80], 1), ([0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0xFF], 7), ([0xC3, 0xA9, 0x80], 2),
        ([0xE2, 0x82, 0xAC, 0xC3], 3), ([0xF0, 0x9F, 0x98, 0x80, 0xF0, 0x9F], 4),
    ]

    static let invalid: [Invalid] =
        texts.map { Invalid(bytes: Array($0.0.utf8), reason: $0.1, offset: $0.2) }
        + utf8.map { Invalid(bytes: [0x22] + $0.0 + [0x22], reason: .invalidUTF8, offset: $0.1 + 1) }
        + utf8.map {
            Invalid(bytes: Array("{\"a".utf8) + $0.0 + Array("\":1}".utf8), reason: .invalidUTF8, offset: $0.1 + 3)
        }
}
