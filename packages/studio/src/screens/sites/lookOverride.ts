/** The values of a customization that a space on a site overrides. */
import type { SiteCustomization, SiteSpaceCustomizationOverride } from "@lectern/client/fetch"

/** The objects whose values are overridden one by one. Other objects, such as a color, are values. */
interface Groups {
  readonly [name: string]: Groups
}

const groups: Groups = {
  styling: { sidebar: {} },
  internationalization: {},
  header: {},
  footer: {},
  themes: {},
  pdf: {},
  feedback: {},
  pagination: {}
}

interface Values {
  readonly [name: string]: unknown
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const changesOf = (site: Values, stored: Values, draft: Values, within: Groups): Values => {
  const changes: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(stored), ...Object.keys(draft)])) {
    const inner = within[name]
    if (isSame(stored[name], draft[name])) continue
    if (inner !== undefined) {
      const [base, before, after] = [site[name] ?? {}, stored[name] ?? {}, draft[name] ?? {}]
      changes[name] = changesOf(base as Values, before as Values, after as Values, inner)
    } else changes[name] = draft[name] === undefined || isSame(draft[name], site[name]) ? null : draft[name]
  }
  return changes
}

/**
 * Returns the override that makes `draft` of the stored customization of a space. A value that is that of the site, or that is removed, is
 * no longer overridden.
 */
export const overrideOf = (
  site: SiteCustomization,
  stored: SiteCustomization,
  draft: SiteCustomization
): SiteSpaceCustomizationOverride =>
  changesOf({ ...site }, { ...stored }, { ...draft }, groups) as SiteSpaceCustomizationOverride
