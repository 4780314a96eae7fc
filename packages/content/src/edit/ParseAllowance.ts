/** Limits the cost of parsing the bodies of a batch in all, because each body has a limit of its own only. */

import { estimateParseCost, maximumParseCost } from "@lectern/markdown/document"
import { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"

/** The cost of a batch whose bodies have up to a million characters, in estimated microseconds. */
const minimumAllowance = 700_000

/** The estimated cost of parsing Markdown, which is 0 if it is so expensive that it is not parsed. */
export const costOfParsing = (markdown: string): number => {
  const cost = estimateParseCost(markdown, maximumParseCost)
  return cost > maximumParseCost ? 0 : cost
}

/**
 * The cost of parsing that a batch may still cause: 0.7 s, and a second per million characters, which typical Markdown does
 * not exceed. It counts constructs and never measures time, so that the same batch is accepted on every machine.
 */
export class ParseAllowance {
  private spent = 0
  private characters = 0

  /**
   * Counts parsing Markdown `times` times. Fails with `InvalidInput` if the batch exceeds its allowance. `isSent` is true for
   * Markdown that the batch contains, which increases the allowance.
   */
  spend(
    markdown: string,
    { times = 1, isSent = false }: { readonly times?: number; readonly isSent?: boolean } = {}
  ): Effect.Effect<void, InvalidInput> {
    this.spent += times * costOfParsing(markdown)
    if (isSent) this.characters += markdown.length
    return this.spent <= Math.max(minimumAllowance, this.characters)
      ? Effect.void
      : Effect.fail(
          InvalidInput.at(
            "changes",
            "have too many long lists, tables and other expensive Markdown for one batch; send several batches, and revert whole pages"
          )
        )
  }
}
