/** Returns the links of a page for search engines; none for groups and links. */
import type { ContentPage, PageMetaLinks } from "@lectern/core"
import { Effect } from "effect"

export const presentMetaLinks = (page: ContentPage): Effect.Effect<PageMetaLinks> =>
  Effect.succeed(page.type === "document" ? (page.metaLinks ?? {}) : {})
