// SPDX-License-Identifier: Apache-2.0

// Declarations of an Apple module, which are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}
extension App { @MainActor public static func main() {} }
@resultBuilder public struct SceneBuilder {
    public static func buildExpression<C: Scene>(_ c: C) -> C { c }
    public static func buildBlock<C: Scene>(_ c: C) -> C { c }
}
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<C: View>(_ c: C) -> C { c }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<C: View>(_ c: C) -> C { c }
    public static func buildBlock<each C: View>(_ c: repeat each C) -> TupleView<(repeat each C)> { fatalError() }
    public static func buildEither<T: View, F: View>(first: T) -> _ConditionalContent<T, F> { fatalError() }
    public static func buildEither<T: View, F: View>(second: F) -> _ConditionalContent<T, F> { fatalError() }
    public static func buildIf<C: View>(_ c: C?) -> C? { c }
}
extension Optional: View where Wrapped: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
public struct TupleView<T>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
public struct _ConditionalContent<T, F>: View where T: View, F: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
public struct EmptyView: View {
    public init() {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}
public struct Text: View {
    public init<S: StringProtocol>(_ s: S) {}
    public init(_ key: LocalizedStringKey) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
    public func font(_ f: Font?) -> Text { self }
}
public struct LocalizedStringKey: ExpressibleByStringInterpolation { public init(stringLiteral: String) {} }
public struct Font: Sendable { public static let caption = Font() }
public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}
public struct Label<Title, Icon>: View where Title: View, Icon: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
public struct Image: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
public struct VStack<Content: View>: View {
    public init(alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content) {
    }
    public typealias Body = Never
    public var body: Never { fatalError() }
}
public struct Button<L: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension Button where L == Text {
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
    public init(_ k: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}
public struct ProgressView<L: View, V: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension ProgressView where V == EmptyView, L == EmptyView { public init() {} }
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
public struct List<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension ForEach: View where Content: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension List where SelectionValue == Never {
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}
public struct ContentUnavailableView<L: View, D: View, A: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension ContentUnavailableView where L == Label<Text, Image>, D == Text?, A == EmptyView {
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {}
    public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {}
}
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension NavigationSplitView where Content == EmptyView {
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {}
}
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: @escaping () -> Content) {}
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension View {
    @MainActor public func navigationTitle<S: StringProtocol>(_ t: S) -> some View { self }
    @MainActor public func navigationTitle(_ t: LocalizedStringKey) -> some View { self }
    @MainActor public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
    @MainActor public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }
    @MainActor public func font(_ f: Font?) -> some View { self }
}
@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) {}
    public init(initialValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}
extension State: Sendable where Value: Sendable {}
