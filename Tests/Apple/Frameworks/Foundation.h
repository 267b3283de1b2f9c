// SPDX-License-Identifier: Apache-2.0
#pragma once
#import <CoreFoundation/CoreFoundation.h>
#import <objc/objc.h>
#import <objc/NSObject.h>
#import <dispatch/dispatch.h>
#import <Security/Security.h>
#define SBX(x) __attribute__((swift_bridge(x)))
#define SB(c) SB_##c
#define SB_NSString SBX("Swift.String")
#define SB_NSArray SBX("Swift.Array")
#define SB_NSDictionary SBX("Swift.Dictionary")
#define SB_NSSet SBX("Swift.Set")
#define SB_NSData SBX("Data")
#define SB_NSDate SBX("Date")
#define SB_NSURL SBX("URL")
#define SB_NSUUID SBX("UUID")
#define SB_NSURLRequest SBX("URLRequest")
#define NS_SWIFT_NAME(x) __attribute__((swift_name(#x)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_SWIFT_ASYNC_NAME(x) __attribute__((swift_async_name(#x)))
#define NS_REFINED_FOR_SWIFT __attribute__((swift_private))
#define NS_ENUM(_type, _name) enum __attribute__((enum_extensibility(open))) _name : _type _name; enum _name : _type
#define NS_OPTIONS(_type, _name) enum __attribute__((flag_enum,enum_extensibility(open))) _name : _type _name; enum \
    _name : _type
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#pragma clang assume_nonnull begin
typedef double NSTimeInterval;
@class NSString, NSData, NSDate, NSURL, NSError, NSURLRequest, NSInputStream, NSOutputStream, NSURLCredential,
    NSOperationQueue, NSURLSessionTask, NSURLSession, NSURLSessionConfiguration;
@protocol NSCopying - (id)copyWithZone:(nullable struct _NSZone *)zone; @end
@protocol NSCoding @end
@protocol NSSecureCoding <NSCoding> @end
NS_SWIFT_SENDABLE SB(NSString) @interface NSString : NSObject <NSCopying> @end
NS_SWIFT_SENDABLE SB(NSData) @interface NSData : NSObject <NSCopying> @end
NS_SWIFT_SENDABLE SB(NSDate) @interface NSDate : NSObject <NSCopying> @end
NS_SWIFT_SENDABLE SB(NSURL) @interface NSURL : NSObject <NSCopying> @end
NS_SWIFT_SENDABLE SB(NSUUID) @interface NSUUID : NSObject <NSCopying> @end
@interface NSValue : NSObject <NSCopying> @end
NS_SWIFT_SENDABLE @interface NSNumber : NSValue
@property (readonly) BOOL boolValue; @property (readonly) double doubleValue;
@property (readonly) NSInteger integerValue __attribute__((swift_name("intValue")));
@property (readonly, copy) NSString *stringValue;
@end
NS_SWIFT_SENDABLE @interface NSNull : NSObject @end
@interface NSDecimalNumber : NSNumber @end
SB(NSArray) @interface NSArray<__covariant ObjectType> : NSObject <NSCopying> @end
SB(NSDictionary) @interface NSDictionary<KeyType, __covariant ObjectType> : NSObject <NSCopying> @end
SB(NSSet) @interface NSSet<__covariant ObjectType> : NSObject <NSCopying> @end
typedef NSString *NSErrorDomain;
typedef NSString *NSErrorUserInfoKey;
extern NSErrorDomain const NSPOSIXErrorDomain;
extern NSErrorUserInfoKey const NSUnderlyingErrorKey;
extern NSErrorUserInfoKey const NSLocalizedDescriptionKey;
extern NSString *NSTemporaryDirectory(void);
extern NSErrorDomain const NSURLErrorDomain;
extern NSErrorDomain const NSCocoaErrorDomain;
NS_SWIFT_SENDABLE SBX("Swift.Error") @interface NSError : NSObject <NSCopying, NSSecureCoding>
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
@property (readonly, copy) NSString *localizedDescription;
- (instancetype)initWithDomain:(NSErrorDomain)domain code:(NSInteger)code userInfo:(nullable
    NSDictionary<NSErrorUserInfoKey, id> *)dict NS_DESIGNATED_INITIALIZER;
