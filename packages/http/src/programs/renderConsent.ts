/** The page on which a person authorizes a program or cancels, for a browser and for a device. */
import type { MailLanguage } from "@lectern/core"
import type { ApiResponse } from "../server/messages/Message.ts"
import { alert, escapeHtml, paragraph, renderSignInPage } from "../signIn/page.ts"
import { receiverOf } from "./clientMetadata.ts"
import { type RequestedGrant, siteOf } from "./grantFor.ts"
import { commandProgram } from "./paths.ts"
import { type PermissionKind, type ProgramTexts, programTexts } from "./texts.ts"

/** The content of a page on which a person decides whether to authorize a program. */
interface Consent {
  readonly language: MailLanguage
  /** The request. The name of its program is chosen by anyone who registers. */
  readonly requested: RequestedGrant
  /** The account of the person. */
  readonly account: string
  /** The reason why the person has to decide again. */
  readonly problem?: string | undefined
  /** A warning before the decision. */
  readonly warning?: string
  /** The hidden fields of the form, as HTML. */
  readonly fields?: string
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

/** Renders the request of a program, with the buttons of the decision. */
export const renderConsent = ({
  language,
  requested,
  account,
  problem,
  warning,
  fields = ""
}: Consent): ApiResponse => {
  const texts = programTexts[language]
  const { program, permissions, resources } = requested
  const form = [
    paragraph(texts.asks(program.name, account)),
    program.redirectUri === undefined ? "" : paragraph(receiverText(texts, program.redirectUri)),
    program.id === commandProgram ? paragraph(texts.ownCommand) : alert(texts.notVerified),
    warning === undefined ? "" : alert(warning),
    siteOf(requested) === undefined ? "" : paragraph(texts.onlySite(resources[0]!.url)),
    paragraph(texts.permissions),
    permissionList(texts, permissions),
    paragraph(texts.neverMore),
    `<form method="post">${fields}
<button name="decision" value="allow">${escapeHtml(texts.allow)}</button>
<button class="secondary" name="decision" value="deny">${escapeHtml(texts.deny)}</button>
</form>`
  ]
  return renderSignInPage({
    language,
    title: texts.title(program.name),
    body: (problem === undefined ? "" : alert(problem)) + form.filter((part) => part !== "").join("\n"),
    status: problem === undefined ? 200 : 400
  })
}
