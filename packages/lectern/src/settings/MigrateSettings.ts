/** The settings of `lectern migrate gitbook`. */
import { Schema } from "effect"
import { defineSetting } from "./Setting.ts"

const httpUrl = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const url = URL.parse(text)
    return url?.protocol === "https:" || url?.protocol === "http:"
      ? undefined
      : "must be a URL with https:// or http://"
  })
)

/** The API that is copied from. */
export const fromUrl = defineSetting({
  flag: "from-url",
  description: "`lectern migrate gitbook` only: the URL of the API that is copied from.",
  schema: httpUrl,
  fallback: "https://api.gitbook.com"
})

/** The API token of the source. */
export const fromToken = defineSetting({
  flag: "from-token",
  description:
    "`lectern migrate gitbook` only: the API token of an administrator of the organization that is copied.",
  schema: Schema.NonEmptyString,
  isSecret: true
})

/** The server that is copied to. */
export const toServerUrl = defineSetting({
  flag: "to-url",
  description:
    "`lectern migrate gitbook` only: the URL of the server that is copied to. By default, the database of --database-url.",
  schema: httpUrl
})

/** The API token of the target. */
export const toToken = defineSetting({
  flag: "to-token",
  description: "`lectern migrate gitbook` only: the API token of an administrator at the server of --to-url.",
  schema: Schema.NonEmptyString,
  isSecret: true
})
