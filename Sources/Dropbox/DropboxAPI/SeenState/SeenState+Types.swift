// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension SeenState {
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum PlatformType: StoneValue {
        case web
        case desktop
        case mobileIos
        case mobileAndroid
        case api
        case unknown
        case mobile
        /// A tag that the specs do not define.
        case other(UnknownTag)

        public init(from reader: StoneReader) throws(StoneFailure) {
            let tag = try reader.union("web desktop mobile_ios mobile_android api unknown mobile")
            switch tag.number {
            case 0: self = .web
            case 1: self = .desktop
            case 2: self = .mobileIos
            case 3: self = .mobileAndroid
            case 4: self = .api
            case 5: self = .unknown
            case 6: self = .mobile
            default: self = .other(reader.unknown(tag))
            }
        }

        public func write(to writer: StoneWriter) {
            switch self {
            case .web: writer.tag("web")
            case .desktop: writer.tag("desktop")
            case .mobileIos: writer.tag("mobile_ios")
            case .mobileAndroid: writer.tag("mobile_android")
            case .api: writer.tag("api")
            case .unknown: writer.tag("unknown")
            case .mobile: writer.tag("mobile")
            case .other(let tag): writer.unknown(tag)
            }
        }
    }
}
