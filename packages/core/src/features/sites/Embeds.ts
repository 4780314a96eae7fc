/** Operations that resolve the URLs of embeds. */

import { Operations, type Query } from "@lectern/access"
import { type Embed, EmbedQuery, embedOf } from "@lectern/model/sites"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import type { SpaceError } from "../spaces/Spaces.ts"

/** Operations that resolve the URLs of embeds, on behalf of the `CurrentUser`. */
export interface EmbedsOperations {
  /**
   * Returns how a page of the space shows the resource at a URL: as a frame of a known provider, or as a link. It sends no
   * request to the URL. Visitors of a site with the space can call it.
   */
  readonly get: Query<{ space: SpaceId; input: EmbedQuery }, Embed, SpaceError>
  /** Returns how pages show the resource at a URL, as `get` does. It requires no space. */
  readonly getByUrl: Query<{ input: EmbedQuery }, Embed>
}

const makeEmbeds = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  return {
    get: query(
      "Embeds.get",
      { parameters: { space: SpaceId, input: EmbedQuery }, authorize: allow.publishedSpace("read") },
      function* ({ input: { url } }) {
        return embedOf(url)
      }
    ),

    getByUrl: query(
      "Embeds.getByUrl",
      {
        parameters: { input: EmbedQuery },
        authorize: allow.signedIn("Derives the embed from the URL, and reads nothing.")
      },
      function* ({ input: { url } }) {
        return embedOf(url)
      }
    )
  }
})

/** Operations that resolve the URLs of embeds: see {@link EmbedsOperations}. */
export class Embeds extends Context.Service<Embeds, EmbedsOperations>()("@lectern/core/Embeds") {
  static readonly layer: Layer.Layer<Embeds, never, Operations> = Layer.effect(Embeds, makeEmbeds)
}
