/** Completes customizations with the values of a newer version of the public contract. */

import { defaultCodeThemes, type PageAction } from "./CodeTheme.ts"
import type { Customization } from "./Customization.ts"

/** Returns the actions of pages that a customization enables, in the order of the menu. */
const actionsOf = ({ ai, git, pageActions, pdf }: Customization): ReadonlyArray<typeof PageAction.Type> => {
  const enabled: ReadonlyArray<readonly [typeof PageAction.Type, boolean]> = [
    ["assistant", ai.mode === "assistant"],
    ["markdown", pageActions.markdown],
    ["external-ai", pageActions.externalAI],
    ["mcp", pageActions.mcp],
    ["git", git.showEditLink],
    ["pdf", pdf.enabled]
  ]
  return enabled.flatMap(([action, isEnabled]) => (isEnabled ? [action] : []))
}

/**
 * Returns a customization with the values that clients of a newer version of the contract require: the color themes of code, the
 * social accounts, and the actions of pages as a list.
 */
export const completeCustomization = (customization: Customization): Customization => ({
  ...customization,
  styling: { codeTheme: defaultCodeThemes, ...customization.styling },
  pageActions: { ...customization.pageActions, items: actionsOf(customization) },
  socialAccounts: customization.socialAccounts ?? []
})
