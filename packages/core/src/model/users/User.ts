/** A person who has an account. */
import { Schema, SchemaTransformation } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { documented, trimmed } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"

export const UserId = idSchema("The id of a user.").pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** An e-mail address: something, an @ and a domain, at most 254 characters. It is kept in lower case. */
export const Email = Schema.String.check(documented({ minLength: 3, maxLength: 254 })).pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isPattern(/^(?=.{3,254}$)[^\s@"'<>(),:;\\\p{Cc}\p{Cs}]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u, {
        message: "must be an e-mail address"
      })
    ),
    SchemaTransformation.composeTransformation(
      SchemaTransformation.trim(),
      SchemaTransformation.toLowerCase()
    )
  )
)

/** A user, as the specification shows one. */
export const User = Schema.Struct({
  object: Schema.Literal("user"),
  id: UserId,
  displayName: Schema.String,
  email: Schema.optionalKey(Schema.String),
  photoURL: Schema.optionalKey(Schema.String),
  urls: Schema.Struct({ location: Schema.String })
}).annotate({ identifier: "User", description: "A person who has an account." })
export type User = typeof User.Type

/** What users can change of their accounts. */
export const UpdateUser = Schema.Struct({
  displayName: Schema.optionalKey(trimmed({ min: 1, max: 64 })),
  /** The address of a picture. */
  photoURL: Schema.optionalKey(Url)
}).annotate({ identifier: "UpdateUser" })

/** Where users are kept. `email` is in lower case. */
export const users = Table.make("users", {
  columns: {
    id: Table.text<UserId>(),
    email: Table.text(),
    displayName: Table.text(),
    photoURL: Table.nullable(Table.text()),
    createdAt: Table.text()
  },
  key: ["id"],
  unique: [["email"]]
})
export type UserRow = Table.Row<typeof users>

/** A row as a resource. */
export const presentUser = (base: string, row: UserRow): User => ({
  object: "user",
  id: row.id,
  displayName: row.displayName,
  email: row.email,
  ...(row.photoURL === null ? {} : { photoURL: row.photoURL }),
  urls: { location: `${base}/v1/users/${row.id}` }
})