@end
typedef NS_ENUM(NSUInteger, NSStreamStatus) { NSStreamStatusNotOpen = 0 };
typedef NS_OPTIONS(NSUInteger, NSStreamEvent) { NSStreamEventNone = 0, NSStreamEventOpenCompleted = 1UL << 0,
    NSStreamEventHasBytesAvailable = 1UL << 1, NSStreamEventHasSpaceAvailable = 1UL << 2, NSStreamEventErrorOccurred
    = 1UL << 3, NSStreamEventEndEncountered = 1UL << 4 } NS_SWIFT_NAME(Stream.Event);
@protocol NSStreamDelegate;
NS_SWIFT_NAME(Stream)
@interface NSStream : NSObject
- (void)open; - (void)close;
@property (nullable, assign) id <NSStreamDelegate> delegate;
@end
NS_SWIFT_NAME(InputStream) @interface NSInputStream : NSStream
- (instancetype)initWithData:(NSData *)data NS_DESIGNATED_INITIALIZER;
@end
NS_SWIFT_NAME(OutputStream) @interface NSOutputStream : NSStream
- (NSInteger)write:(const uint8_t *)buffer maxLength:(NSUInteger)len;
@property (readonly) BOOL hasSpaceAvailable;
@end
@interface NSStream (NSStreamBoundPairCreationExtensions)
+ (void)getBoundStreamsWithBufferSize:(NSUInteger)bufferSize inputStream:(NSInputStream * _Nullable *
    _Nullable)inputStream outputStream:(NSOutputStream * _Nullable * _Nullable)outputStream;
@end
NS_SWIFT_NAME(StreamDelegate) @protocol NSStreamDelegate <NSObject>
@optional - (void)stream:(NSStream *)aStream handleEvent:(NSStreamEvent)eventCode;
@end
NS_SWIFT_NAME(OperationQueue) NS_SWIFT_SENDABLE @interface NSOperationQueue : NSObject @end
NS_SWIFT_NAME(Bundle) NS_SWIFT_SENDABLE @interface NSBundle : NSObject @end
NS_SWIFT_NAME(FileHandle) NS_SWIFT_SENDABLE @interface NSFileHandle : NSObject
- (BOOL)truncateAtOffset:(unsigned long long)offset error:(out NSError **)error NS_SWIFT_NAME(truncate(atOffset:));
- (BOOL)closeAndReturnError:(out NSError **)error NS_SWIFT_NAME(close());
+ (nullable instancetype)fileHandleForUpdatingURL:(NSURL *)url error:(NSError **)error;
@property (class, readonly, strong) NSFileHandle *standardError;
- (void)writeData:(NSData *)data;
@end
typedef NS_ENUM(NSUInteger, NSURLRequestCachePolicy) { NSURLRequestUseProtocolCachePolicy = 0,
    NSURLRequestReloadIgnoringLocalCacheData = 1, NSURLRequestReturnCacheDataElseLoad = 2 }
    NS_SWIFT_NAME(NSURLRequest.CachePolicy);
NS_SWIFT_SENDABLE SB(NSURLRequest) @interface NSURLRequest : NSObject <NSSecureCoding, NSCopying> @end
NS_SWIFT_NAME(URLResponse) NS_SWIFT_SENDABLE @interface NSURLResponse : NSObject <NSSecureCoding, NSCopying>
@property (nullable, readonly, copy) NSURL *URL;
@end
NS_SWIFT_NAME(HTTPURLResponse) NS_SWIFT_SENDABLE @interface NSHTTPURLResponse : NSURLResponse
- (nullable instancetype)initWithURL:(NSURL *)url statusCode:(NSInteger)statusCode HTTPVersion:(nullable NSString
    *)HTTPVersion headerFields:(nullable NSDictionary<NSString *, NSString *> *)headerFields;
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary *allHeaderFields;
@end
NS_SWIFT_NAME(URLCredential) NS_SWIFT_SENDABLE @interface NSURLCredential : NSObject <NSSecureCoding, NSCopying>
- (instancetype)initWithTrust:(SecTrustRef)trust;
@end
NS_SWIFT_NAME(URLProtectionSpace) NS_SWIFT_SENDABLE @interface NSURLProtectionSpace : NSObject <NSSecureCoding,
    NSCopying>
