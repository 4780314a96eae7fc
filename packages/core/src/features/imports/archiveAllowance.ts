/** Limits the cost of parsing all pages of an archive in proportion to its size, because equal pages compress to nothing. */

import { costOfParsing } from "@lectern/content"
import { decodeText, isText } from "@lectern/formats"
import type { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"
import { urlError } from "./ImportContext.ts"

/** The cost of an archive of any size, in estimated microseconds. A page is parsed twice: for its links, and for its outline. */
const minimumAllowance = 300_000

/** The cost per byte of an archive. Compressed pages of typical repositories cost 2, and 99 of 100 pages at most 7. */
const allowancePerByte = 10

/**
 * Returns a function that counts the bytes of a page before they are parsed. It fails with `InvalidInput` if the pages of an
 * archive of this size are too expensive.
 */
export const makeArchiveAllowance = (
  transferSize: number
): ((page: Uint8Array) => Effect.Effect<void, InvalidInput>) => {
  let remaining = minimumAllowance + allowancePerByte * transferSize
  return (page) =>
    Effect.suspend(() => {
      remaining -= isText(page) ? costOfParsing(decodeText(page)) : 0
      return remaining >= 0
        ? Effect.void
        : Effect.fail(
            urlError(
              "points to an archive of too many long lists, tables and other expensive Markdown for its size; import its pages separately"
            )
          )
    })
}
