/** Integrations: extensions of a workspace, with names that are unique across organizations. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { Organization, OrganizationId } from "../organizations/Organization.ts"
import { idSchema } from "../schema/Id.ts"
import { mapOf } from "../schema/MapOf.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { text, trimmed } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"

/** The characters of names and domains. */
const wireName = Schema.isPattern(/^[a-zA-Z0-9\-_.]+$/u, {
  message: "must be 1 to 100 letters, digits, and the characters - _ ."
})

/** The name of an integration: 1 to 100 letters, digits and the characters - _ . */
export const IntegrationName = text({ min: 1, max: 100 })
  .check(wireName)
  .pipe(Schema.brand("IntegrationName"))

/** The name of an integration. */
export type IntegrationName = string & Brand.Brand<"IntegrationName">

/** Who can find an integration: all users, all users who know its name (`unlisted`), or the members of its owner. */
export const IntegrationVisibility = Schema.Literals(["public", "private", "unlisted"])

/** The kind of resource that an integration can be installed on. */
export const IntegrationTarget = Schema.Literals(["all", "site", "space", "organization"])

/** The category of an integration. */
export const IntegrationCategory = Schema.Literals([
  "analytics",
  "collaboration",
  "content",
  "gitsync",
  "marketing",
  "visitor-auth",
  "other"
])

/** A permission that an integration requests. */
export const IntegrationScope = Schema.Literals([
  "space:content:read",
  "space:content:write",
  "space:metadata:read",
  "space:metadata:write",
  "space:git:sync",
  "space:views:read",
  "page:feedback:read",
  "site:metadata:read",
  "site:views:read",
  "site:script:inject",
  "site:script:cookies",
  "site:visitor:auth",
  "site:adaptive:read",
  "site:adaptive:write",
  "openapi:read",
  "openapi:write",
  "conversations:ingest"
])

const atMost = <S extends Schema.Top>(item: S, max: number) =>
  Schema.Array(item).check(Schema.isMaxLength(max, { message: `must be at most ${max}` }))

/** The name of an integration. */
export const name = text({ min: 1, max: 100 })

/** A block that an integration adds to documents. */
export class Block extends resource<Block>()(
  Schema.Struct({
    /** The id of the block in the integration, 1 to 100 characters. */
    id: name,
    /** The title of the block, 2 to 40 characters. */
    title: text({ min: 2, max: 40 }),
    /** A description of the block, at most 150 characters. */
    description: Schema.optionalKey(text({ max: 150 })),
    /** The URL of an icon, at most 2,048 characters. */
    icon: Schema.optionalKey(text({ max: 2048 })),
    /** At most 100 patterns of URLs that the block can display, such as `https://www.figma.com/*`. */
    urlUnfurl: Schema.optionalKey(atMost(text({ max: 2048 }), 100)),
    /** The form of the block in Markdown. */
    markdown: Schema.optionalKey(
      Schema.Struct({
        /** The language of the code block that represents the block, 1 to 100 characters. */
        codeblock: name,
        /** The property of the block that has the content of the code block, 1 to 100 characters. */
        body: name
      })
    )
  })
) {}

/** A source of content that the integration offers. */
class ContentSource extends resource<ContentSource>()(
  Schema.Struct({
    /** The id of the source in the integration, 1 to 100 characters. */
    id: name,
    /** The title of the source, 2 to 40 characters. */
    title: text({ min: 2, max: 40 }),
    /** A description of the source, at most 150 characters. */
    description: Schema.optionalKey(text({ max: 150 })),
    /** The URL of an icon, at most 2,048 characters. */
    icon: Schema.optionalKey(text({ max: 2048 })),
    /** The configuration of the source. */
    configuration: Schema.Struct({
      /** The id of the component that configures the source, 1 to 100 characters. */
      componentId: name
    })
  })
) {}

/** A property that is configured where the integration is installed. */
class Property extends resource<Property>()(
  Schema.Struct({
    /** The title of the property, at most 100 characters. */
    title: Schema.optionalKey(text({ max: 100 })),
    /** A description of the property, at most 1,000 characters. */
    description: Schema.optionalKey(text({ max: 1_000 })),
    /** The type of the value. A `button` has no value. */
    type: Schema.Literals(["string", "number", "boolean", "button"]),
    /** The default value. */
    default: Schema.optionalKey(Schema.Union([text({ max: 10_000 }), Schema.Finite, Schema.Boolean])),
    /** The URL that completes the value, at most 2,048 characters. */
    completion_url: Schema.optionalKey(text({ max: 2048 })),
    /** The URL that a `button` calls, at most 2,048 characters. */
    callback_url: Schema.optionalKey(text({ max: 2048 })),
    /** The label of a `button`, at most 100 characters. */
    button_text: Schema.optionalKey(text({ max: 100 })),
    /** The allowed values: at most 100, of at most 1,000 characters. */
    enum: Schema.optionalKey(atMost(text({ max: 1_000 }), 100))
  })
) {}

