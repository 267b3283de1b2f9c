struct QueryPlan: Sendable {}
struct QueryResources: Sendable {
    let database: Database
    let schema: Schema
    let cursors: CursorStore
    let timeLimit: Duration
    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse { throw .notFound }
}
