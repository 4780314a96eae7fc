/** Parses a document of an OpenAPI spec in a thread of the pool. */
import { type ParsedDocument, parseDocument } from "@lectern/core/conversion"
import { TaskFailure } from "../pool/serveTasks.ts"

/** A document to parse. `isFirst` is true for the first version of its spec. */
export interface SpecRequest {
  readonly text: string
  readonly isFirst: boolean
}

/** Parses a document. Throws `TaskFailure` with a message that describes the error in the document. */
export const specTask = ({ text, isFirst }: SpecRequest): ParsedDocument => {
  try {
    return parseDocument(text, isFirst)
  } catch (error) {
    throw new TaskFailure(error instanceof Error ? error.message : "The document cannot be parsed.")
  }
}