class ConfigurationComponent extends resource<ConfigurationComponent>()(
  Schema.Struct({
    /** The id of the component that configures the integration, 1 to 100 characters. */
    componentId: name
  })
) {}

/** The properties that are configured where the integration is installed. */
export class ConfigurationProperties extends resource<ConfigurationProperties>()(
  Schema.Struct({
    /** The properties by name: at most 100, with names of 1 to 100 characters. */
    properties: mapOf(Property, { min: 1, max: 100, maxEntries: 100, noun: "properties" }),
    /** The names of the properties that require a value. */
    required: Schema.optionalKey(atMost(name, 100))
  })
) {}

/** The configuration of an installation: properties, or a component. */
const Configuration = Schema.Union([ConfigurationComponent, ConfigurationProperties])

/** The configuration of an installation: properties, or a component. */
export type Configuration = ConfigurationComponent | ConfigurationProperties

class Configurations extends resource<Configurations>()(
  Schema.Struct({
    /** The configuration of an installation for an organization. */
    account: Schema.optionalKey(Configuration),
    /** The configuration of an installation on a space. */
    space: Schema.optionalKey(Configuration),
    /** The configuration of an installation on a site. */
    site: Schema.optionalKey(Configuration)
  })
) {}

const ContentSecurityPolicy = Schema.Union([
  text({ max: 10_000 }),
  mapOf(text({ max: 10_000 }), { max: 100, maxEntries: 50, noun: "directives" })
])

/** A link of an integration. */
class ExternalLink extends resource<ExternalLink>()(
  Schema.Struct({
    /** The URL of the link. */
    url: Url,
    /** The label of the link, at most 100 characters. */
    label: text({ max: 100 })
  })
) {}

/** The published description of an integration. */
const manifest = {
  /** The title of the integration, 2 to 30 characters. */
  title: trimmed({ min: 2, max: 30 }),
  /** A short description of the integration, at most 100 characters. */
  description: Schema.optionalKey(text({ max: 100 })),
  /** A long description of the integration in markdown, at most 2,048 characters. */
  summary: Schema.optionalKey(text({ max: 2048 })),
  /** The kind of resource that the integration can be installed on. */
  target: IntegrationTarget,
  /** Who can find the integration. */
  visibility: IntegrationVisibility,
  /** The permissions that the integration requests. */
  scopes: atMost(IntegrationScope, 100),
  /** The categories of the integration. */
  categories: atMost(IntegrationCategory, 100),
  /** The blocks that the integration adds to documents, at most 100. */
  blocks: Schema.optionalKey(atMost(Block, 100)),
  /** The sources of content that the integration offers, at most 100. */
  contentSources: Schema.optionalKey(atMost(ContentSource, 100)),
  /** The configurations of installations, by the kind of their target. */
  configurations: Schema.optionalKey(Configurations),
  /** Links of the integration, at most 5. */
  externalLinks: atMost(ExternalLink, 5),
  /** The content security policy of the integration: a header value, or values by directive. */
  contentSecurityPolicy: Schema.optionalKey(ContentSecurityPolicy)
}

/** The published description of an integration. */
export class Manifest extends resource<Manifest>()(Schema.Struct(manifest)) {}

