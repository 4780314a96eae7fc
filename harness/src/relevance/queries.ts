/**
 * Derives queries with known right pages from a corpus. The selection is deterministic: it depends on hashes of the
 * text, not on the order of the pages, so that the halves for tuning and for validation never mix.
 */
import { createHash } from "node:crypto"
import type { Corpus, CorpusPage } from "./corpora.ts"
import { heldOutQuestions } from "./heldOutQuestions.ts"
import { questions } from "./questions.ts"

/** The kinds of queries: each is a part of the page that a user remembers. */
export type QueryKind = "title" | "prefix" | "typo" | "stem" | "phrase" | "identifier" | "part" | "question"

/** A query with the ids of the pages that are right results. */
export interface RelevanceQuery {
  readonly kind: QueryKind
  readonly query: string
  readonly expected: ReadonlySet<string>
  readonly isHeldOut: boolean
}

/** The number of derived queries per kind and corpus. */
const queriesPerKind = 20

/** Returns a number from 0 to 2^32-1 that is derived from text. */
const hashOf = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE()

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

type Draft = Pick<RelevanceQuery, "query" | "expected">

/** Selects the drafts of a kind by their hashes. */
const select = (kind: QueryKind, drafts: ReadonlyArray<Draft>): ReadonlyArray<RelevanceQuery> =>
  [...new Map(drafts.map((draft) => [draft.query, draft])).values()]
    .sort((a, b) => hashOf(`${kind} ${a.query}`) - hashOf(`${kind} ${b.query}`))
    .slice(0, kind === "question" ? drafts.length : queriesPerKind)
    .map((draft, index) => ({ ...draft, kind, isHeldOut: index % 2 === 1 }))

/** The pages whose titles no other page has. */
const distinctTitles = (corpus: Corpus): ReadonlyArray<CorpusPage> => {
  const byTitle = Map.groupBy(corpus.pages, ({ title }) => normalize(title))
  return [...byTitle.values()].flatMap((pages) => (pages.length === 1 ? pages : []))
}

/** Returns the text with one edit at a position that depends on its hash: a deletion, a swap or a replacement. */
const withEdit = (word: string, salt: string): string => {
  const hash = hashOf(salt + word)
  const at = 1 + (hash % (word.length - 2))
  switch ((hash >>> 8) % 3) {
    case 0:
      return word.slice(0, at) + word.slice(at + 1)
    case 1:
      return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2)
    default:
      return word.slice(0, at) + (word[at] === "e" ? "a" : "e") + word.slice(at + 1)
  }
}

/** Misspells the longest word of a title, if it has at least 5 letters. Words from 9 letters get up to two edits. */
const misspell = (title: string): string | undefined => {
  const words = normalize(title).split(" ")
  const longest = words.toSorted((a, b) => b.length - a.length)[0]!
  if (!/^[a-z]{5,}$/.test(longest)) return undefined
  const once = withEdit(longest, "first")
  const misspelled = longest.length >= 10 && hashOf(title) % 2 === 0 ? withEdit(once, "second") : once
  return misspelled === longest
    ? undefined
    : words.map((word) => (word === longest ? misspelled : word)).join(" ")
}

/** Replaces words by other inflections of them. */
const inflect = (title: string): string | undefined => {
  const text = normalize(title)
  const inflected = text.replace(/\b([a-z]{4,})(ing|s)\b/g, (whole, stem: string, ending: string) =>
    /(?:s|u|i)$/.test(stem) || /([a-z])\1$/.test(stem) ? whole : ending === "s" ? stem : `${stem}s`
  )
  return inflected === text ? undefined : inflected
}

/** Returns the identifiers in inline code: with dots, dashes, underscores or inner capitals. */
const identifiersIn = ({ markdown }: CorpusPage): ReadonlyArray<string> =>
  [...markdown.matchAll(/`([-$@A-Za-z_][\w.$@/-]{4,38}\w)(?:\(\))?`/g)]
    .map(([, name]) => name!)
    .filter((name) => /[a-z][A-Z]|\w[._]\w|^--\w/.test(name))

/** Returns the word parts of an identifier after its last dot. */
const lastPartOf = (identifier: string): string | undefined => /\.([a-z]+[A-Z]\w+)$/.exec(identifier)?.[1]

const headingsIn = ({ markdown }: CorpusPage): ReadonlyArray<string> =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{2,4} (.*)$/gm)]
    .map(([, text]) => text!.replace(/[`*]|\{.*\}|\]\(.*?\)|\[/g, "").trim())
    .filter((text) => normalize(text).split(" ").length >= 3 && text.length <= 60)

/** Returns the queries of a corpus. */
export const queriesOf = (corpus: Corpus): ReadonlyArray<RelevanceQuery> => {
  const titled = distinctTitles(corpus)
  const fromTitles = (transform: (title: string) => string | undefined): ReadonlyArray<Draft> =>
    titled.flatMap(({ id, title }) => {
      const query = transform(title)
      return query === undefined ? [] : [{ query, expected: new Set([id]) }]
    })
  const texts = corpus.pages.map((page) => ({
    id: page.id,
    text: `${page.title}\n${page.description}\n${page.markdown}`.toLowerCase()
  }))
  /** Returns the pages that contain `text`, in any case. */
  const pagesWith = (text: string) =>
    new Set(texts.filter((page) => page.text.includes(text.toLowerCase())).map(({ id }) => id))
  const withOnePage = (names: ReadonlyArray<string>): ReadonlyArray<Draft> =>
    names
      .map((query) => ({ query, expected: pagesWith(query) }))
      .filter(({ expected }) => expected.size === 1)
  const identifiers = [...new Set(corpus.pages.flatMap(identifiersIn))]
  const parts = identifiers.flatMap((name) => lastPartOf(name) ?? [])
  const idsByTitle = Map.groupBy(corpus.pages, ({ title }) => title)
  const toDraft = ([query, titles]: readonly [string, ReadonlyArray<string>]): Draft => ({
    query,
    expected: new Set(
      titles.flatMap((title) => {
        const pages = idsByTitle.get(title)
        if (pages === undefined) throw new Error(`No page of ${corpus.name} has the title ${title}.`)
        return pages.map(({ id }) => id)
      })
    )
  })
  return [
    ...select(
      "title",
      fromTitles((title) => title.toLowerCase())
    ),
    ...select(
      "prefix",
      fromTitles((title) => {
        const text = normalize(title)
        const last = text.split(" ").at(-1)!
        return last.length < 5 ? undefined : text.slice(0, text.length - Math.floor(last.length / 3))
      })
    ),
    ...select("typo", fromTitles(misspell)),
    ...select("stem", fromTitles(inflect)),
    ...select("phrase", withOnePage(corpus.pages.flatMap(headingsIn))),
    ...select("identifier", withOnePage(identifiers)),
    ...select("part", withOnePage(parts)),
    ...select("question", (questions[corpus.name] ?? []).map(toDraft)),
    ...(heldOutQuestions[corpus.name] ?? []).map(
      (question): RelevanceQuery => ({
        ...toDraft(question),
        kind: "question",
        isHeldOut: true
      })
    )
  ]
}
