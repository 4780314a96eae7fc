/** The strings of differences. */
import { defineStrings } from "../strings/strings.ts"

/** The strings of differences. */
export const diffStrings = defineStrings({
  en: {
    unchangedBlocks: { one: "{count} unchanged block", other: "{count} unchanged blocks" },
    before: "Before",
    after: "After",
    sameText: "The text is unchanged."
  },
  de: {
    unchangedBlocks: { one: "{count} unveränderter Block", other: "{count} unveränderte Blöcke" },
    before: "Vorher",
    after: "Nachher",
    sameText: "Der Text ist unverändert."
  },
  fr: {
    unchangedBlocks: { one: "{count} bloc inchangé", other: "{count} blocs inchangés" },
    before: "Avant",
    after: "Après",
    sameText: "Le texte est inchangé."
  }
})