@property (readonly, copy) NSString *authenticationMethod;
@property (nullable, readonly) SecTrustRef serverTrust;
@end
extern NSString * const NSURLAuthenticationMethodServerTrust;
extern NSString * const NSURLAuthenticationMethodClientCertificate;
NS_SWIFT_NAME(URLAuthenticationChallenge) NS_SWIFT_SENDABLE @interface NSURLAuthenticationChallenge : NSObject
    <NSSecureCoding>
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@property (nullable, readonly, copy) NSURLResponse *failureResponse;
@end
NS_SWIFT_NAME(URLCache) NS_SWIFT_SENDABLE @interface NSURLCache : NSObject @end
NS_SWIFT_NAME(HTTPCookieStorage) NS_SWIFT_SENDABLE @interface NSHTTPCookieStorage : NSObject @end
typedef NS_ENUM(NSUInteger, NSHTTPCookieAcceptPolicy) { NSHTTPCookieAcceptPolicyAlways,
    NSHTTPCookieAcceptPolicyNever, NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain }
    NS_SWIFT_NAME(HTTPCookie.AcceptPolicy);
NS_SWIFT_NAME(HTTPCookie) NS_SWIFT_SENDABLE @interface NSHTTPCookie : NSObject @end
NS_SWIFT_NAME(URLCredentialStorage) NS_SWIFT_SENDABLE @interface NSURLCredentialStorage : NSObject @end
typedef NS_ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) { NSURLSessionAuthChallengeUseCredential = 0,
    NSURLSessionAuthChallengePerformDefaultHandling = 1, NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2,
    NSURLSessionAuthChallengeRejectProtectionSpace = 3 } NS_SWIFT_NAME(URLSession.AuthChallengeDisposition);
typedef NS_ENUM(NSInteger, NSURLSessionResponseDisposition) { NSURLSessionResponseCancel = 0,
    NSURLSessionResponseAllow = 1, NSURLSessionResponseBecomeDownload = 2, NSURLSessionResponseBecomeStream = 3 }
    NS_SWIFT_NAME(URLSession.ResponseDisposition);
NS_SWIFT_NAME(URLSessionTask) NS_SWIFT_SENDABLE @interface NSURLSessionTask : NSObject <NSCopying>
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLResponse *response;
@property (nullable, copy) NSString *taskDescription;
- (void)cancel; - (void)suspend; - (void)resume;
@end
NS_SWIFT_NAME(URLSessionDataTask) NS_SWIFT_SENDABLE @interface NSURLSessionDataTask : NSURLSessionTask @end
NS_SWIFT_NAME(URLSessionUploadTask) NS_SWIFT_SENDABLE @interface NSURLSessionUploadTask : NSURLSessionDataTask @end
NS_SWIFT_NAME(URLSessionDownloadTask) NS_SWIFT_SENDABLE @interface NSURLSessionDownloadTask : NSURLSessionTask @end
NS_SWIFT_NAME(URLSessionConfiguration) NS_SWIFT_SENDABLE @interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration NS_SWIFT_NAME(default);
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NS_SWIFT_NAME(ephemeral);
+ (NSURLSessionConfiguration *)backgroundSessionConfigurationWithIdentifier:(NSString *)identifier
    NS_SWIFT_NAME(background(withIdentifier:));
