/** `lectern sign-in`, and the link by which the first administrator signs in. */
import { isLoopbackHost, SignIns, signInLinkUrl } from "@lectern/core"
import { Console, Effect, type Option } from "effect"
import { Argument, Command } from "effect/cli"
import { readSetting, settingFlag } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { findAccount } from "./accounts.ts"
import { jsonFlag, printResult } from "./output.ts"
import { readPublicUrl } from "./publicUrl.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

/** Returns the base URL of a sign-in link: browsers accept sessions of plain http at `localhost`. */
const signInBase = (publicUrl: string): string => {
  const url = new URL(publicUrl)
  if (url.protocol === "http:" && isLoopbackHost(url.hostname)) url.hostname = "localhost"
  return url.href.replace(/\/+$/, "")
}

/** Creates a link that signs a user in once, within 15 minutes. Fails with `NotFound` if no account has the e-mail address. */
export const createSignInLink = Effect.fnUntraced(function* (email: string, publicUrl: string) {
  const { secret, expiresAt } = yield* (yield* SignIns).createLink({ input: { email } })
  return { url: signInLinkUrl(signInBase(publicUrl), secret), expiresAt }
})

/** Notes on the error output that the address of the link is assumed, if no public URL is configured. */
const noteAssumedAddress = Effect.fnUntraced(function* (flag: Option.Option<string>) {
  const configured = yield* readSetting(Settings.publicUrl, flag)
  if (configured !== undefined) return
  yield* Console.error(
    "The link has the default address. If your server listens on another port, set --public-url to its URL."
  )
})

export const signIn = Command.make(
  "sign-in",
  {
    email: Argument.String("email").pipe(Argument.withDescription("The e-mail address of the account")),
    publicUrl: settingFlag(Settings.publicUrl),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    const publicUrl = yield* readPublicUrl(flags)
    yield* Effect.gen(function* () {
      const { email } = yield* findAccount(flags.email)
      const link = yield* createSignInLink(email, publicUrl)
      yield* printResult(flags.json, link, link.url)
      yield* noteAssumedAddress(flags.publicUrl)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription("Print a link that signs a user in, once and within 15 minutes."),
  Command.withDescription(
    "Print a link that signs a user in, once and within 15 minutes. Any person who has the link can use it: send it only to the user."
  ),
  Command.withExamples([
    { command: "lectern sign-in ada@example.com", description: "Print a link for a user without e-mail" }
  ])
)
