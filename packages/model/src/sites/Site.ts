/** The permissions of a caller on a site. */
export const SitePermissions = Schema.Struct({
  /** Whether the caller can see the site. */
  view: Schema.Boolean,
  /** Whether the caller can open the site in the application. */
  access: Schema.Boolean,
  /** Whether the caller can edit the structure and the settings of the site. */
  edit: Schema.Boolean,
  /** Whether the caller can publish the site and its spaces. */
  create: Schema.Boolean,
  /** Whether the caller can configure the authentication of visitors, and delete the site. */
  admin: Schema.Boolean,
  /** Whether the caller can install integrations on the site. */
  installIntegration: Schema.Boolean,
  /** Whether the caller can see the adaptive schema. */
  viewAdaptiveSchema: Schema.Boolean,
  /** Whether the caller can replace the adaptive schema. */
  editAdaptiveSchema: Schema.Boolean
})

/** A docs site: spaces that are published together under one URL. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { rejecting } from "../schema/rejectedFields.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"

/** The id of a site. */
export const SiteId = idSchema("The id of a site.").pipe(Schema.brand("SiteId"))

/** The id of a site. */
export type SiteId = string & Brand.Brand<"SiteId">

/** The id of a section of a site. */
export const SiteSectionId = idSchema("The id of a section of a site.").pipe(Schema.brand("SiteSectionId"))

/** The id of a section of a site. */
export type SiteSectionId = string & Brand.Brand<"SiteSectionId">

/** The id of a space on a site. */
export const SiteSpaceId = idSchema("The id of a space on a site.").pipe(Schema.brand("SiteSpaceId"))

/** The id of a space on a site. */
export type SiteSpaceId = string & Brand.Brand<"SiteSpaceId">

/** The plan of a site. It does not limit the features of the site. */
export const SiteType = Schema.Literals([
  "basic",
  "premium",
  "ultimate",
  "sponsored",
  "legacy-basic",
  "legacy-premium"
])

/**
 * The audience of a published site: everyone (`public`), everyone, hidden from search engines (`unlisted`), visitors
 * with the key of a share link (`share-link`), or visitors with a signed token (`visitor-auth`).
 */
export const SiteVisibility = Schema.Literals(["public", "unlisted", "share-link", "visitor-auth"])

/** The audience of a published site. */
export type SiteVisibility = typeof SiteVisibility.Type

/** Whether AI agents may use the content of the site as context. */
export const AgentsContext = Schema.Literals(["excluded", "included"])

/** The URL of an image, for light and dark themes. */
export class ThemedUrl extends resource<ThemedUrl>()(
  Schema.Struct({
    /** The URL of the image for light themes. */
    light: Schema.String,
    /** The URL of the image for dark themes. */
    dark: Schema.String
  })
) {}

