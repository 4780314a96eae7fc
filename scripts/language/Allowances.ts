/** The places where a phrasing is right, and whether each of them still exists. */
import { type AllowedPhrase, allowedPhrases } from "./rules/allowedPhrases.ts"

const toExpression = (words: string): RegExp =>
  new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+"), "gi")

/** Allowed phrases, with a record of the ones that were needed. */
export class Allowances {
  readonly #phrases: ReadonlyArray<AllowedPhrase & { readonly expression: RegExp }>
  readonly #needed = new Set<string>()

  constructor(phrases: ReadonlyArray<AllowedPhrase> = allowedPhrases) {
    this.#phrases = phrases.map((phrase) => ({ ...phrase, expression: toExpression(phrase.text) }))
  }

  /** Whether a match of a rule is inside an allowed phrase. */
  allows(rule: string, prose: string, index: number, length: number): boolean {
    const allowed = this.#phrases.find(
      (phrase) =>
        phrase.rule === rule &&
        Array.from(prose.matchAll(phrase.expression)).some(
          (match) => match.index <= index && match.index + match[0].length >= index + length
        )
    )
    if (allowed !== undefined) this.#needed.add(allowed.text)
    return allowed !== undefined
  }

  /** The phrases that have allowed nothing. */
  unneeded(): ReadonlyArray<AllowedPhrase> {
    return this.#phrases.filter(({ text }) => !this.#needed.has(text))
  }
}
