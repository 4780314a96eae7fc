/**
 * Mentions in the text of a comment. In a field they are `@Name`; in Markdown they are `@` and the email address of the account,
 * which the server records.
 */
import type { User } from "@lectern/client/fetch"
import type { BlockNode } from "../../document/nodes.ts"

/** A person who can be mentioned. */
export type MentionedUser = Pick<User, "id" | "displayName" | "email">

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Returns the Markdown of the text of a field. A name that is a part of a longer one mentions the person with the longer name. */
export const markdownOfMentions = (text: string, users: ReadonlyArray<MentionedUser>): string => {
  const emails = new Map(
    users.flatMap(({ displayName, email }) => (email === undefined ? [] : [[displayName, email] as const]))
  )
  const names = [...emails.keys()].toSorted((one, other) => other.length - one.length)
  if (names.length === 0) return text
  return text.replace(
    new RegExp(`@(${names.map(escapePattern).join("|")})(?![\\p{L}\\p{N}])`, "gu"),
    (_, name: string) => `@${emails.get(name)!}`
  )
}

/** Returns the text of a Markdown in a field: the names of the people instead of their addresses. */
export const textOfMentions = (markdown: string, users: ReadonlyArray<MentionedUser>): string => {
  const names = new Map(
    users.flatMap(({ displayName, email }) => (email === undefined ? [] : [[email, displayName] as const]))
  )
  return markdown.replace(/@([^\s@<>()[\]]+@[\w.-]*\w)/g, (mention, email: string) => {
    const name = names.get(email.toLowerCase())
    return name === undefined ? mention : `@${name}`
  })
}

/** Returns the name that is being typed at a position, after `@`; `undefined` if none is. */
export const typedName = (text: string, position: number): string | undefined =>
  /(?:^|[\s(])@([\p{L}\p{N}.'-]*(?: [\p{L}\p{N}.'-]+)?)$/u.exec(text.slice(0, position))?.[1]

const emailOf = (node: BlockNode): string | undefined => {
  const ref = node.data?.ref as { readonly url?: unknown } | undefined
  return node.type === "link" && typeof ref?.url === "string" && ref.url.startsWith("mailto:")
    ? ref.url.slice("mailto:".length).toLowerCase()
    : undefined
}

const endsWithAt = (node: BlockNode | undefined): boolean => node?.leaves?.at(-1)?.text.endsWith("@") === true

const withoutAt = (node: BlockNode): BlockNode => ({
  ...node,
  leaves: node.leaves!.map((leaf, index, leaves) =>
    index === leaves.length - 1 ? { ...leaf, text: leaf.text.slice(0, -1) } : leaf
  )
})

/** Returns the blocks of a comment with mentions by name: in the document, they are `@` before a link to an address. */
export const displayMentions = (
  nodes: ReadonlyArray<BlockNode>,
  users: ReadonlyArray<MentionedUser>
): ReadonlyArray<BlockNode> => {
  const byEmail = new Map(users.map((user) => [user.email?.toLowerCase(), user]))
  return nodes.map((node, index) => {
    const next = nodes[index + 1]
    const user = endsWithAt(nodes[index - 1]) ? byEmail.get(emailOf(node) ?? " ") : undefined
    if (user !== undefined) {
      const data = { ref: { kind: "user", user: user.id }, text: user.displayName }
      return { object: "inline", type: "mention", data }
    }
    const isBefore = endsWithAt(node) && next !== undefined && byEmail.has(emailOf(next) ?? " ")
    if (isBefore) return withoutAt(node)
    return node.nodes === undefined ? node : { ...node, nodes: displayMentions(node.nodes, users) }
  })
}
