/** The form on which a person authorizes a program or cancels, for a browser and for a device. */
import { alert, escapeHtml, paragraph } from "../signIn/page.ts"
import { receiverOf } from "./clientMetadata.ts"
import type { PermissionKind, ProgramTexts } from "./texts.ts"

/** The authorization that a program requests from a person. */
export interface ConsentRequest {
  /** The name of the program. Its text is chosen by anyone who registers. */
  readonly name: string
  /** Whether it is the command of Lectern. */
  readonly isOwn: boolean
  /** The URI that it returns to; undefined for a device. */
  readonly redirectUri?: string | undefined
  readonly permissions: ReadonlyArray<string>
  /** The URL of the site that it is limited to; undefined if it is not. */
  readonly siteUrl?: string | undefined
  /** The account of the person. */
  readonly account: string
}

/** Returns the text on where a program returns. */
const receiverText = (texts: ProgramTexts, uri: string): string => {
  const receiver = receiverOf(uri)
  if (receiver === "loopback") return texts.returnsToMachine
  return "host" in receiver ? texts.returnsTo(receiver.host) : texts.returnsToScheme(receiver.scheme)
}

const isKind = (texts: ProgramTexts, kind: string): kind is PermissionKind => Object.hasOwn(texts.kinds, kind)

/** Renders the permissions by the kind of resource. */
const permissionList = (texts: ProgramTexts, permissions: ReadonlyArray<string>): string => {
  const kinds = [...new Set(permissions.map((permission) => permission.split(".")[0]!))]
  const items = kinds.map((kind) => {
    const codes = permissions
      .filter((permission) => permission.startsWith(`${kind}.`))
      .map((permission) => `<code>${escapeHtml(permission)}</code>`)
    return `<li>${escapeHtml(isKind(texts, kind) ? texts.kinds[kind] : kind)}: ${codes.join(", ")}</li>`
  })
  return `<ul>${items.join("")}</ul>`
}

/** Renders the request of a program, with the buttons of the decision. `fields` are the hidden fields of the form, as HTML. */
export const consentForm = (
  texts: ProgramTexts,
  { name, isOwn, redirectUri, permissions, siteUrl, account }: ConsentRequest,
  fields: string,
  warning = ""
): string =>
  [
    paragraph(texts.asks(name, account)),
    redirectUri === undefined ? "" : paragraph(receiverText(texts, redirectUri)),
    isOwn ? paragraph(texts.ownCommand) : alert(texts.notVerified),
    warning,
    siteUrl === undefined ? "" : paragraph(texts.onlySite(siteUrl)),
    paragraph(texts.permissions),
    permissionList(texts, permissions),
    paragraph(texts.neverMore),
    `<form method="post">${fields}
<button name="decision" value="allow">${escapeHtml(texts.allow)}</button>
<button class="secondary" name="decision" value="deny">${escapeHtml(texts.deny)}</button>
</form>`
  ]
    .filter((part) => part !== "")
    .join("\n")

/** Returns the name under which a person finds the program again: with the place that it returns to, which no other program can choose. */
export const authorizationName = (name: string, redirectUri: string | undefined): string => {
  if (redirectUri === undefined) return name
  const receiver = receiverOf(redirectUri)
  const place = receiver === "loopback" ? "localhost" : "host" in receiver ? receiver.host : receiver.scheme
  return `${name} (${place})`.slice(0, 200)
}
