/** Signed URLs that Git servers call when a branch changes. They require no token. */

import { type Authorization, SystemGrant } from "@lectern/access"
import { isSame, makeLinkBase, type Records, Signatures } from "@lectern/kernel"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"

/** The path prefix of webhooks, followed by the id of the space and the signature. */
export const gitWebhooksPath = "/git/webhooks/"

const purpose = "git webhook"

const makeGitWebhooks = Effect.gen(function* () {
  const signatures = yield* Signatures
  const linkBase = yield* makeLinkBase
  const { grant } = yield* SystemGrant.make("Starts Git imports for Git servers that have a signed URL.")

  const allowSigned: Authorization<
    { readonly space: SpaceId; readonly signature: string },
    { readonly isSigned: boolean },
    never,
    never
  > = {
    rule: { kind: "visitor", why: "a signed URL names the space" },
    check: ({ space, signature }) =>
      Effect.map(signatures.signer, (sign) => ({ isSigned: isSame(sign(purpose, space), signature), grant }))
  }

  return {
    /** Authorizes a call by the signature of its URL. */
    allowSigned,

    /** Returns the URL of the webhook of a space. */
    urlOf: (space: SpaceId) =>
      Effect.flatMap(signatures.signer, (sign) =>
        Effect.map(linkBase, (base) => `${base}${gitWebhooksPath}${space}/${sign(purpose, space)}`)
      )
  }
})

/** The methods of {@link GitWebhooks}. */
export interface GitWebhooksService extends Effect.Success<typeof makeGitWebhooks> {}

/** Signs and verifies the URLs of webhooks. */
export class GitWebhooks extends Context.Service<GitWebhooks, GitWebhooksService>()(
  "@lectern/core/GitWebhooks"
) {
  static readonly layer: Layer.Layer<GitWebhooks, never, Signatures | Records> = Layer.effect(
    GitWebhooks,
    makeGitWebhooks
  )
}
