// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by stonegen 1 (module: DropboxAPI; docs: none; namespaces: account,async,auth,check,common,contacts,file_properties,file_requests,files,sharing,users) from specs with the hash 97eeaecd356fce39.
// Do not change it; change the specs and run stonegen again.

public import StoneRuntime

extension FileProperties {
    /// The routes of `file_properties`, each as a value.
    nonisolated public enum Routes {
        @inline(never)
        public static var propertiesAdd: Route<RPC, FileProperties.AddPropertiesArg, Void, FileProperties.AddPropertiesError> {
            Route(RouteInfo("file_properties", "properties/add", scope: "files.metadata.write"), .type, .void, .type)
        }

        @inline(never)
        public static var propertiesOverwrite: Route<RPC, FileProperties.OverwritePropertyGroupArg, Void, FileProperties.InvalidPropertyGroupError> {
            Route(RouteInfo(
                "file_properties", "properties/overwrite", scope: "files.metadata.write"
            ), .type, .void, .type)
        }

        @inline(never)
        public static var propertiesRemove: Route<RPC, FileProperties.RemovePropertiesArg, Void, FileProperties.RemovePropertiesError> {
            Route(RouteInfo("file_properties", "properties/remove", scope: "files.metadata.write"), .type, .void, .type)
        }

        @inline(never)
        public static var propertiesSearch: Route<RPC, FileProperties.PropertiesSearchArg, FileProperties.PropertiesSearchResult, FileProperties.PropertiesSearchError> {
            Route(RouteInfo(
                "file_properties", "properties/search", scope: "files.metadata.read", isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var propertiesSearchContinue: Route<RPC, FileProperties.PropertiesSearchContinueArg, FileProperties.PropertiesSearchResult, FileProperties.PropertiesSearchContinueError> {
            Route(RouteInfo(
                "file_properties", "properties/search/continue", scope: "files.metadata.read", isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var propertiesUpdate: Route<RPC, FileProperties.UpdatePropertiesArg, Void, FileProperties.UpdatePropertiesError> {
            Route(RouteInfo("file_properties", "properties/update", scope: "files.metadata.write"), .type, .void, .type)
        }

        @inline(never)
        public static var templatesAddForTeam: Route<RPC, FileProperties.AddTemplateArg, FileProperties.AddTemplateResult, FileProperties.ModifyTemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/add_for_team", auth: ["team"], scope: "files.team_metadata.write"
            ), .type, .type, .type)
        }

        @inline(never)
        public static var templatesAddForUser: Route<RPC, FileProperties.AddTemplateArg, FileProperties.AddTemplateResult, FileProperties.ModifyTemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/add_for_user", scope: "files.metadata.write"
            ), .type, .type, .type)
        }

        @inline(never)
        public static var templatesGetForTeam: Route<RPC, FileProperties.GetTemplateArg, FileProperties.GetTemplateResult, FileProperties.TemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/get_for_team", auth: ["team"], scope: "files.team_metadata.write"
            ), .type, .type, .type)
        }

        @inline(never)
        public static var templatesGetForUser: Route<RPC, FileProperties.GetTemplateArg, FileProperties.GetTemplateResult, FileProperties.TemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/get_for_user", scope: "files.metadata.read", isRead: true
            ), .type, .type, .type)
        }

        @inline(never)
        public static var templatesListForTeam: Route<RPC, Void, FileProperties.ListTemplateResult, FileProperties.TemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/list_for_team", auth: ["team"], scope: "files.team_metadata.write"
            ), .void, .type, .type)
        }

        @inline(never)
        public static var templatesListForUser: Route<RPC, Void, FileProperties.ListTemplateResult, FileProperties.TemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/list_for_user", scope: "files.metadata.read", isRead: true
            ), .void, .type, .type)
        }

        @inline(never)
        public static var templatesRemoveForTeam: Route<RPC, FileProperties.RemoveTemplateArg, Void, FileProperties.TemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/remove_for_team", auth: ["team"], scope: "files.team_metadata.write"
            ), .type, .void, .type)
        }

        @inline(never)
        public static var templatesRemoveForUser: Route<RPC, FileProperties.RemoveTemplateArg, Void, FileProperties.TemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/remove_for_user", scope: "files.metadata.write"
            ), .type, .void, .type)
        }

        @inline(never)
        public static var templatesUpdateForTeam: Route<RPC, FileProperties.UpdateTemplateArg, FileProperties.UpdateTemplateResult, FileProperties.ModifyTemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/update_for_team", auth: ["team"], scope: "files.team_metadata.write"
            ), .type, .type, .type)
        }

        @inline(never)
        public static var templatesUpdateForUser: Route<RPC, FileProperties.UpdateTemplateArg, FileProperties.UpdateTemplateResult, FileProperties.ModifyTemplateError> {
            Route(RouteInfo(
                "file_properties", "templates/update_for_user", scope: "files.metadata.write"
            ), .type, .type, .type)
        }

        /// The descriptions of all routes.
        public static var all: [RouteInfo] {
            [
                propertiesAdd.info, propertiesOverwrite.info, propertiesRemove.info, propertiesSearch.info,
                propertiesSearchContinue.info, propertiesUpdate.info, templatesAddForTeam.info,
                templatesAddForUser.info, templatesGetForTeam.info, templatesGetForUser.info,
                templatesListForTeam.info, templatesListForUser.info, templatesRemoveForTeam.info,
                templatesRemoveForUser.info, templatesUpdateForTeam.info, templatesUpdateForUser.info
            ]
        }
    }
}

