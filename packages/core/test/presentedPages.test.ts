/** Stored pages as resources. */
import type { PageRecord } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { presentPage } from "../src/views/content/PageView.ts"

const urls = fc.oneof(
  fc.webUrl(),
  fc
    .tuple(
      fc.constantFrom(
        "mailto:",
        "javascript:",
        "//",
        "https://user:password@",
        "https://user@",
        "ftp://",
        "/"
      ),
      fc.domain()
    )
    .map((parts) => parts.join(""))
)
const targets = fc.oneof(
  urls.map((url) => ({ kind: "url" as const, url })),
  fc.constant({ kind: "page" as const, page: "page" })
)

it("omits stored links for search engines that can no longer be set", () => {
  fc.assert(
    fc.property(
      fc.option(targets, { nil: undefined }),
      fc.array(targets, { maxLength: 4 }),
      (canonical, alternates) => {
        const metaLinks = { ...(canonical === undefined ? {} : { canonical }), alternates }
        const page = {
          type: "document",
          title: "Page",
          slug: "page",
          parent: "",
          metaLinks
        } as unknown as PageRecord
        const context = { app: "https://app.example.com/", metadata: false, conditions: false }
        const presented = presentPage(context, { id: "page" as PageId, page }, "page", [])
        const isKept = (target: (typeof alternates)[number] | undefined) =>
          target !== undefined && (target.kind === "page" || /^https?:\/\/(?!user)/.test(target.url))
        expect(presented.type === "document" && presented.metaLinks).toEqual({
          ...(isKept(canonical) ? { canonical } : {}),
          alternates: alternates.filter(isKept)
        })
      }
    )
  )
})