/** A host name with a path, or without a path and with at least three labels: at most 512 characters, without a scheme. */
const proxyOrigin = text({ max: 512 }).check(
  Schema.isPattern(
    /^(?:([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+|([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.){2,}[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]\/?)$/u,
    {
      message:
        "must be a host name with a path, as in company.com/docs, or a subdomain, as in docs.company.com, without a scheme"
    }
  )
)

/** A path segment of a URL: 1 to 100 letters, digits and the characters `. _ ~ -`. */
export const PathSegment = text({ min: 1, max: 100 }).check(
  Schema.isPattern(/^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~-]+$/u, {
    message: "must be letters, digits, and the characters . _ ~ -"
  })
)

/** The form of the ids that the server generates. */
const idPattern = /^[0-9a-hjkmnp-tv-z]{30}$/

/** Whether a basename could be the id of another site, or a path of the server: such a name is not part of URLs. */
export const isReservedBasename = (basename: string): boolean =>
  idPattern.test(basename) || basename.startsWith("~")

/** A basename that an update can set. */
const Basename = PathSegment.check(
  Schema.makeFilter((basename) =>
    isReservedBasename(basename) ? "must not begin with ~ or have the form of an id" : undefined
  )
)

/** A docs site: spaces that are published together under one URL. */
export class Site extends resource<Site>()(
  Schema.Struct({
    /** The type of the resource: always `site`. */
    object: Schema.Literal("site"),
    /** The id of the site. */
    id: SiteId,
    /** The plan of the site. */
    type: SiteType,
    /** The plan whose features the site has: always that of `type`. */
    appliedType: SiteType,
    /** The title: 2 to 128 characters. */
    title: text({ min: 2, max: 128 }),
    /** The icon of the site; absent when the customization has no favicon image. */
    icon: Schema.optionalKey(
      Schema.Struct({
        /** The URLs of the icon. */
        icon: ThemedUrl
      })
    ),
    /** The path segment of the site in its URL; absent when the URL contains the id instead. */
    basename: Schema.optionalKey(Schema.String),
    /** The host name whose root is the site; absent for a site without a host name of its own. */
    hostname: Schema.optionalKey(Schema.String),
    /** The proxy that serves the site at a path of its host; absent without one. */
    proxy: Schema.optionalKey(
      Schema.Struct({
        /** The host name and path at which the proxy serves the site, without a scheme. */
        origin: Schema.String,
        /** The URL to which the proxy forwards requests. */
        target: Schema.String
      })
    ),
    /** The audience of the site once it is published. */
    visibility: SiteVisibility,
    /** The default level of access: always that of the organization. */
    defaultLevel: Schema.Literal("inherit"),
    /** The permissions of the caller on the site. */
    permissions: SitePermissions,
    /** Whether visitors can see the site. */
    published: Schema.Boolean,
    /** The number of spaces on the site. */
    siteSpaces: Schema.Int,
    /** When the site was created. */
    createdAt: Timestamp,
    /** The settings of adaptive content. */
    adaptiveContent: Schema.Struct({
      /** Whether the content adapts to the claims of visitors. */
      enabled: Schema.Boolean
    }),
    /** Whether AI agents may use the content of the site as context. */
    agentsContext: AgentsContext,
    /** The plan features that the site uses. */
    features: Schema.Array(
      Schema.Struct({
        /** The id of the feature, such as `sites-sections`. */
        id: Schema.String,
        /** The lowest plan that includes the feature. */
        plan: SiteType,
        /** Whether the feature can no longer be changed: always `false`. */
        frozen: Schema.Boolean
      })
    ),
    /** The URLs of the site. */
    urls: Schema.Struct({
      /** The URL of the site in the API. */
      location: Schema.String,
      /** The URL of the site in the application. */
      app: Schema.String,
      /** The URL in the application where members preview the site. */
      preview: Schema.String,
      /** The URL of the published site; absent for a site that is not published. */
      published: Schema.optionalKey(Schema.String)
    })
  }).annotate({ identifier: "Site", description: "Spaces, published under one address." })
) {}

const title = trimmed({ min: 2, max: 128 })

/** The maximum number of spaces that a site is created with. */
const maximumSpaces = 100

/** The input that creates a site. */
export class CreateSite extends resource<CreateSite>()(
  Schema.Struct({
    /** The plan of the site; `basic` by default. */
    type: Schema.optionalKey(SiteType),
    /** The title: 2 to 128 characters; "Untitled site" by default. */
    title: Schema.optionalKey(title),
    /** The audience of the site once it is published; `public` by default. */
    visibility: Schema.optionalKey(SiteVisibility),
    /** The ids of up to 100 spaces to add, or `new` to add a new space with the title of the site; none by default. */
    spaces: Schema.optionalKey(
      Schema.Union([
        Schema.Literal("new"),
        Schema.Array(SpaceId).check(
          Schema.isMaxLength(maximumSpaces, { message: `must be at most ${maximumSpaces} spaces` })
        )
      ])
    )
  }).annotate({ identifier: "CreateSite" })
) {}

/** The input that updates a site. Absent fields are not changed. */
export class UpdateSite extends resource<UpdateSite>()(
  Schema.Struct({
    /** The title: 2 to 128 characters. */
    title: Schema.optionalKey(title),
    /** The audience of the site once it is published. */
    visibility: Schema.optionalKey(SiteVisibility),
    /**
     * The path segment of the site in its URL: 1 to 100 characters, unique in the organization. It neither begins with `~` nor has the
     * form of an id.
     */
    basename: Schema.optionalKey(Basename),
    /** The settings of adaptive content. */
    adaptiveContent: Schema.optionalKey(
      Schema.Struct({
        /** Whether the content adapts to the claims of visitors. */
        enabled: Schema.Boolean
      })
    ),
    /** Whether AI agents may use the content of the site as context. */
    agentsContext: Schema.optionalKey(AgentsContext),
    /** The default site-space: one in the default section, or at the root of a site without sections. */
    defaultSiteSpace: Schema.optionalKey(SiteSpaceId),
    /** The default section, whose URL is the URL of the site. */
    defaultSiteSection: Schema.optionalKey(SiteSectionId),
    /**
     * The host name at whose root a proxy serves the site, which no other site has, or the host name and the path, without
     * a scheme: at most 512 characters; null removes it. At a host of other sites, it requires the role `create` on each of them, and
     * the role `admin` on all sites of the host if one of them has an enabled script.
     */
    proxy: Schema.optionalKey(Schema.NullOr(proxyOrigin))
  }).annotate({
    identifier: "UpdateSite",
    ...rejecting({
      defaultLevel: {
        message: "has no effect: the role of a member on a site is that in the organization",
        accepted: ["inherit"]
      }
    })
  })
) {}

/** The filter and the page of a list of sites. */
export class ListSites extends resource<ListSites>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only sites with this space. */
    space: Schema.optionalKey(SpaceId),
    /** Only sites whose title contains this text, ignoring case: at most 255 characters. */
    title: Schema.optionalKey(text({ max: 255 })),
    /** Only published sites (`true`), or only sites that are not published (`false`). */
    published: Schema.optionalKey(Schema.Boolean)
  })
) {}
