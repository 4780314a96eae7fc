/** Declares the settings of storage: quotas and compression. */
import type { Quota, Quotas } from "@lectern/core"
import { Schema, SchemaGetter } from "effect"
import { defineSetting } from "./Setting.ts"

const format =
  "must be spaces=<number>,members=<number>, each optional, and quotas of organizations after it, as in spaces=100,members=25;<id>:spaces=1000"

const parseQuota = (text: string): Quota | undefined => {
  const quota: { spaces?: number; members?: number } = {}
  for (const entry of text.split(",")) {
    const match = /^\s*(spaces|members)=([1-9]\d{0,8})\s*$/.exec(entry)
    if (match === null) return undefined
    quota[match[1] as keyof Quota] = Number(match[2])
  }
  return quota
}

/** Parses the setting, or returns `undefined` if it is malformed. `off` sets no limits. */
const parseQuotas = (text: string): Quotas | undefined => {
  const organizations = new Map<string, Quota>()
  let fallback: Quota = {}
  for (const [index, part] of text.split(";").entries()) {
    const named = /^\s*([\w-]{1,64}):(.*)$/.exec(part)
    const rest = (named?.[2] ?? part).trim()
    const quota = rest === "off" ? {} : parseQuota(rest)
    if (quota === undefined || (named === null && index > 0)) return undefined
    if (named === null) fallback = quota
    else organizations.set(named[1]!, quota)
  }
  return { default: fallback, organizations }
}

const formatQuota = (quota: Quota): string => {
  const limits = Object.entries(quota).flatMap(([name, limit]) =>
    limit === undefined ? [] : [`${name}=${limit}`]
  )
  return limits.length === 0 ? "off" : limits.join(",")
}

const formatQuotas = (quotas: Quotas): string =>
  [
    formatQuota(quotas.default),
    ...Array.from(quotas.organizations, ([id, quota]) => `${id}:${formatQuota(quota)}`)
  ].join(";")

const QuotasSetting: Schema.Codec<Quotas, string> = Schema.String.check(
  Schema.makeFilter((text: string) => (parseQuotas(text) === undefined ? format : undefined))
).pipe(
  Schema.decodeTo(
    Schema.declare((_: unknown): _ is Quotas => true),
    {
      decode: SchemaGetter.transform(
        (text: string): Quotas => parseQuotas(text) ?? { default: {}, organizations: new Map() }
      ),
      encode: SchemaGetter.transform(formatQuotas)
    }
  )
)

/** Whether page bodies and nodes are stored compressed. */
export const blobCompression = defineSetting({
  flag: "blob-compression",
  description:
    "Whether page bodies and nodes of content are stored compressed: on or off. Compressed ones are read in any case. Set it to off while processes of a schema before 21, which cannot read them, use the same database.",
  schema: Schema.Literals(["on", "off"]),
  fallback: "on"
})

/** The quotas of organizations. */
export const organizationQuotas = defineSetting({
  flag: "organization-quotas",
  description:
    "The maximum numbers of spaces, including the trash, and of members of each organization, as in spaces=100,members=25, or off. Quotas of single organizations follow by their id: spaces=100,members=25;<id>:spaces=1000. The operator's commands can exceed them.",
  schema: QuotasSetting,
  fallback: "off"
})
