/** Scripts that an administrator installs on a site: a URL, text, or data of a known service. Lectern does not execute them. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { mapOf } from "../schema/MapOf.ts"
import { resource } from "../schema/resource.ts"
import { text, trimmed } from "../schema/Text.ts"

/** The id of a script of a site. */
export const SiteScriptId = idSchema("The id of a script of a site.").pipe(Schema.brand("SiteScriptId"))

/** The id of a script of a site. */
export type SiteScriptId = string & Brand.Brand<"SiteScriptId">

/** The purposes of scripts that visitors consent to. */
export const ConsentCategory = Schema.Literals(["analytics", "marketing", "support", "preferences"]).annotate(
  {
    identifier: "ConsentCategory"
  }
)

/** A purpose of scripts that visitors consent to. */
export type ConsentCategory = typeof ConsentCategory.Type

/** The ids of the known services, in alphabetical order. */
export const scriptTemplateIds = [
  "crisp",
  "fathom",
  "google-analytics",
  "google-tag-manager",
  "hotjar",
  "hubspot",
  "intercom",
  "plausible",
  "posthog",
  "segment"
] as const

/** The id of a known service. */
export const ScriptTemplateId = Schema.Literals(scriptTemplateIds).annotate({
  identifier: "ScriptTemplateId"
})

/** The id of a known service. */
export type ScriptTemplateId = typeof ScriptTemplateId.Type

const urlOf = (value: string, protocol: string) => {
  const url = URL.parse(value)
  return url?.protocol === protocol && url.username === "" && url.password === "" ? url : undefined
}

/** A host name of at least two labels, without wildcards, and an optional port. The last label of an address is a number. */
const hostPattern = "(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?(?::\\d{1,5})?"

const ownHost = new RegExp(`^${hostPattern}$`, "u")

