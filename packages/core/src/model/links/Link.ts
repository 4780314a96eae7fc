/** Links: what pages refer to, and the pages that do, as the specification shows them. */
import { Schema } from "effect"
import { PageQuery, pageOf } from "../../kernel/schema/Pagination.ts"
import { ChangeRequest } from "../change-requests/ChangeRequest.ts"
import { Collection } from "../collections/Collection.ts"
import { File } from "../content/File.ts"
import { Page } from "../content/Page.ts"
import { ReusableContent } from "../content/ReusableContent.ts"
import { Revision } from "../content/Revision.ts"
import { OpenApiSpec } from "../openapi-specs/OpenApiSpec.ts"
import { Organization } from "../organizations/Organization.ts"
import { Space } from "../spaces/Space.ts"
import { User } from "../users/User.ts"

/** `broken`: what is linked to is not in the content. `in-app`: the address of a place in the application. */
export const LinkStatus = Schema.Literals(["ok", "broken", "in-app"])
export type LinkStatus = typeof LinkStatus.Type

const inSpace = { organization: Organization, space: Space }

/** In which content a place is: that of a change request, or a revision. Of a revision, only what names it is shown. */
const VersionContext = Schema.Union([
  Schema.Struct({ type: Schema.Literal("revision"), revision: Revision }),
  Schema.Struct({ type: Schema.Literal("changeRequest"), changeRequest: ChangeRequest })
]).annotate({ identifier: "ContentLocationContext" })

/** A page, with the place in it. */
export const PageLocation = Schema.Struct({
  kind: Schema.Literal("page"),
  ...inSpace,
  page: Page,
  versionContext: Schema.optionalKey(VersionContext),
  internalLocation: Schema.optionalKey(
    Schema.Struct({ type: Schema.Literal("anchor"), anchor: Schema.String })
  )
}).annotate({ identifier: "ContentLocationPage" })
export type PageLocation = typeof PageLocation.Type

/** A place that is linked to, or that links. */
export const ContentLocation = Schema.Union([
  PageLocation,
  Schema.Struct({ kind: Schema.Literal("file"), ...inSpace, file: File }),
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    ...inSpace,
    reusableContent: ReusableContent
  }),
  Schema.Struct({ kind: Schema.Literal("space"), ...inSpace }),
  Schema.Struct({ kind: Schema.Literal("user"), user: User }),
  Schema.Struct({ kind: Schema.Literal("collection"), organization: Organization, collection: Collection }),
  Schema.Struct({ kind: Schema.Literal("openapi"), organization: Organization, openAPISpec: OpenApiSpec }),
  Schema.Struct({ kind: Schema.Literal("url"), url: Schema.String })
]).annotate({ identifier: "ContentLocation" })
export type ContentLocation = typeof ContentLocation.Type

/** What is linked to, with the places that do; one that is not there is shown as it is written. */
export const Link = Schema.Struct({
  status: LinkStatus,
  relation: Schema.Literal("reference"),
  targetReference: ContentLocation,
  locationReferences: Schema.Array(ContentLocation)
}).annotate({ identifier: "ContentReferenceUsage" })
export type Link = typeof Link.Type

/** How many links there are, whatever the filter, and how many are broken; `changeRequest` counts those that it broke. */
export const LinkStats = Schema.Struct({
  total: Schema.Int,
  broken: Schema.Struct({ total: Schema.Int, changeRequest: Schema.optionalKey(Schema.Int) })
}).annotate({ identifier: "ContentReferencesStats" })
export type LinkStats = typeof LinkStats.Type

/** A page of links. */
export const Links = Schema.Struct({ ...pageOf(Link).fields, stats: LinkStats })

/** Which links are listed: those of a status, or all. */
export const ListLinks = Schema.Struct({
  ...PageQuery.fields,
  status: Schema.optionalKey(LinkStatus)
})
