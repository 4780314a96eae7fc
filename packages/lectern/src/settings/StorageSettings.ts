/** Declares the settings of storage: quotas and compression. */
import type { Quota, Quotas } from "@lectern/core"
import { Schema, SchemaGetter } from "effect"
import { defineSetting } from "./Setting.ts"

const format =
  "must be spaces=<number>,members=<number>,bytes=<number>, each optional, and quotas of organizations after it, as in spaces=100,members=25,bytes=10GiB;<id>:spaces=1000"

/** The units of bytes. */
const units: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }

const parseQuota = (text: string): Quota | undefined => {
  const quota: { -readonly [K in keyof Quota]: number } = {}
  for (const entry of text.split(",")) {
    const match =
      /^\s*(?:(spaces|members)=([1-9]\d{0,8})|(bytes)=([1-9]\d{0,14})(KiB|MiB|GiB|TiB)?)\s*$/.exec(entry)
    if (match === null) return undefined
    const [, count, number, bytes, size, unit = ""] = match
    if (count !== undefined) quota[count as "spaces" | "members"] = Number(number)
    if (bytes === undefined) continue
    const maximum = Number(size) * (units[unit] ?? 1)
    if (!Number.isSafeInteger(maximum)) return undefined
    quota.bytes = maximum
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
    "Whether page bodies and nodes of content are stored compressed: on or off. Compressed ones are read in any case. Set it to off while processes of a schema before 25, which cannot read them, use the same database.",
  schema: Schema.Literals(["on", "off"]),
  fallback: "on"
})

/** The quotas of organizations. */
export const organizationQuotas = defineSetting({
  flag: "organization-quotas",
  description:
    "The maximum numbers of spaces, including the trash, of members, and of bytes of content of each organization, as in spaces=100,members=25,bytes=10GiB, or off. Every version of a page or a file counts, uncompressed. Quotas of single organizations follow by their id: spaces=100,members=25;<id>:spaces=1000. The operator's commands can exceed them.",
  schema: QuotasSetting,
  fallback: "off"
})