nonisolated extension StoneClient {
    /// The routes of `file_properties`.
    public var fileProperties: RouteGroup<FileProperties> { RouteGroup(self) }
}

nonisolated extension RouteGroup<FileProperties> {
    /// Calls `file_properties/properties/add`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesAdd(
        _ argument: FileProperties.AddPropertiesArg
    ) -> RouteCall<Void, FileProperties.AddPropertiesError> {
        client.call(FileProperties.Routes.propertiesAdd, argument)
    }

    /// Calls `file_properties/properties/add`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesAdd(
        path: String, propertyGroups: [FileProperties.PropertyGroup]
    ) -> RouteCall<Void, FileProperties.AddPropertiesError> {
        propertiesAdd(FileProperties.AddPropertiesArg(path: path, propertyGroups: propertyGroups))
    }

    /// Calls `file_properties/properties/overwrite`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesOverwrite(
        _ argument: FileProperties.OverwritePropertyGroupArg
    ) -> RouteCall<Void, FileProperties.InvalidPropertyGroupError> {
        client.call(FileProperties.Routes.propertiesOverwrite, argument)
    }

    /// Calls `file_properties/properties/overwrite`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesOverwrite(
        path: String, propertyGroups: [FileProperties.PropertyGroup]
    ) -> RouteCall<Void, FileProperties.InvalidPropertyGroupError> {
        propertiesOverwrite(FileProperties.OverwritePropertyGroupArg(path: path, propertyGroups: propertyGroups))
    }

    /// Calls `file_properties/properties/remove`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesRemove(
        _ argument: FileProperties.RemovePropertiesArg
    ) -> RouteCall<Void, FileProperties.RemovePropertiesError> {
        client.call(FileProperties.Routes.propertiesRemove, argument)
    }

    /// Calls `file_properties/properties/remove`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesRemove(
        path: String, propertyTemplateIDs: [String]
    ) -> RouteCall<Void, FileProperties.RemovePropertiesError> {
        propertiesRemove(FileProperties.RemovePropertiesArg(path: path, propertyTemplateIDs: propertyTemplateIDs))
    }

    /// Calls `file_properties/properties/search`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func propertiesSearch(
        _ argument: FileProperties.PropertiesSearchArg
    ) -> PagedCall<FileProperties.PropertiesSearchResult, FileProperties.PropertiesSearchMatch, FileProperties.PropertiesSearchError, FileProperties.PropertiesSearchContinueError> {
        PagedCall(client.call(FileProperties.Routes.propertiesSearch, argument), list: { $0.matches }, following: { page in page.cursor.map { client.call(FileProperties.Routes.propertiesSearchContinue, FileProperties.PropertiesSearchContinueArg(cursor: $0)) } })
    }

    /// Calls `file_properties/properties/search`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func propertiesSearch(
        queries: [FileProperties.PropertiesSearchQuery],
        templateFilter: FileProperties.TemplateFilter = FileProperties.TemplateFilter.filterNone
    ) -> PagedCall<FileProperties.PropertiesSearchResult, FileProperties.PropertiesSearchMatch, FileProperties.PropertiesSearchError, FileProperties.PropertiesSearchContinueError> {
        propertiesSearch(FileProperties.PropertiesSearchArg(queries: queries, templateFilter: templateFilter))
    }

    /// Calls `file_properties/properties/search/continue`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func propertiesSearchContinue(
        _ argument: FileProperties.PropertiesSearchContinueArg
    ) -> RouteCall<FileProperties.PropertiesSearchResult, FileProperties.PropertiesSearchContinueError> {
        client.call(FileProperties.Routes.propertiesSearchContinue, argument)
    }

    /// Calls `file_properties/properties/search/continue`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func propertiesSearchContinue(
        cursor: String
    ) -> RouteCall<FileProperties.PropertiesSearchResult, FileProperties.PropertiesSearchContinueError> {
        propertiesSearchContinue(FileProperties.PropertiesSearchContinueArg(cursor: cursor))
    }

    /// Calls `file_properties/properties/update`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesUpdate(
        _ argument: FileProperties.UpdatePropertiesArg
    ) -> RouteCall<Void, FileProperties.UpdatePropertiesError> {
        client.call(FileProperties.Routes.propertiesUpdate, argument)
    }

    /// Calls `file_properties/properties/update`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func propertiesUpdate(
        path: String, updatePropertyGroups: [FileProperties.PropertyGroupUpdate]
    ) -> RouteCall<Void, FileProperties.UpdatePropertiesError> {
        propertiesUpdate(FileProperties.UpdatePropertiesArg(path: path, updatePropertyGroups: updatePropertyGroups))
    }

    /// Calls `file_properties/templates/add_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesAddForTeam(
        _ argument: FileProperties.AddTemplateArg
    ) -> RouteCall<FileProperties.AddTemplateResult, FileProperties.ModifyTemplateError> {
        client.call(FileProperties.Routes.templatesAddForTeam, argument)
    }

    /// Calls `file_properties/templates/add_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesAddForTeam(
        name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]
    ) -> RouteCall<FileProperties.AddTemplateResult, FileProperties.ModifyTemplateError> {
        templatesAddForTeam(FileProperties.AddTemplateArg(name: name, description: description, fields: fields))
    }

    /// Calls `file_properties/templates/add_for_user`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func templatesAddForUser(
        _ argument: FileProperties.AddTemplateArg
    ) -> RouteCall<FileProperties.AddTemplateResult, FileProperties.ModifyTemplateError> {
        client.call(FileProperties.Routes.templatesAddForUser, argument)
    }

    /// Calls `file_properties/templates/add_for_user`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func templatesAddForUser(
        name: String, description: String, fields: [FileProperties.PropertyFieldTemplate]
    ) -> RouteCall<FileProperties.AddTemplateResult, FileProperties.ModifyTemplateError> {
        templatesAddForUser(FileProperties.AddTemplateArg(name: name, description: description, fields: fields))
    }

    /// Calls `file_properties/templates/get_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesGetForTeam(
        _ argument: FileProperties.GetTemplateArg
    ) -> RouteCall<FileProperties.GetTemplateResult, FileProperties.TemplateError> {
        client.call(FileProperties.Routes.templatesGetForTeam, argument)
    }

    /// Calls `file_properties/templates/get_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesGetForTeam(
        templateID: String
    ) -> RouteCall<FileProperties.GetTemplateResult, FileProperties.TemplateError> {
        templatesGetForTeam(FileProperties.GetTemplateArg(templateID: templateID))
    }

    /// Calls `file_properties/templates/get_for_user`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func templatesGetForUser(
        _ argument: FileProperties.GetTemplateArg
    ) -> RouteCall<FileProperties.GetTemplateResult, FileProperties.TemplateError> {
        client.call(FileProperties.Routes.templatesGetForUser, argument)
    }

    /// Calls `file_properties/templates/get_for_user`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func templatesGetForUser(
        templateID: String
    ) -> RouteCall<FileProperties.GetTemplateResult, FileProperties.TemplateError> {
        templatesGetForUser(FileProperties.GetTemplateArg(templateID: templateID))
    }

    /// Calls `file_properties/templates/list_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesListForTeam() -> RouteCall<FileProperties.ListTemplateResult, FileProperties.TemplateError> {
        client.call(FileProperties.Routes.templatesListForTeam, ())
    }

    /// Calls `file_properties/templates/list_for_user`.
    ///
    /// The token needs the scope `files.metadata.read`.
    public func templatesListForUser() -> RouteCall<FileProperties.ListTemplateResult, FileProperties.TemplateError> {
        client.call(FileProperties.Routes.templatesListForUser, ())
    }

    /// Calls `file_properties/templates/remove_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesRemoveForTeam(
        _ argument: FileProperties.RemoveTemplateArg
    ) -> RouteCall<Void, FileProperties.TemplateError> {
        client.call(FileProperties.Routes.templatesRemoveForTeam, argument)
    }

    /// Calls `file_properties/templates/remove_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesRemoveForTeam(templateID: String) -> RouteCall<Void, FileProperties.TemplateError> {
        templatesRemoveForTeam(FileProperties.RemoveTemplateArg(templateID: templateID))
    }

    /// Calls `file_properties/templates/remove_for_user`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func templatesRemoveForUser(
        _ argument: FileProperties.RemoveTemplateArg
    ) -> RouteCall<Void, FileProperties.TemplateError> {
        client.call(FileProperties.Routes.templatesRemoveForUser, argument)
    }

    /// Calls `file_properties/templates/remove_for_user`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func templatesRemoveForUser(templateID: String) -> RouteCall<Void, FileProperties.TemplateError> {
        templatesRemoveForUser(FileProperties.RemoveTemplateArg(templateID: templateID))
    }

    /// Calls `file_properties/templates/update_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesUpdateForTeam(
        _ argument: FileProperties.UpdateTemplateArg
    ) -> RouteCall<FileProperties.UpdateTemplateResult, FileProperties.ModifyTemplateError> {
        client.call(FileProperties.Routes.templatesUpdateForTeam, argument)
    }

    /// Calls `file_properties/templates/update_for_team`.
    ///
    /// The token needs the scope `files.team_metadata.write`.
    public func templatesUpdateForTeam(
        templateID: String, name: String? = nil, description: String? = nil,
        addFields: [FileProperties.PropertyFieldTemplate]? = nil
    ) -> RouteCall<FileProperties.UpdateTemplateResult, FileProperties.ModifyTemplateError> {
        templatesUpdateForTeam(FileProperties.UpdateTemplateArg(templateID: templateID, name: name, description: description, addFields: addFields))
    }

    /// Calls `file_properties/templates/update_for_user`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func templatesUpdateForUser(
        _ argument: FileProperties.UpdateTemplateArg
    ) -> RouteCall<FileProperties.UpdateTemplateResult, FileProperties.ModifyTemplateError> {
        client.call(FileProperties.Routes.templatesUpdateForUser, argument)
    }

    /// Calls `file_properties/templates/update_for_user`.
    ///
    /// The token needs the scope `files.metadata.write`.
    public func templatesUpdateForUser(
        templateID: String, name: String? = nil, description: String? = nil,
        addFields: [FileProperties.PropertyFieldTemplate]? = nil
    ) -> RouteCall<FileProperties.UpdateTemplateResult, FileProperties.ModifyTemplateError> {
        templatesUpdateForUser(FileProperties.UpdateTemplateArg(templateID: templateID, name: name, description: description, addFields: addFields))
    }
}
