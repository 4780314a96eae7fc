/** Names of top-level declarations that state nothing where they are read: in a stack trace, an import or a search. */

/** A rule against a name. */
export interface NameRule {
  readonly id: string
  /** Regular expression of the whole name, or of one of its words in camel case. */
  readonly pattern: RegExp
  readonly instead: string
}

/** Names without a noun or an object of their own. */
const bareNames = [
  "make of read names known mine its ours once shown keep kept asked said say says told tell",
  "patience patient standing stands away there others other thing things nobody beside behind elsewhere everything made",
  "story law laws moments touch touched meet meeting looked wanted whole deepest longest gone lost taken took brought came"
]
  .join(" ")
  .split(" ")

/** Words that the field has another term for, as part of a name in camel case. */
const dialectWords =
  "patient patience kept anew whoever asked said told bury buried beside behind moment moments " +
  "picture pictures lookUp lookUps story stories deed deeds lies inTheWay hurt hurting gone nobody somebody administrates administrating"

const capitalized = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`

const alternatives = (words: ReadonlyArray<string>): string => words.join("|")

/** Names that the specification or a protocol has given. */
export const allowedNames: ReadonlyArray<{ readonly name: string; readonly why: string }> = [
  { name: "Gone", why: "The HTTP status 410." }
]

/** All rules about names. */
export const nameRules: ReadonlyArray<NameRule> = [
  {
    id: "bare-name",
    pattern: new RegExp(`^(?:${alternatives(bareNames)})$`),
    instead:
      "a noun for a value, verb + object for a function: `makeRecords`, `maximumDepth`, `requestTimeoutMs`"
  },
  {
    id: "dialect-name",
    pattern: new RegExp(
      `(?:^(?:${alternatives(dialectWords.split(" "))})|(?:${alternatives(dialectWords.split(" ").map(capitalized))}))(?![a-z])`
    ),
    instead:
      "the term of the field: response, timeout, stored, cached, requested, heartbeat, instant, image, query, scenario"
  }
]
