/** What lists of integrations are filtered by, as it follows from what their makers say of them. */

import { folded } from "../../kernel/schema/Text.ts"
import { linesOf } from "../../kernel/storage/textSet.ts"
import type { IntegrationRow, Manifest } from "../../model/integrations/Integration.ts"

/** The columns that follow from the name and the manifest. */
export type Facets = Pick<
  IntegrationRow,
  "visibility" | "folded" | "categories" | "scopes" | "blockDomains" | "hasBlocks" | "hasContentSources"
>

/** The domains that patterns of addresses name, as in `https://www.figma.com/*`. */
const domainsOf = ({ blocks = [] }: Manifest): ReadonlySet<string> =>
  new Set(
    blocks
      .flatMap(({ urlUnfurl = [] }) => urlUnfurl)
      .flatMap((pattern) => /^(?:[a-z*]+:\/\/)?(?:\*\.)?([^/:*?#]+)/i.exec(pattern)?.[1]?.toLowerCase() ?? [])
  )

/** What an integration is found by. */
export const facetsOf = (name: string, manifest: Manifest): Facets => ({
  visibility: manifest.visibility,
  folded: folded(`${name}\n${manifest.title}`),
  categories: linesOf(manifest.categories),
  scopes: linesOf(manifest.scopes),
  blockDomains: linesOf(domainsOf(manifest)),
  hasBlocks: (manifest.blocks ?? []).length > 0,
  hasContentSources: (manifest.contentSources ?? []).length > 0
})
