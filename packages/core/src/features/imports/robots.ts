/** What a website lets robots read (`robots.txt`). */
import { Effect, Option } from "effect"
import * as robotsParser from "robots-parser"
import type { Fetch } from "../../kernel/network/Fetcher.ts"
import { bounds } from "../../model/imports/Import.ts"
import { decodeHtml } from "./decode.ts"

/** The name that robots.txt may speak to us by. */
const robot = "Lectern"

/** What a website says to robots. */
export interface Robots {
  readonly isAllowed: (address: string) => boolean
  /** Between two requests, in milliseconds; 0 where nothing is said. */
  readonly delayMillis: number
  readonly sitemaps: ReadonlyArray<string>
}

/** What the parser makes. Its types say of a CommonJS module that it is another. */
interface Rules {
  readonly isAllowed: (url: string, robot: string) => boolean | undefined
  readonly getCrawlDelay: (robot: string) => number | undefined
  readonly getSitemaps: () => ReadonlyArray<string>
}

const parse = robotsParser.default as unknown as (url: string, text: string) => Rules

/** What an origin says; where it says nothing, or cannot be asked, all is allowed. */
export const robotsOf = (fetch: Fetch, origin: string): Effect.Effect<Robots> => {
  const url = `${origin}/robots.txt`
  return Effect.map(
    Effect.option(
      fetch({ url, accept: "text/plain", maximumBytes: bounds.robotsBytes, timeoutMillis: bounds.pageMillis })
    ),
    (fetched): Robots => {
      const text = Option.match(fetched, { onNone: () => "", onSome: ({ body }) => decodeHtml(body) })
      // A website that answers any address with a page has no robots.txt.
      const rules = parse(url, /^\s*</.test(text) ? "" : text)
      const seconds = rules.getCrawlDelay(robot) ?? 0
      return {
        isAllowed: (address) => rules.isAllowed(address, robot) !== false,
        delayMillis: Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1000, bounds.delayMillis) : 0,
        sitemaps: rules.getSitemaps()
      }
    }
  )
}
