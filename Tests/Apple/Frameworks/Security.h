// SPDX-License-Identifier: Apache-2.0
#pragma once
#import <CoreFoundation/CoreFoundation.h>
#define CF_ENUM(_type, _name) enum __attribute__((enum_extensibility(open))) _name : _type _name; enum _name : _type
#define CF_OPTIONS(_type, _name) \
    enum __attribute__((flag_enum, enum_extensibility(open))) _name : _type _name; enum _name : _type
#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin
#define SEC_B(T) __attribute__((objc_bridge(T)))
typedef struct SEC_B(id) __SecTrust *SecTrustRef;
typedef struct SEC_B(id) __SecCertificate *SecCertificateRef;
typedef struct SEC_B(id) __SecKey *SecKeyRef;
typedef struct SEC_B(id) __SecAccessControl *SecAccessControlRef;
typedef const struct __SecRandom * SecRandomRef;
extern const SecRandomRef _Nullable kSecRandomDefault;
extern int SecRandomCopyBytes(SecRandomRef _Nullable rnd, size_t count, void *bytes);
enum { errSecSuccess = 0, errSecItemNotFound = -25300 };
typedef CF_ENUM(uint16_t, tls_protocol_version_t) { tls_protocol_version_TLSv10 __attribute__((swift_name("TLSv10")))
    = 0x0301, tls_protocol_version_TLSv12 __attribute__((swift_name("TLSv12"))) = 0x0303, tls_protocol_version_TLSv13
    __attribute__((swift_name("TLSv13"))) = 0x0304 };
extern bool SecTrustEvaluateWithError(SecTrustRef trust, CFErrorRef _Nullable * _Nullable
    __attribute__((cf_returns_retained)) error);
extern CFArrayRef _Nullable SecTrustCopyCertificateChain(SecTrustRef trust) __attribute__((cf_returns_retained));
extern CFDataRef SecCertificateCopyData(SecCertificateRef certificate) __attribute__((cf_returns_retained));
extern SecCertificateRef _Nullable SecCertificateCreateWithData(CFAllocatorRef _Nullable allocator, CFDataRef data)
    __attribute__((cf_returns_retained));
extern SecKeyRef _Nullable SecCertificateCopyKey(SecCertificateRef certificate) __attribute__((cf_returns_retained));
extern SecKeyRef _Nullable SecKeyCreateWithData(CFDataRef keyData, CFDictionaryRef attributes, CFErrorRef _Nullable *
    _Nullable error) __attribute__((cf_returns_retained));
extern CFDictionaryRef _Nullable SecKeyCopyAttributes(SecKeyRef key) __attribute__((cf_returns_retained));
typedef CFStringRef SecKeyAlgorithm __attribute__((swift_newtype(enum)));
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256
    __attribute__((swift_name("rsaSignatureMessagePKCS1v15SHA256")));
extern CFDataRef _Nullable SecKeyCreateSignature(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef dataToSign,
    CFErrorRef _Nullable * _Nullable error) __attribute__((cf_returns_retained));
extern Boolean SecKeyVerifySignature(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef signedData, CFDataRef
    signature, CFErrorRef _Nullable * _Nullable error);
typedef CF_OPTIONS(unsigned long, SecAccessControlCreateFlags) {
    kSecAccessControlPrivateKeyUsage __attribute__((swift_name("privateKeyUsage"))) = 1u << 30
};
extern SecAccessControlRef _Nullable SecAccessControlCreateWithFlags(CFAllocatorRef _Nullable allocator, CFTypeRef
    protection, SecAccessControlCreateFlags flags, CFErrorRef _Nullable * _Nullable error)
    __attribute__((cf_returns_retained));
extern OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable * _Nullable
    __attribute__((cf_returns_retained)) result);
extern OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable * _Nullable
    __attribute__((cf_returns_retained)) result);
extern OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);
extern OSStatus SecItemDelete(CFDictionaryRef query);
extern const CFStringRef kSecClass, kSecClassGenericPassword, kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup,
    kSecAttrSynchronizable, kSecUseDataProtectionKeychain, kSecReturnData, kSecReturnAttributes, kSecMatchLimit,
    kSecMatchLimitOne, kSecMatchLimitAll, kSecValueData, kSecAttrAccessible,
    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, kSecAttrKeyType, kSecAttrKeyTypeRSA, kSecAttrKeyClass,
    kSecAttrKeyClassPrivate, kSecAttrKeySizeInBits;
#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
