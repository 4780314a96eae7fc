/** Completes customizations with the values of a newer version of the public contract. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { CodeThemes, defaultCodeThemes, PageAction, SocialAccounts } from "./CodeTheme.ts"
import { Customization } from "./Customization.ts"

/** The customization of a site in responses, which has every value that renderers require. */
export class CompleteCustomization extends resource<CompleteCustomization>()(
  Schema.Struct({
    ...Customization.fields,
    /** Colors, fonts and shapes. */
    styling: Schema.Struct({
      ...Customization.fields.styling.fields,
      /** The color themes of code. */
      codeTheme: CodeThemes
    }),
    /** The actions of pages. */
    pageActions: Schema.Struct({
      ...Customization.fields.pageActions.fields,
      /** The actions of the menu, in their order, which are derived from the other settings. */
      items: Schema.Array(PageAction)
    }),
    /** The accounts of the owner on social platforms, at most 10. */
    socialAccounts: SocialAccounts
  }).annotate({
    identifier: "CompleteSiteCustomization",
    description: "The customization of a published site, with every value that renderers require."
  })
) {}

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
export const completeCustomization = (customization: Customization): CompleteCustomization => ({
  ...customization,
  styling: { codeTheme: defaultCodeThemes, ...customization.styling },
  pageActions: { ...customization.pageActions, items: actionsOf(customization) },
  socialAccounts: customization.socialAccounts ?? []
})
