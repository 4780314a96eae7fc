/** What a comment or a reply says, as it is kept: markdown, with the members that it mentions. */
import { Effect } from "effect"
import { InvalidInput } from "../../kernel/errors.ts"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { CommentBody, CommentRow } from "../../model/comments/Comment.ts"
import { mentionedIn } from "../../model/comments/CommentRules.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import { type UserId, type UserRow, users } from "../../model/users/User.ts"
import { toMarkdown } from "../content/document/toMarkdown.ts"

/** The most characters of a comment. */
const maximumLength = 10_000

/** The members of an organization that a text mentions by their e-mail addresses. */
const mentionsOf = Effect.fnUntraced(function* (
  records: Records["Service"],
  organization: OrganizationId,
  markdown: string
): Effect.fn.Return<ReadonlyArray<UserId>, StorageUnavailable> {
  const emails = mentionedIn(markdown)
  if (emails.length === 0) return []
  const found = yield* records.find(users, {
    select: ["id"],
    where: Where.and<UserRow>(
      Where.isIn("email", emails),
      Where.inSelect("id", members, "user", Where.eq<MemberRow, "organization">("organization", organization))
    )
  })
  return found.map(({ id }) => id)
})

/** A body as it is kept. Fails with `InvalidInput` where a document comes to no text, or to too much. */
export const readSaid = Effect.fnUntraced(function* (
  records: Records["Service"],
  organization: OrganizationId,
  { markdown, document }: CommentBody
): Effect.fn.Return<Pick<CommentRow, "body" | "mentions">, InvalidInput | StorageUnavailable> {
  const body = document === undefined ? markdown! : toMarkdown(document)
  if (body.trim() === "") {
    return yield* InvalidInput.at(
      document === undefined ? "body.markdown" : "body.document",
      "must say something"
    )
  }
  if (Array.from(body).length > maximumLength) {
    return yield* InvalidInput.at(
      "body.document",
      `must come to at most ${maximumLength} characters of markdown`
    )
  }
  return { body, mentions: yield* mentionsOf(records, organization, body) }
})
