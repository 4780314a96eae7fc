/** A fetcher without network access. */
import { Fetcher } from "@lectern/core"
import { Effect, Layer } from "effect"

/** Returns the same Markdown for every URL. */
export const fakeFetcher = Layer.succeed(Fetcher, ({ url }) =>
  Effect.succeed({
    url,
    status: 200,
    contentType: "text/markdown",
    body: new TextEncoder().encode("# Imported\n\nText.\n")
  })
)
