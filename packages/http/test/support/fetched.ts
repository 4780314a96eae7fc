/** What lies outside, for tests that only want something to be there: one page of markdown, whatever is asked for. */
import { Fetcher } from "@lectern/core"
import { Effect, Layer } from "effect"

/** A fetcher that reaches nothing. */
export const fetched = Layer.succeed(Fetcher, ({ url }) =>
  Effect.succeed({
    url,
    status: 200,
    contentType: "text/markdown",
    body: new TextEncoder().encode("# Imported\n\nText.\n")
  })
)
