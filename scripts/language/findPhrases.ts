/** Finds the phrasings of the vocabulary in passages. */
import type { Allowances } from "./Allowances.ts"
import type { Finding } from "./Finding.ts"
import type { Passage, PassageKind } from "./Passage.ts"
import type { PhraseRule } from "./rules/PhraseRule.ts"
import { phraseRules } from "./vocabulary.ts"

/** A phrasing at an index of a passage. */
export interface PhraseMatch {
  readonly rule: PhraseRule
  readonly index: number
  readonly length: number
}

interface CompiledRule {
  readonly rule: PhraseRule
  readonly expression: RegExp
}

const compile = (rule: PhraseRule): CompiledRule => {
  const words = rule.pattern.replaceAll(" ", "\\s+")
  const start = rule.isOpening === true ? "^[\\s\"'`]*" : "(?<![\\w$_-])"
  const source = `${start}(?:${words})(?![\\w$_])`
  return { rule, expression: new RegExp(source, rule.isCaseSensitive === true ? "g" : "gi") }
}

const compiled = phraseRules.map(compile)

/** Matches of a rule that another one covers: the longer one counts. */
const withoutCovered = (matches: ReadonlyArray<PhraseMatch>): ReadonlyArray<PhraseMatch> =>
  matches.filter(
    (one) =>
      !matches.some(
        (other) =>
          other !== one &&
          other.index <= one.index &&
          other.index + other.length >= one.index + one.length &&
          (other.length > one.length || matches.indexOf(other) < matches.indexOf(one))
      )
  )

/** The phrasings in a passage, by their position. */
export const matchPhrases = (prose: string, kind: PassageKind): ReadonlyArray<PhraseMatch> => {
  const matches: Array<PhraseMatch> = []
  for (const { rule, expression } of compiled) {
    if (rule.kinds !== undefined && !rule.kinds.includes(kind)) continue
    for (const { index, 0: text } of prose.matchAll(expression)) {
      matches.push({ rule, index, length: text.length })
    }
  }
  return withoutCovered(matches).toSorted((one, other) => one.index - other.index)
}

const contextBefore = 32
const contextAfter = 32

/** The match in its context, on one line, between double angle quotes. */
export const excerpt = (prose: string, index: number, length: number): string => {
  const from = Math.max(0, index - contextBefore)
  const to = index + length + contextAfter
  const before = prose.slice(from, index).replace(from === 0 ? "" : /^\S*\s/, "")
  const after = prose.slice(index + length, to).replace(to >= prose.length ? "" : /\s\S*$/, "")
  return `${before}«${prose.slice(index, index + length).trim()}»${after}`
    .replaceAll(/\n\s*(\*|\/\/)(?=\s)|\/\*\*?(?=\s)|(?<=«)\/\/ /g, " ")
    .replace("« ", "«")
    .replaceAll(/\s+/g, " ")
    .trim()
}

/** The findings of a passage. `source` is the passage as the file has it. */
export const findPhrases = (
  passage: Passage,
  source: string,
  lineOf: (offset: number) => number,
  allowances: Allowances
): ReadonlyArray<Finding> =>
  matchPhrases(passage.prose, passage.kind)
    .filter(({ rule, index, length }) => !allowances.allows(rule.id, passage.prose, index, length))
    .map(({ rule, index, length }) => {
      const leading = /^\s*/.exec(passage.prose.slice(index))![0].length
      return {
        file: passage.file,
        line: lineOf(passage.start + index + leading),
        rule: rule.id,
        measure: passage.isPublic ? "public" : "internal",
        found: excerpt(source, index, length),
        instead: rule.instead
      }
    })
