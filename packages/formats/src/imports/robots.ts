/** Loads the rules of a website for crawlers, `robots.txt`. */

import type { Fetch } from "@lectern/kernel"
import { bounds } from "@lectern/model/imports"
import { Effect, Option } from "effect"
import * as robotsParser from "robots-parser"
import { decodeHtml } from "./decode.ts"

/** The user agent that the rules of robots.txt can refer to. */
const userAgent = "Lectern"

/** The rules of an origin for crawlers. */
export interface RobotsRules {
  /** Whether the rules allow requests of a URL. */
  readonly isAllowed: (url: string) => boolean
  /** The minimum time between two requests, in milliseconds; 0 if it is not declared. */
  readonly delayMillis: number
  /** The URLs of the declared sitemaps. */
  readonly sitemaps: ReadonlyArray<string>
}

/** The result of the parser. The types of the package declare an ES module, but it is a CommonJS module. */
interface ParsedRules {
  readonly isAllowed: (url: string, userAgent: string) => boolean | undefined
  readonly getCrawlDelay: (userAgent: string) => number | undefined
  readonly getSitemaps: () => ReadonlyArray<string>
}

const parse = robotsParser.default as unknown as (url: string, text: string) => ParsedRules

/** Loads the rules of an origin. Everything is allowed if the origin has no robots.txt, or it cannot be fetched. */
export const loadRobotsRules = (fetch: Fetch, origin: string): Effect.Effect<RobotsRules> => {
  const url = `${origin}/robots.txt`
  return Effect.map(
    Effect.option(
      fetch({ url, accept: "text/plain", maximumBytes: bounds.robotsBytes, timeoutMillis: bounds.pageMillis })
    ),
    (fetched): RobotsRules => {
      const text = Option.match(fetched, { onNone: () => "", onSome: ({ body }) => decodeHtml(body) })
      // Some websites respond to every URL with an HTML page. They have no robots.txt.
      const rules = parse(url, /^\s*</.test(text) ? "" : text)
      const seconds = rules.getCrawlDelay(userAgent) ?? 0
      return {
        isAllowed: (target) => rules.isAllowed(target, userAgent) !== false,
        delayMillis: Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1000, bounds.delayMillis) : 0,
        sitemaps: rules.getSitemaps()
      }
    }
  )
}