@property NSURLRequestCachePolicy requestCachePolicy;
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@property BOOL waitsForConnectivity;
@property (getter=isDiscretionary) BOOL discretionary;
@property BOOL sessionSendsLaunchEvents;
@property (nullable, copy) NSDictionary *connectionProxyDictionary;
@property tls_protocol_version_t TLSMinimumSupportedProtocolVersion;
@property BOOL HTTPShouldSetCookies;
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy;
@property NSInteger HTTPMaximumConnectionsPerHost;
@property (nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage;
@property (nullable, retain) NSURLCredentialStorage *URLCredentialStorage;
@property (nullable, retain) NSURLCache *URLCache;
@end
NS_SWIFT_NAME(URLSessionTaskTransactionMetrics) NS_SWIFT_SENDABLE @interface NSURLSessionTaskTransactionMetrics :
    NSObject
@property (nullable, copy, readonly) NSDate *fetchStartDate, *domainLookupStartDate, *domainLookupEndDate,
    *connectStartDate, *secureConnectionStartDate, *secureConnectionEndDate, *connectEndDate, *requestStartDate,
    *requestEndDate, *responseStartDate, *responseEndDate;
@property (nullable, copy, readonly) NSString *networkProtocolName;
@property (assign, readonly, getter=isReusedConnection) BOOL reusedConnection;
@property (readonly) int64_t countOfRequestBodyBytesSent, countOfResponseBodyBytesReceived;
@end
NS_SWIFT_NAME(URLSessionTaskMetrics) NS_SWIFT_SENDABLE @interface NSURLSessionTaskMetrics : NSObject
@property (copy, readonly) NSArray<NSURLSessionTaskTransactionMetrics *> *transactionMetrics;
@end
NS_SWIFT_NAME(URLSessionDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
- (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *
    _Nullable credential))completionHandler;
- (void)URLSessionDidFinishEventsForBackgroundURLSession:(NSURLSession *)session;
@end
NS_SWIFT_NAME(URLSessionTaskDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session taskIsWaitingForConnectivity:(NSURLSessionTask *)task;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response newRequest:(NSURLRequest *)request
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLRequest * _Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(void (NS_SWIFT_SENDABLE
    ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential * _Nullable credential))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didSendBodyData:(int64_t)bytesSent
    totalBytesSent:(int64_t)totalBytesSent totalBytesExpectedToSend:(int64_t)totalBytesExpectedToSend;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
    didFinishCollectingMetrics:(NSURLSessionTaskMetrics *)metrics;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didCompleteWithError:(nullable NSError *)error;
@end
NS_SWIFT_NAME(URLSessionDataDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response completionHandler:(void (NS_SWIFT_SENDABLE
    ^)(NSURLSessionResponseDisposition disposition))completionHandler;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
@end
NS_SWIFT_NAME(URLSessionDownloadDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDownloadDelegate
    <NSURLSessionTaskDelegate>
- (void)URLSession:(NSURLSession *)session downloadTask:(NSURLSessionDownloadTask *)downloadTask
    didFinishDownloadingToURL:(NSURL *)location;
@optional
- (void)URLSession:(NSURLSession *)session downloadTask:(NSURLSessionDownloadTask *)downloadTask
    didWriteData:(int64_t)bytesWritten totalBytesWritten:(int64_t)totalBytesWritten
    totalBytesExpectedToWrite:(int64_t)totalBytesExpectedToWrite;
@end
NS_SWIFT_NAME(URLSession) NS_SWIFT_SENDABLE @interface NSURLSession : NSObject
@property (class, readonly, strong) NSURLSession *sharedSession NS_SWIFT_NAME(shared);
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration;
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration delegate:(nullable id
    <NSURLSessionDelegate>)delegate delegateQueue:(nullable NSOperationQueue *)queue;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (void)getAllTasksWithCompletionHandler:(void (NS_SWIFT_SENDABLE ^)(NSArray<__kindof NSURLSessionTask *>
    *tasks))completionHandler __attribute__((swift_async(none)));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromFile:(NSURL *)fileURL;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromData:(NSData *)bodyData;
- (NSURLSessionDownloadTask *)downloadTaskWithRequest:(NSURLRequest *)request;
@end
#pragma clang assume_nonnull end
