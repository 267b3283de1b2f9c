// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport
import SOQLSyntax

/// `/graphql`: queries of the User Interface API over the org's records.
///
/// A document is answered with status 200 whatever becomes of it; its `errors` tell.
struct GraphQLResource {
    let queries: QueryResources

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("POST")
        guard call.rest.count == 1 else { throw .notFound }
        let body = try RecordInput.members(call.request.body)
        guard let text = body["query"]?.string else { throw .invalidInput("query must be a document in a string.") }
        var problems: [GraphQLProblem] = []
        var data = JSONValue.null
        switch plan(text, body) {
        case .success(let plan): data = try self.data(of: plan, call, &problems)
        case .failure(let problem): problems.append(problem)
        }
        return .json(value: ["data": data, "errors": JSONValue(JSONArray(problems.map(\.json)))])
    }

    private func plan(_ text: String, _ body: JSONObject) -> Result<GraphQLPlan, GraphQLProblem> {
        do throws(GraphQLProblem) {
            let fields = try GraphQLResolver.selections(
                of: try GraphQLParser.document(text), operation: body["operationName"]?.string,
                variables: body["variables"]?.object ?? [:])
            return .success(try GraphQLPlan(fields, in: queries.compiler.schema))
        } catch {
            return .failure(error)
        }
    }

    private func data(
        of plan: GraphQLPlan, _ call: RESTRouter.Call, _ problems: inout [GraphQLProblem]
    ) throws(OrgFault) -> JSONValue {
        switch plan {
        case .typeName(let name): return JSONValue(name)
        case .list(let list, let path):
            switch begun(list, call, path) {
            case .success(let (query, start)): return try page(of: list, query, start, call)
            case .failure(let problem):
                problems.append(problem)
                return .null
            }
        case .object(let members):
            var json: JSONObject = [:]
            for (key, member) in members { json[key] = try data(of: member, call, &problems) }
            return JSONValue(json)
        }
    }

    /// The query of a list, and where its page begins.
    private func begun(
        _ list: GraphQLConnection, _ call: RESTRouter.Call, _ path: [String]
    ) -> Result<(CompiledQuery, Start?), GraphQLProblem> {
        do throws(GraphQLProblem) {
            let query = try compiled(list, call, path)
            guard let after = list.after else { return .success((query, nil)) }
            return .success((query, try cursor(after, query, call, path)))
        } catch {
            return .failure(error)
        }
    }

    private func compiled(
        _ list: GraphQLConnection, _ call: RESTRouter.Call, _ path: [String]
    ) throws(GraphQLProblem) -> CompiledQuery {
        let options = QueryOptions(
            now: WireTime.milliseconds, version: call.version.number, userID: call.userID,
            childPageSize: list.node.mostChildren)
        do throws(QueryError) {
            return try queries.compiler.compile(list.query, text: list.query.text, options: options)
        } catch {
            let reason = error.message.split(byte: "\n").last.map(String.init) ?? ""
            throw GraphQLProblem(kind: .fetching, message: "\(error.code.rawValue): \(reason)", path: path)
        }
    }
}
