/** Declares the settings of shared caches, such as a CDN, in front of the server. */
import { Schema } from "effect"
import { defineSetting } from "./Setting.ts"
import { HttpUrl } from "./Settings.ts"
import { wholeNumber } from "./wholeNumber.ts"

/** At most one year. */
const Seconds = wholeNumber(31_536_000, "seconds", 0)

/** How long shared caches may store pages and files of public sites. */
export const edgeMaxAge = defineSetting({
  flag: "edge-max-age",
  description:
    "How long shared caches, such as a CDN, may return pages and files of public sites without a request to the server, in seconds, at most 31536000. 0: never.",
  schema: Seconds,
  fallback: "0"
})

/** How long caches may return pages that are not fresh. */
export const edgeStale = defineSetting({
  flag: "edge-stale",
  description:
    "How long caches, including browsers, may return a page after its time while they request the current one, in seconds, at most 31536000. Only with --edge-max-age.",
  schema: Seconds,
  fallback: "0"
})

/** The receiver of purges. */
export const edgePurgeUrl = defineSetting({
  flag: "edge-purge-url",
  description:
    "The URL that receives the keys of the pages and files that a commit changes, by POST as JSON and in the header Surrogate-Key. Only with --edge-max-age. None by default. --fetch-allow has to include a private address.",
  schema: HttpUrl
})

/** The token of purges. */
export const edgePurgeToken = defineSetting({
  flag: "edge-purge-token",
  description:
    "The token that requests to --edge-purge-url have, as Authorization: Bearer <token>. None by default.",
  schema: Schema.RedactedFromValue(Schema.NonEmptyString),
  isSecret: true
})
