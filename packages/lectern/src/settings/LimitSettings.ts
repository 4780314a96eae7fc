/** Declares the settings that limit requests. */

import type { RateLimits } from "@lectern/http"
import { defaultRateLimits } from "@lectern/http/server"
import { Schema, SchemaGetter } from "effect"
import { defineSetting } from "./Setting.ts"

const numberWithin = (minimum: number, maximum: number, noun: string) =>
  Schema.FiniteFromString.check(
    Schema.makeFilter((value: number) =>
      value >= minimum && value <= maximum ? undefined : `must be ${noun}, ${minimum} to ${maximum}`
    )
  )

const Seconds = numberWithin(0.1, 86_400, "a number of seconds")

/** The names of rate limits in the setting, and in the options. */
const rateLimitNames = {
  token: "perToken",
  address: "perAddress",
  organization: "perOrganization",
  failures: "failuresPerAddress"
} as const

const rateLimitsFormat =
  "must be on, off, or comma-separated numbers of requests per minute, as in token=1200,address=300,organization=12000,failures=30"

/** Parses the setting, or returns `undefined` if it is malformed. `false` switches rate limits off. */
const parseRateLimits = (text: string): RateLimits | false | undefined => {
  if (text === "off") return false
  if (text === "on") return defaultRateLimits
  const limits: { -readonly [K in keyof RateLimits]: RateLimits[K] } = {}
  for (const entry of text.split(",")) {
    const match = /^\s*(token|address|organization|failures)=([1-9]\d{0,8})\s*$/.exec(entry)
    if (match === null) return undefined
    limits[rateLimitNames[match[1] as keyof typeof rateLimitNames]] = Number(match[2])
  }
  return { ...defaultRateLimits, ...limits }
}

const formatRateLimits = (limits: RateLimits | false): string =>
  limits === false
    ? "off"
    : Object.entries(rateLimitNames)
        .map(([name, option]) => `${name}=${limits[option] ?? defaultRateLimits[option]}`)
        .join(",")

const RateLimitsSetting = Schema.String.check(
  Schema.makeFilter((text: string) => (parseRateLimits(text) === undefined ? rateLimitsFormat : undefined))
).pipe(
  Schema.decodeTo(Schema.Any as Schema.Codec<RateLimits | false>, {
    decode: SchemaGetter.transform((text: string) => parseRateLimits(text) ?? false),
    encode: SchemaGetter.transform(formatRateLimits)
  })
)

/** The rate limits. */
export const rateLimits = defineSetting({
  flag: "rate-limits",
  description:
    "The maximum numbers of requests per minute: on for the defaults (token=1200,address=300,organization=12000,failures=30), off, or such a list. On PostgreSQL, all processes share their counts.",
  schema: RateLimitsSetting,
  fallback: "on"
})

/** The maximum number of requests in progress. */
export const maxConcurrentRequests = defineSetting({
  flag: "max-concurrent-requests",
  description: "The maximum number of requests in progress. Further requests are rejected with 503 early.",
  schema: numberWithin(1, 100_000, "a number of requests"),
  fallback: "100"
})

/** The deadline of requests. */
export const requestTimeout = defineSetting({
  flag: "request-timeout",
  description: "The maximum duration of a request in seconds, without receiving its body.",
  schema: Seconds,
  fallback: "30"
})

/** The deadline of downloads. */
export const downloadTimeout = defineSetting({
  flag: "download-timeout",
  description: "The maximum duration of preparing a file or a PDF for download, in seconds.",
  schema: Seconds,
  fallback: "120"
})

/** The deadline of receiving the files of an upload. */
export const uploadTimeout = defineSetting({
  flag: "upload-timeout",
  description: "The maximum duration of receiving the files of an upload, in seconds; at most 6 hours.",
  schema: numberWithin(0.1, 21_600, "a number of seconds"),
  fallback: "3600"
})

/** The deadline of the next bytes of a body. */
export const bodyIdleTimeout = defineSetting({
  flag: "body-idle-timeout",
  description:
    "How long a request waits for the next bytes of its body, including uploads, in seconds. It is then rejected with 408.",
  schema: Seconds,
  fallback: "30"
})

/** The maximum size of an upload. */
export const uploadLimit = defineSetting({
  flag: "upload-limit",
  description: "The maximum size of an upload of files, in MiB.",
  schema: numberWithin(1, 1_048_576, "a number of MiB"),
  fallback: "1024"
})

/** The deadline of imports. */
export const importTimeout = defineSetting({
  flag: "import-timeout",
  description: "The maximum duration of an import, in seconds.",
  schema: Seconds,
  fallback: "600"
})

/** The time between SIGTERM and closing the listener. */
export const drainDelay = defineSetting({
  flag: "drain-delay",
  description:
    "The time in seconds that the server still accepts requests after SIGTERM, while /readyz responds with 503: longer than the interval of the load balancer's health checks.",
  schema: numberWithin(0, 600, "a number of seconds"),
  fallback: "0"
})

/** The size of the caches of content in memory. */
export const cacheSize = defineSetting({
  flag: "cache-size",
  description:
    "The sum of the maximum sizes of the caches of content in memory, in MiB: nodes of maps and bodies of pages, rendered pages and responses, outlines, and images of PDFs.",
  schema: numberWithin(1, 1_048_576, "a number of MiB"),
  fallback: "350"
})
