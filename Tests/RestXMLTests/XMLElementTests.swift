// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestXML

@Suite("XML, read and written")
struct XMLElementTests {
    private func element(_ text: String) -> XMLElement? { XMLElement(parsing: Array(text.utf8)) }

    @Test("what is well-formed is read: prefixes, attributes, entities, sections of text, comments, null")
    func wellFormed() throws {
        let node = try #require(
            element(
                "\u{FEFF}<?xml version='1.0' encoding=\"utf-8\"?><!-- a > b --><x:a b='>' c=\"/\"><d>1 &lt; 2 &#65;&#x42;</d><e/>"
                    + "<f xsi:nil='true'/><![CDATA[<&>]]><d>3</d></x:a>\n<!-- end -->"))
        #expect(node.name == "a" && node["d"]?.text == "1 < 2 AB" && node["e"]?.text == "" && node.text == "<&>")
        #expect(node["f"]?.isNil == true && node["e"]?.isNil == false && node.texts("d") == ["1 < 2 AB", "3"])
    }

    @Test(
        "what is none is refused",
        arguments: [
            "", "a", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a/>b", "b<a/>", "<a b=1/>", "<a b='<'/>", "<a b='1'",
            "<1/>",
            "<-a/>", "<a:/>", "<a:b:c/>", "<a>&unknown;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>",
            "<a>&amp</a>", "<a><![CDATA[x</a>", "<a><!-- x</a>", "<? x", "<a>\u{1}</a>", "<![CDATA[x]]>",
        ])
    func refused(text: String) { #expect(element(text) == nil) }

    @Test(
        "a document type is refused wherever it stands, so that no entity can expand or name a file",
        arguments: [
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", "<a><!ENTITY b \"c\"></a>",
            "<a/><!DOCTYPE a>",
        ])
    func documentType(text: String) { #expect(element(text) == nil) }

    @Test(
        "UTF-8 is read, whatever its case; another charset is refused, in the bytes and in the declaration",
        arguments: [
            ("<?xml version='1.0' encoding='UTF-8'?><a/>", true),
            ("<?xml version='1.0' encoding='us-ascii'?><a/>", true),
            ("<?xml version='1.0'?><a/>", true), ("<?xml-stylesheet href='x' encoding='y'?><a/>", true),
            ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", false),
            ("<?xml version='1.0' encoding='UTF-16'?><a/>", false), ("<?xml version='1.0' encoding=?><a/>", false),
            ("<?xml encoding?><a/>", false), ("<a/><?xml encoding='x'?>", false),
        ])
    func charset(text: String, isRead: Bool) { #expect((element(text) != nil) == isRead) }

    @Test("bytes of other charsets are no document")
    func bytes() {
        #expect(XMLElement(parsing: Array("<a>".utf8) + [0xE9] + Array("</a>".utf8)) == nil)
        #expect(
            XMLElement(parsing: [0xFF, 0xFE] + "<a/>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == nil)
        #expect(XMLElement(parsing: Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8)) == nil)
    }

    @Test("64 elements may be inside each other, and no more; a million are refused at once")
    func depth() {
        func nested(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        #expect(element(nested(64)) != nil)
        #expect(element(nested(65)) == nil && element(nested(1_000_000)) == nil)
    }

    @Test(
        "every text comes back as it was, in any position",
        arguments: [
            "", " a ", "<&>\"'", "]]>", "<![CDATA[x]]>", "&amp;", "&#13;", "a\rb\r\nc\td", "é😀\u{FFFD}\u{85}", "</a>",
            "<!-- x -->", "\u{7F}",
        ])
    func roundTrip(text: String) {
        let node = element("<b>\(XMLText.element("a", text))<c d=\"\(XMLText.escaped(text))\"/></b>")
        #expect(node?["a"]?.text == text && node?["c"] != nil)
        #expect(XMLText.escaped(text).utf8.allSatisfy { !"<>\"'\r".utf8.contains($0) })
    }

    @Test("what XML cannot hold is left out")
    func unwritable() {
        #expect(XMLText.escaped("a\u{0}\u{1}\u{1F}\u{FFFE}\u{FFFF}b") == "ab")
    }

    @Test("a message has one content; a fault has its code without a prefix, and the best message there is")
    func soap() throws {
        let text = SOAPEnvelope.partner.text(header: SOAPEnvelope.session("a&amp;b"), "<call>1</call>")
        let message = try #require(element(text))
        #expect(message.soapContent?.name == "call" && message["Header"]?["SessionHeader"]?["sessionId"]?.text == "a&b")
        #expect(message.soapContent.flatMap(SOAPFault.init) == nil)
        #expect(element("<a><Body><b/></Body></a>")?.soapContent == nil && element("<Envelope/>")?.soapContent == nil)
        func fault(_ inside: String) -> SOAPFault? { element("<Fault>\(inside)</Fault>").flatMap(SOAPFault.init) }
        #expect(fault("") == nil && fault("<faultcode></faultcode>") == nil)
        let short = fault("<faultcode>sf:A_B</faultcode><faultstring>why</faultstring>")
        #expect(short?.code == "A_B" && short?.message == "why")
        let long = fault(
            """
            <faultcode>sf:X</faultcode><faultstring>X: x</faultstring><detail><sf:LoginFault>\
            <sf:exceptionCode>INVALID_LOGIN</sf:exceptionCode><sf:exceptionMessage>no</sf:exceptionMessage>\
            </sf:LoginFault></detail>
            """)
        #expect(long?.code == "INVALID_LOGIN" && long?.message == "no")
    }
}
