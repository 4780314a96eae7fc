/** The names of the screens of the person, which the frame displays before they are loaded. */
import { defineStrings } from "../strings/strings.ts"

/** The names of the screens of the person. */
export const personNames = defineStrings({
  en: {
    you: "You",
    profile: "Profile",
    sessions: "Devices",
    openProfile: "Open your profile",
    openSessions: "Open your devices"
  },
  de: {
    you: "Sie",
    profile: "Profil",
    sessions: "Geräte",
    openProfile: "Eigenes Profil öffnen",
    openSessions: "Eigene Geräte öffnen"
  },
  fr: {
    you: "Vous",
    profile: "Profil",
    sessions: "Appareils",
    openProfile: "Ouvrir votre profil",
    openSessions: "Ouvrir vos appareils"
  }
})
