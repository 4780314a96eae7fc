/** Finds decisions that are cited by number, where the record in `docs/decisions` must be linked. */
import type { Finding } from "./Finding.ts"
import { excerpt } from "./findPhrases.ts"
import type { Passage } from "./Passage.ts"

const citation = /\bdecisions? D?\d+[a-z]?\b|(?<![\w$-])D(?:5a|1[0-4]|[1-9])(?![\w$-])/gi

/** The citations of a passage that have no path of a record. `source` is the passage as the file has it. */
export const findCitations = (
  passage: Passage,
  source: string,
  lineOf: (offset: number) => number
): ReadonlyArray<Finding> =>
  source.includes("docs/decisions/") || passage.file.startsWith("docs/decisions/")
    ? []
    : Array.from(passage.prose.matchAll(citation), ({ index, 0: text }) => ({
        file: passage.file,
        line: lineOf(passage.start + index),
        rule: "citation",
        measure: "citations" as const,
        found: excerpt(source, index, text.length),
        instead: "the path of the record in docs/decisions (see its README.md), or the reason itself"
      }))
