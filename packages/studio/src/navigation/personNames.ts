/** The names of the screens of the person, which the frame displays before they are loaded. */
import { defineStrings } from "../strings/strings.ts"

/** The names of the screens of the person. */
export const personNames = defineStrings({
  en: {
    you: "You",
    profile: "Profile",
    sessions: "Devices",
    passkeys: "Passkeys",
    programs: "Authorized programs",
    openProfile: "Open your profile",
    openSessions: "Open your devices",
    openPasskeys: "Open your passkeys",
    openPrograms: "Open your authorized programs"
  },
  de: {
    you: "Sie",
    profile: "Profil",
    sessions: "Geräte",
    passkeys: "Passkeys",
    programs: "Autorisierte Programme",
    openProfile: "Eigenes Profil öffnen",
    openSessions: "Eigene Geräte öffnen",
    openPasskeys: "Eigene Passkeys öffnen",
    openPrograms: "Eigene autorisierte Programme öffnen"
  },
  fr: {
    you: "Vous",
    profile: "Profil",
    sessions: "Appareils",
    passkeys: "Clés d’accès",
    programs: "Programmes autorisés",
    openProfile: "Ouvrir votre profil",
    openSessions: "Ouvrir vos appareils",
    openPasskeys: "Ouvrir vos clés d’accès",
    openPrograms: "Ouvrir vos programmes autorisés"
  }
})
