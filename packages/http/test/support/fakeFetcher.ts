/** A fetcher without a network, for tests that need no particular website. */
import { Fetcher } from "@lectern/core"
import { Effect, Layer } from "effect"

/** Returns the same page of Markdown for every address. */
export const fakeFetcher = Layer.succeed(Fetcher, ({ url }) =>
  Effect.succeed({
    url,
    status: 200,
    contentType: "text/markdown",
    body: new TextEncoder().encode("# Imported\n\nText.\n")
  })
)
