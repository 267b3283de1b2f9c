// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestXML

@Suite("Reading and writing XML")
struct XMLElementTests {
    private func element(_ text: String) -> XMLElement? { XMLElement(parsing: Array(text.utf8)) }

    @Test("well-formed XML is read, with prefixes, attributes, entities, CDATA sections, comments and null")
    func wellFormed() throws {
        let node = try #require(
            element(
                "\u{FEFF}<?xml version='1.0' encoding=\"utf-8\"?><!-- a > b --><x:a b='>' c=\"/\"><d>1 &lt; 2 &#65;&#x42;</d><e/>"
                    + "<f xsi:nil='true'/><![CDATA[<&>]]><d>3</d></x:a>\n<!-- end -->"))
        #expect(node.name == "a" && node["d"]?.text == "1 < 2 AB" && node["e"]?.text == "" && node.text == "<&>")
        #expect(node["f"]?.isNil == true && node["e"]?.isNil == false && node.texts("d") == ["1 < 2 AB", "3"])
    }

    @Test(
        "malformed XML is rejected",
        arguments: [
            "", "a", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a/>b", "b<a/>", "<a b=1/>", "<a b='<'/>", "<a b='1'",
            "<1/>",
            "<-a/>", "<a:/>", "<a:b:c/>", "<a>&unknown;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>",
            "<a>&amp</a>", "<a><![CDATA[x</a>", "<a><!-- x</a>", "<? x", "<a>\u{1}</a>", "<![CDATA[x]]>",
        ])
    func refused(text: String) { #expect(element(text) == nil) }

    @Test(
        "a document type is rejected in any position, so no entity can be expanded or name a file",
        arguments: [
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", "<a><!ENTITY b \"c\"></a>",
            "<a/><!DOCTYPE a>",
        ])
    func documentType(text: String) { #expect(element(text) == nil) }

    @Test(
        "UTF-8 and ASCII are read, and a document that declares another charset is rejected",
        arguments: [
            ("<?xml version='1.0' encoding='UTF-8'?><a/>", true),
            ("<?xml version='1.0' encoding='us-ascii'?><a/>", true),
            ("<?xml version='1.0'?><a/>", true), ("<?xml-stylesheet href='x' encoding='y'?><a/>", true),
            ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", false),
            ("<?xml version='1.0' encoding='UTF-16'?><a/>", false), ("<?xml version='1.0' encoding=?><a/>", false),
            ("<?xml encoding?><a/>", false), ("<a/><?xml encoding='x'?>", false),
        ])
    func charset(text: String, isRead: Bool) { #expect((element(text) != nil) == isRead) }

    @Test("bytes in another charset are rejected")
    func bytes() {
        #expect(XMLElement(parsing: Array("<a>".utf8) + [0xE9] + Array("</a>".utf8)) == nil)
        #expect(
            XMLElement(parsing: [0xFF, 0xFE] + "<a/>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == nil)
        #expect(XMLElement(parsing: Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8)) == nil)
    }

    @Test("elements can be nested 64 deep, and a million levels are rejected")
    func depth() {
        func nested(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        #expect(element(nested(64)) != nil)
        #expect(element(nested(65)) == nil && element(nested(1_000_000)) == nil)
    }

    @Test(
        "every text survives a round trip, as content and in an attribute",
        arguments: [
            "", " a ", "<&>\"'", "]]>", "<![CDATA[x]]>", "&amp;", "&#13;", "a\rb\r\nc\td", "é😀\u{FFFD}\u{85}", "</a>",
            "<!-- x -->", "\u{7F}",
        ])
    func roundTrip(text: String) {
        let node = element("<b>\(XMLText.element("a", text))<c d=\"\(XMLText.escaped(text))\"/></b>")
        #expect(node?["a"]?.text == text && node?["c"] != nil)
        #expect(XMLText.escaped(text).utf8.allSatisfy { !"<>\"'\r".utf8.contains($0) })
    }

    @Test("characters that XML cannot represent are omitted")
    func unwritable() {
        #expect(XMLText.escaped("a\u{0}\u{1}\u{1F}\u{FFFE}\u{FFFF}b") == "ab")
    }

    @Test("a SOAP message has one content, and a SOAP fault has a code without prefix and the most specific message")
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
