/** The options of the lists that open while text is typed. */
import type { Transaction } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { type BlockKind, blockKinds } from "../commands/blockKinds.ts"
import { applyKind, isInCell } from "../commands/blocks.ts"
import type { EditorContext } from "../context.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { iconOfTarget } from "../ui/LinkPicker.ts"
import type { Option } from "../ui/Listbox.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import type { Trigger } from "./suggestions.ts"

type Apply = (change: (transaction: Transaction) => void) => void

const normalize = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()

/** The rank of an option for a query: lower is better; `undefined` if it does not match. */
const rankOf = (query: string, title: string, keywords: string): number | undefined => {
  if (query === "") return 0
  const wanted = normalize(query)
  const words = normalize(title).split(/\s+/)
  if (words[0]?.startsWith(wanted)) return 0
  if (words.some((word) => word.startsWith(wanted)) || normalize(title).startsWith(wanted)) return 1
  return keywords.split(" ").some((word) => word.startsWith(wanted)) ? 2 : undefined
}

/** Inserts a block of a kind, and opens its settings if it needs them. */
export const insertKind = (context: EditorContext, kind: BlockKind, transaction: Transaction): void => {
  const position = applyKind(transaction, kind)
  if (position === undefined || kind.opensSettings !== true) return
  setTimeout(() => {
    if (context.signal.aborted) return
    const node = context.view().state.doc.nodeAt(position)
    // Images are in a block that has the settings of all of them.
    openSettings(context, node?.type === schema.nodes.images ? position + 1 : position)
  })
}

const blockOptions = (
  context: EditorContext,
  view: EditorView,
  query: string,
  apply: Apply
): ReadonlyArray<Option> => {
  const { messages } = context
  const isCell = isInCell(view.state.selection.$from)
  const ranked = blockKinds.flatMap((kind, order) => {
    const title = messages.blocks[kind.id] ?? kind.id
    const rank =
      isCell && kind.isInCells !== true
        ? undefined
        : rankOf(query, title, `${kind.id.toLowerCase()} ${kind.keywords}`)
    return rank === undefined ? [] : [{ kind, title, rank, order }]
  })
  const sorted =
    query === "" ? ranked : ranked.sort((one, other) => one.rank - other.rank || one.order - other.order)
  return sorted.map(({ kind, title }) => ({
    title,
    icon: kind.icon,
    shortcut: kind.shortcut,
    group: query === "" ? messages.groups[kind.group] : undefined,
    run: () => apply((transaction) => insertKind(context, kind, transaction))
  }))
}

const insertMention = (ref: JsonObject) => (transaction: Transaction) => {
  transaction.replaceSelectionWith(schema.nodes.mention!.create({ data: { ref } }), true)
}

const insertLink = (ref: JsonObject, title: string) => (transaction: Transaction) => {
  const link = schema.marks.link!.create({ data: { ref } })
  const { $from } = transaction.selection
  transaction.replaceSelectionWith(schema.text(title, link.addToSet($from.marks())), false)
  transaction.removeStoredMark(schema.marks.link!)
}

const mentionOptions = async (
  context: EditorContext,
  query: string,
  signal: AbortSignal,
  apply: Apply
): Promise<ReadonlyArray<Option>> => {
  const { backend, messages } = context
  const [people, pages] = await Promise.all([
    backend?.searchPeople?.(query, signal) ?? [],
    backend?.searchPages?.(query, signal) ?? []
  ])
  return [
    ...people.map(({ id, name, detail }) => ({
      title: name,
      detail,
      icon: "user",
      group: messages.people,
      run: () => apply(insertMention({ kind: "user", user: id }))
    })),
    ...pages.map(({ ref, title, detail, emoji }) => ({
      title,
      detail,
      ...(emoji === undefined ? { icon: iconOfTarget(ref) } : { symbol: emoji }),
      group: messages.pages,
      run: () => apply(insertMention(ref as unknown as JsonObject))
    }))
  ]
}

const pageOptions = async (
  context: EditorContext,
  query: string,
  signal: AbortSignal,
  apply: Apply
): Promise<ReadonlyArray<Option>> => {
  const pages = (await context.backend?.searchPages?.(query, signal)) ?? []
  return pages.map(({ ref, title, detail, emoji }) => ({
    title,
    detail,
    ...(emoji === undefined ? { icon: iconOfTarget(ref) } : { symbol: emoji }),
    run: () => apply(insertLink(ref as unknown as JsonObject, title))
  }))
}

const maximumEmojis = 12

const emojiOptions = async (query: string, apply: Apply): Promise<ReadonlyArray<Option>> => {
  const { emojiList } = await import("../emojiList.ts")
  const wanted = query.toLowerCase()
  return emojiList
    .filter(({ names }) => names.some((name) => name.includes(wanted)))
    .sort(
      (one, other) => Number(!one.names[0]!.startsWith(wanted)) - Number(!other.names[0]!.startsWith(wanted))
    )
    .slice(0, maximumEmojis)
    .map(({ emoji, names, code }) => ({
      title: `:${names[0]}:`,
      symbol: emoji,
      run: () =>
        apply((transaction) => {
          transaction.replaceSelectionWith(schema.nodes.emoji!.create({ data: { code } }), true)
        })
    }))
}

/** Returns the options for the text that opened a list. */
export const optionsOf = async (
  context: EditorContext,
  view: EditorView,
  { kind, query }: Trigger,
  signal: AbortSignal,
  apply: Apply
): Promise<ReadonlyArray<Option>> => {
  switch (kind) {
    case "block":
      return blockOptions(context, view, query, apply)
    case "mention":
      return mentionOptions(context, query, signal, apply)
    case "page":
      return pageOptions(context, query, signal, apply)
    case "emoji":
      return emojiOptions(query, apply)
  }
}
