/** The messages of the editor, as data: a host can provide another language. */
import { en } from "./en.ts"

/** The messages of the editor. */
export type Messages = typeof en

/** The languages with messages. */
export const languages = ["en", "de", "fr"] as const

/** Loads the messages of a language; English for others. A language with a region, such as `de-AT`, is that without it. */
export const loadMessages = async (language: string): Promise<Messages> => {
  switch (language.toLowerCase().split("-")[0]) {
    case "de":
      return (await import("./de.ts")).de
    case "fr":
      return (await import("./fr.ts")).fr
    default:
      return en
  }
}
