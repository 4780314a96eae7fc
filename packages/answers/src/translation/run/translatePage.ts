/** Translates the strings of one page. */
import { createHash } from "node:crypto"
import type { JsonDocument, TranslatedText, UntranslatedText } from "@lectern/core"
import { Effect } from "effect"
import type { AnyNode } from "../texts/AnyNode.ts"
import { mapTexts, textsOf } from "../texts/documentTexts.ts"
import {
  decodeInlines,
  decodePlain,
  type EncodedText,
  encodeInlines,
  encodePlain,
  haveSamePlaceholders,
  isTranslatable
} from "../texts/encodeText.ts"
import type { FindTerms } from "../texts/glossary.ts"
import { Rejected } from "../texts/placeholders.ts"
import { hasSameStructure } from "../texts/structure.ts"
import type { AskForTexts, Languages, TextToTranslate } from "./askForTexts.ts"

/** The translatable parts of a page. */
export interface PageTexts {
  readonly title: string
  readonly description: string | undefined
  readonly document: JsonDocument | undefined
}

/** How pages are translated. */
export interface PageContext {
  readonly languages: Languages
  readonly findTerms: FindTerms
  readonly ask: AskForTexts
}

/** A translated page. */
export interface TranslatedPage extends PageTexts {
  /** The strings with their translations, in the order of the page. */
  readonly texts: ReadonlyArray<TranslatedText>
  readonly translated: number
  readonly reused: number
  /** The words of the strings that the model has translated. */
  readonly words: number
  readonly untranslated: ReadonlyArray<UntranslatedText>
}

/** The maximum length of a title, and of a description, in characters. */
const maximumLengths = { title: 256, description: 2_000 } as const

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 32)

/** A string of a page in encoded form. */
interface Unit {
  readonly encoded: EncodedText
  readonly hash: string
  readonly check: (translation: string) => void
}

/** Encodes a string. Its hash depends on everything that its translation depends on. */
const makeUnitOf = ({ languages: { from, to, instructions }, findTerms }: PageContext) => {
  const unit = (encoded: EncodedText, check: (translation: string) => void): Unit => {
    const slots = [...encoded.slots.values()].map((slot) => (slot.kind === "term" ? slot.translation : ""))
    return { encoded, check, hash: hashOf(JSON.stringify([from, to, instructions, encoded.text, slots])) }
  }
  return {
    inlines: (nodes: ReadonlyArray<AnyNode>): Unit => {
      const encoded = encodeInlines(nodes, findTerms)
      return unit(encoded, (translation) => void decodeInlines(encoded, translation))
    },
    plain: (text: string, maximumLength = 2_000): Unit => {
      const encoded = encodePlain(text, findTerms)
      return unit(encoded, (translation) => {
        if (decodePlain(encoded, translation).length > maximumLength)
          throw new Rejected(`It must be at most ${maximumLength} characters.`)
      })
    }
  }
}

const unitsOf = (context: PageContext, { title, description, document }: PageTexts): ReadonlyArray<Unit> => {
  const unitOf = makeUnitOf(context)
  const blocks = [
    ...((document?.nodes ?? []) as ReadonlyArray<AnyNode>),
    ...(document?.data.footnotes ?? []).flatMap(({ nodes }) => nodes as ReadonlyArray<AnyNode>)
  ]
  return [
    unitOf.plain(title, maximumLengths.title),
    unitOf.plain(description ?? "", maximumLengths.description),
    ...textsOf(blocks).map((text) =>
      text.kind === "plain" ? unitOf.plain(text.text) : unitOf.inlines(text.nodes)
    )
  ]
}

/** Returns the hash of everything on a page that is translated, or that the translation keeps. */
export const hashOfPage = (context: PageContext, page: PageTexts): string =>
  hashOf(
    JSON.stringify([
      unitsOf(context, page).map(({ hash }) => hash),
      page.document?.nodes,
      page.document?.data
    ])
  )

/**
 * Returns the strings of a page of the variant that people have changed since it was written, by the hash of their source. Strings correspond by
 * their positions, so that a page with another number of strings has no such entries.
 */
export const changedTexts = (
  context: PageContext,
  written: ReadonlyArray<TranslatedText>,
  page: PageTexts
): ReadonlyMap<string, EncodedText> => {
  const units = unitsOf(context, page)
  if (units.length !== written.length) return new Map()
  return new Map(
    units.flatMap(({ encoded, hash }, index): ReadonlyArray<readonly [string, EncodedText]> => {
      const { hash: source, text } = written[index]!
      // A string of the source itself is not a translation.
      return hash === source || encoded.text === text || encoded.text === "" ? [] : [[source, encoded]]
    })
  )
}

