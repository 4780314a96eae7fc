/** Decodes the body of a comment or a reply into its stored form: markdown, with the members that it mentions. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type CommentRow, type MemberRow, members, type UserRow, users } from "@lectern/kernel/tables"
import { updateMarkdown } from "@lectern/markdown/document"
import type { CommentBody } from "@lectern/model/comments"
import { mentionedIn } from "@lectern/model/comments"
import { InvalidInput } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"

/** The maximum length of a body, in characters of markdown. */
const maximumLength = 10_000

/** Finds the members of an organization whose e-mail addresses occur as mentions in the markdown. */
const findMentions = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  markdown: string
): Effect.fn.Return<ReadonlyArray<UserId>, StorageUnavailable> {
  const emails = mentionedIn(markdown)
  if (emails.length === 0) return []
  const found = yield* records.find(users, {
    select: ["id"],
    where: Where.and<UserRow>(
      Where.isIn("email", emails),
      records.inSelect(
        "id",
        members,
        "user",
        Where.eq<MemberRow, "organization">("organization", organization)
      )
    )
  })
  return found.map(({ id }) => id)
})

/**
 * Decodes a body into its stored form. A document is written over `before`, the Markdown of an existing comment. Fails
 * with `InvalidInput` at `path` if it is blank, or converts to more than 10,000 characters of markdown.
 */
export const decodeBody = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  { markdown, document }: CommentBody,
  before = "",
  path = "body"
): Effect.fn.Return<Pick<CommentRow, "body" | "mentions">, InvalidInput | StorageUnavailable> {
  const body = document === undefined ? markdown! : updateMarkdown(before, document)
  if (body.trim() === "") {
    return yield* InvalidInput.at(
      document === undefined ? `${path}.markdown` : `${path}.document`,
      "must not be blank"
    )
  }
  if (Array.from(body).length > maximumLength) {
    return yield* InvalidInput.at(
      `${path}.document`,
      `must convert to at most ${maximumLength} characters of markdown`
    )
  }
  return { body, mentions: yield* findMentions(records, organization, body) }
})