/** An extension of a workspace, without its script and its secrets. */
export class Integration extends resource<Integration>()(
  Schema.Struct({
    /** The type of the resource: always `integration`. */
    object: Schema.Literal("integration"),
    /** The name of the integration, unique in the workspace. */
    name: IntegrationName,
    /** The number of the published version, starting at 1. */
    version: Schema.Int,
    ...manifest,
    /** The URLs of the preview images, at most 3. */
    previewImages: Schema.Array(Schema.String),
    /** Whether the operator of the workspace has verified the integration: always false. */
    verified: Schema.Boolean,
    /** The organization that owns the integration. */
    owner: Organization,
    /** URLs of the integration. */
    urls: Schema.Struct({
      /** The URL of the integration in the API. */
      location: Schema.String,
      /** The URL of the icon. Absent if it is not set. */
      icon: Schema.optionalKey(Schema.String),
      /** The URL of the integration in the application. */
      app: Schema.String,
      /** The base URL of the images. */
      assets: Schema.String,
      /** The URL that receives requests from other systems. */
      publicEndpoint: Schema.String,
      /** The URL that receives requests for content from other systems: the same. */
      publicContentEndpoint: Schema.String
    }),
    /** The permissions of the caller on the integration. */
    permissions: Schema.Struct({
      /** Whether the caller can publish and unpublish the integration. */
      admin: Schema.Boolean,
      /** Whether the caller can install the integration for one of their organizations. */
      install: Schema.Boolean
    })
  }).annotate({ identifier: "Integration", description: "An extension of a workspace." })
) {}

/** The maximum length of an image, in characters of base64: 1 MiB of bytes. */
const longestImage = Math.ceil((1024 * 1024) / 3) * 4

const Image = Schema.String.check(
  Schema.isMaxLength(longestImage, { message: "must be at most 1 MiB" }),
  Schema.isPattern(/^[A-Za-z0-9+/]+={0,2}$/u, { message: "must be base64" })
)

/** The input for publishing an integration or its next version. */
export class PublishIntegration extends resource<PublishIntegration>()(
  Schema.Struct({
    ...manifest,
    /** A short description of the integration, at most 100 characters. */
    description: text({ max: 100 }),
    /** The kind of resource that the integration can be installed on; `all` by default. */
    target: Schema.optionalKey(manifest.target),
    /** Who can find the integration; `private` by default. */
    visibility: Schema.optionalKey(manifest.visibility),
    /** The permissions that the integration requests; none by default. */
    scopes: Schema.optionalKey(manifest.scopes),
    /** The categories of the integration; none by default. */
    categories: Schema.optionalKey(manifest.categories),
    /** Links of the integration, at most 5; none by default. */
    externalLinks: Schema.optionalKey(manifest.externalLinks),
    /** The version of the runtime that the script requires; `v1` by default. */
    runtime: Schema.optionalKey(Schema.Literals(["v1", "v2"])),
    /** An icon in base64: a PNG, JPEG, GIF or WebP image of at most 1 MiB. */
    icon: Schema.optionalKey(Image),
    /** Preview images in base64: at most 3 PNG, JPEG, GIF or WebP images of at most 1 MiB each. */
    previewImages: Schema.optionalKey(atMost(Image, 3)),
    /** The script of the integration, 1 to 5,000,000 characters. It is never returned. */
    script: text({ min: 1, max: 5_000_000 }),
    /** The organization that owns the integration, by its id or its hostname. The caller must be its administrator. */
    organization: idSchema("The id of an organization, or its hostname."),
    /** Secrets by name: at most 20, with values of at most 10,000 characters. They are encrypted and never returned. */
    secrets: Schema.optionalKey(
      mapOf(text({ max: 10_000 }), { min: 1, max: 100, maxEntries: 20, noun: "secrets" })
    )
  }).annotate({ identifier: "PublishIntegration" })
) {}

/** The filter and the page of a list of integrations, which match all given filters. */
export class ListIntegrations extends resource<ListIntegrations>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Lists only integrations whose name or title contains this text, at most 255 characters; case-insensitive. */
    search: Schema.optionalKey(text({ max: 255 })),
    /** Lists only integrations in this category. */
    category: Schema.optionalKey(IntegrationCategory),
    /** Lists only integrations with a block that displays URLs of this domain, 1 to 100 characters. */
    blockDomain: Schema.optionalKey(text({ min: 1, max: 100 }).check(wireName)),
    /** Lists only integrations with blocks (true) or without (false). */
    blocks: Schema.optionalKey(Schema.Boolean),
    /** Lists only integrations with sources of content (true) or without (false). */
    contentSources: Schema.optionalKey(Schema.Boolean),
    /** Lists only integrations of this organization. */
    owner: Schema.optionalKey(OrganizationId),
    /** Lists only integrations that request this permission. */
    scope: Schema.optionalKey(IntegrationScope)
  })
) {}

/** The SHA-256 digest of an image, in hexadecimal. */
export const AssetHash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/u, { message: "must be 64 lower-case hexadecimal digits" })
)

/** An image of an integration. */
export interface IntegrationImage {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly contentType: string
  /** The bytes of the image. */
  readonly bytes: Uint8Array
}
