/** Decodes the description of a change request into its stored form. */

import { fromMarkdown, updateMarkdown } from "@lectern/markdown/document"
import type { ChangeRequestDescription } from "@lectern/model/change-requests"
import { JsonDocument } from "@lectern/model/document"
import { InvalidInput } from "@lectern/model/errors"
import { Effect, Result, Schema } from "effect"

/** The maximum length of a description, in characters of Markdown. */
const maximumLength = 10_000

const decodeDocument = Schema.decodeUnknownResult(JsonDocument)

/**
 * Decodes a description into the document that is stored, null for an empty one. Fails with `InvalidInput` if it is not
 * a document, or converts to more than 10,000 characters of Markdown.
 */
export const decodeDescription = (
  description: ChangeRequestDescription
): Effect.Effect<ChangeRequestDescription | null, InvalidInput> => {
  const document = decodeDocument(description)
  if (Result.isFailure(document)) {
    return Effect.fail(InvalidInput.at("description", "must be a document with valid blocks"))
  }
  const markdown = updateMarkdown("", document.success)
  if (Array.from(markdown).length > maximumLength) {
    return Effect.fail(
      InvalidInput.at("description", `must convert to at most ${maximumLength} characters of Markdown`)
    )
  }
  return Effect.succeed(markdown.trim() === "" ? null : fromMarkdown(markdown))
}