/** The URL of a script: `https`, a host name, and at most 2,048 characters. It can have placeholders, `{{name}}`. */
const ScriptUrl = text({ min: 1, max: 2048 }).check(
  Schema.makeFilter(
    (value: string) => {
      const host = /^https:\/\/[^/?#]*/.exec(value)?.[0] ?? ""
      if (host.includes("{{")) return "must not have placeholders in its host"
      const url = urlOf(value.replace(/\{\{\w+\}\}/g, "x"), "https:")
      if (/[\s"'<>\\`;,]/u.test(value) || url === undefined) {
        return "must be an https URL without credentials, spaces and quotes"
      }
      // The host is part of the policy of pages, in which a wildcard would permit others.
      return ownHost.test(url.host)
        ? undefined
        : "must have a host name, as in https://stats.example.com/script.js"
    },
    { expected: "an https URL" }
  )
)

/** An origin for the policy of pages: `https` or `wss`, a host name or `*.` before one, and an optional port. */
const Origin = text({ max: 300 }).check(
  Schema.isPattern(new RegExp(`^(?:https|wss):\\/\\/(?:\\*\\.)?${hostPattern}$`, "u"), {
    message: "must be an origin, as in https://stats.example.com or https://*.example.com"
  })
)

const Origins = Schema.Array(Origin).check(Schema.isMaxLength(20, { message: "must be at most 20 origins" }))

/** The origins that the pages of a site may use for a script. */
export const ScriptOrigins = Schema.Struct({
  /** The origins of further scripts, at most 20. That of the URL of the script is included. */
  scripts: Schema.optionalKey(Origins),
  /** The origins that the script sends requests to, at most 20. */
  connections: Schema.optionalKey(Origins),
  /** The origins of frames that the script adds, at most 20. */
  frames: Schema.optionalKey(Origins),
  /** The origins of style sheets that the script adds, at most 20. */
  styles: Schema.optionalKey(Origins)
})

/** The origins that the pages of a site may use for a script. */
export interface ScriptOrigins extends Schema.Schema.Type<typeof ScriptOrigins> {}

/** The values of placeholders: at most 20, with names of letters and digits, and 1 to 500 characters. */
export const ScriptValues = mapOf(text({ min: 1, max: 500 }), {
  min: 1,
  max: 50,
  maxEntries: 20,
  noun: "values"
})

/** Where a script comes from. */
export const ScriptSource = Schema.Union([
  Schema.Struct({
    /** The kind of the source: `url`. */
    type: Schema.Literal("url"),
    /** The URL of the script: https, at most 2,048 characters. Placeholders, `{{name}}`, are percent-encoded. */
    url: ScriptUrl,
    /** The values of its placeholders. */
    values: Schema.optionalKey(ScriptValues)
  }),
  Schema.Struct({
    /** The kind of the source: `text`. */
    type: Schema.Literal("text"),
    /** The script, 1 to 20,000 characters. A placeholder, `{{name}}`, is an expression: it is replaced by a string literal with its quotes. */
    text: text({ min: 1, max: 20_000 }),
    /** The values of its placeholders. */
    values: Schema.optionalKey(ScriptValues)
  }),
  Schema.Struct({
    /** The kind of the source: `template`. */
    type: Schema.Literal("template"),
    /** The known service. */
    template: ScriptTemplateId,
    /** The values that the service requires, by name. */
    values: ScriptValues
  })
])

/** Where a script comes from. */
export type ScriptSource = typeof ScriptSource.Type

const Categories = Schema.Array(ConsentCategory).check(
  Schema.isMaxLength(4, { message: "must be at most 4 categories" })
)

/** A script of a site. */
export class SiteScript extends resource<SiteScript>()(
  Schema.Struct({
    /** The type of the resource: always `site-script`. */
    object: Schema.Literal("site-script"),
    /** The id of the script. */
    id: SiteScriptId,
    /** The name of the script, which the consent banner does not display: 1 to 100 characters. */
    name: text({ min: 1, max: 100 }),
    /** Where the script comes from. */
    source: ScriptSource,
    /** The purposes that a visitor must consent to. Without any, the script is loaded without consent. */
    categories: Schema.Array(ConsentCategory),
    /** The origins that the pages of the site may use for the script, besides the origins of a template. */
    origins: ScriptOrigins,
    /** Whether the script is enabled. */
    enabled: Schema.Boolean,
    /** Whether pages of the site load the script. */
    active: Schema.Boolean,
    /** Why no page loads the script; absent if it is active. */
    inactiveReason: Schema.optionalKey(Schema.String),
    /** URLs of the resource. */
    urls: Schema.Struct({
      /** The URL of the resource in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "SiteScript" })
) {}

/** The fields of a new script of a site. */
export class CreateSiteScript extends resource<CreateSiteScript>()(
  Schema.Struct({
    /** The name of the script, 1 to 100 characters. */
    name: trimmed({ min: 1, max: 100 }),
    /** Where the script comes from. */
    source: ScriptSource,
    /** The purposes that a visitor must consent to; by default the purposes of the template, or `analytics`. */
    categories: Schema.optionalKey(Categories),
    /** The origins that the pages of the site may use for the script. The origins of a template are included. */
    origins: Schema.optionalKey(ScriptOrigins),
    /** Whether the script is enabled; true by default. */
    enabled: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "CreateSiteScript" })
) {}

/** The fields of a script of a site to update. Absent fields do not change. */
export class UpdateSiteScript extends resource<UpdateSiteScript>()(
  Schema.Struct({
    /** The name of the script, 1 to 100 characters. */
    name: Schema.optionalKey(trimmed({ min: 1, max: 100 })),
    /** Where the script comes from. */
    source: Schema.optionalKey(ScriptSource),
    /** The purposes that a visitor must consent to. */
    categories: Schema.optionalKey(Categories),
    /** The origins that the pages of the site may use for the script. */
    origins: Schema.optionalKey(ScriptOrigins),
    /** Whether the script is enabled. */
    enabled: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "UpdateSiteScript" })
) {}

/** A script that pages of a site load, as renderers receive it. */
export class SiteIntegrationScript extends resource<SiteIntegrationScript>()(
  Schema.Struct({
    /** The URL of the script. */
    script: Schema.String,
    /** The policy that the script requires: directives with its origins. */
    contentSecurityPolicy: Schema.optionalKey(Schema.String),
    /** Whether visitors must consent to the script. */
    cookies: Schema.Boolean,
    /** The purposes that visitors must consent to. Not in the public contract. */
    categories: Schema.optionalKey(Schema.Array(ConsentCategory))
  }).annotate({ identifier: "SiteIntegrationScript" })
) {}

/** A known service, for the installation of its script. */
export class ScriptTemplate extends resource<ScriptTemplate>()(
  Schema.Struct({
    /** The id of the service. */
    id: ScriptTemplateId,
    /** The name of the service. */
    name: Schema.String,
    /** The purposes that visitors consent to. */
    categories: Schema.Array(ConsentCategory),
    /** The values that the service requires. */
    fields: Schema.Array(
      Schema.Struct({
        /** The name of the value. */
        name: Schema.String,
        /** An example of the value. */
        example: Schema.String,
        /** The regular expression that values match. */
        pattern: Schema.String
      })
    )
  }).annotate({ identifier: "ScriptTemplate" })
) {}