/** The translations that exist before the model is asked, by the hashes of their sources. */
export interface KnownTexts {
  /** Translations of earlier runs. */
  readonly translations: ReadonlyMap<string, string>
  /** Strings that people have changed. They are preferred. */
  readonly changed: ReadonlyMap<string, EncodedText>
}

const isAccepted = ({ check }: Unit, translation: string): boolean => {
  try {
    check(translation)
    return true
  } catch {
    return false
  }
}

/** Returns the existing translation of a string, if it has the same placeholders. */
const knownTranslation = (unit: Unit, { translations, changed }: KnownTexts): string | undefined => {
  const ofPeople = changed.get(unit.hash)
  if (
    ofPeople !== undefined &&
    haveSamePlaceholders(ofPeople, unit.encoded) &&
    isAccepted(unit, ofPeople.text)
  )
    return ofPeople.text
  const translation = translations.get(unit.hash)
  return translation !== undefined && translation !== "" && isAccepted(unit, translation)
    ? translation
    : undefined
}

const beginOf = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)

/** Replaces the strings of a page by their translations. Blocks whose structure would differ stay unchanged. */
const replaceTexts = (
  context: PageContext,
  page: PageTexts,
  translationOf: (unit: Unit) => string | undefined
): PageTexts & { readonly changedBlocks: ReadonlyArray<string> } => {
  const unitOf = makeUnitOf(context)
  const plain = (text: string, maximumLength?: number): string => {
    const unit = unitOf.plain(text, maximumLength)
    const translation = translationOf(unit)
    return translation === undefined ? text : decodePlain(unit.encoded, translation)
  }
  const replace = {
    plain: (text: string) => plain(text),
    inlines: (nodes: ReadonlyArray<AnyNode>) => {
      const unit = unitOf.inlines(nodes)
      const translation = translationOf(unit)
      return translation === undefined ? nodes : decodeInlines(unit.encoded, translation)
    }
  }
  const { title, description, document } = page
  const changedBlocks: Array<string> = []
  const translated = document === undefined ? undefined : mapTexts(document, replace)
  const nodes = translated?.nodes.map((block, index) => {
    const source = document!.nodes[index]!
    if (hasSameStructure(source as AnyNode, block as AnyNode, document!.data)) return block
    const [text] = textsOf([source as AnyNode])
    changedBlocks.push(
      text === undefined ? "" : text.kind === "plain" ? text.text : unitOf.inlines(text.nodes).encoded.text
    )
    return source
  })
  return {
    title: plain(title, maximumLengths.title),
    description: description === undefined ? undefined : plain(description, maximumLengths.description),
    document: translated === undefined ? undefined : { ...translated, nodes: nodes! },
    changedBlocks
  }
}

/** Translates a page. Known strings are used without asking the model. */
export const translatePage = Effect.fnUntraced(function* (
  context: PageContext,
  page: PageTexts,
  known: KnownTexts
) {
  const units = unitsOf(context, page)
  const needed = units.filter(({ encoded }) => isTranslatable(encoded))
  const found = new Map<string, string>()
  const missing = new Map<string, Unit>()
  for (const unit of needed) {
    const translation = knownTranslation(unit, known)
    if (translation === undefined) missing.set(unit.hash, unit)
    else found.set(unit.hash, translation)
  }
  const asked: ReadonlyArray<TextToTranslate> = [...missing.values()].map(({ hash, encoded, check }) => ({
    hash,
    text: encoded.text,
    check
  }))
  const { translations, rejected } = yield* context.ask(context.languages, asked)
  const translationOf = ({ hash }: Unit): string | undefined => translations.get(hash) ?? found.get(hash)
  const { changedBlocks, ...replaced } = replaceTexts(context, page, translationOf)
  const untranslated: ReadonlyArray<UntranslatedText> = [
    ...[...rejected].map(([hash, reason]) => ({ text: beginOf(missing.get(hash)!.encoded.text), reason })),
    ...changedBlocks.map((text) => ({
      text: beginOf(text),
      reason: "Its block would have another structure as Markdown."
    }))
  ]
  return {
    ...replaced,
    texts: units.map((unit) => ({ hash: unit.hash, text: translationOf(unit) ?? "" })),
    translated: translations.size,
    reused: found.size,
    words: asked
      .filter(({ hash }) => translations.has(hash))
      .reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
    untranslated
  } satisfies TranslatedPage
})
