/** The strings of the screen of authorized programs. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of the screen of authorized programs. */
export const authorizedProgramStrings = defineStrings({
  en: {
    hint: "Programs of others that may act for you. End the access of programs that you do not use.",
    none: "No program has access",
    noneBody: "A program that you authorize appears here.",
    authorized: "Authorized {time}",
    until: "Until {time}",
    oneSite: "One site",
    end: "End access",
    endTitle: "End the access of {name}?",
    endBody: "The program is signed out immediately. It can request access again.",
    ended: "{name} has no access anymore",
    notEnded: "The access of {name} was not ended"
  },
  de: {
    hint: "Programme anderer, die für Sie handeln dürfen. Beenden Sie den Zugriff derer, die Sie nicht verwenden.",
    none: "Kein Programm hat Zugriff",
    noneBody: "Ein Programm, das Sie autorisieren, erscheint hier.",
    authorized: "Autorisiert {time}",
    until: "Bis {time}",
    oneSite: "Eine Website",
    end: "Zugriff beenden",
    endTitle: "Zugriff von {name} beenden?",
    endBody: "Das Programm wird sofort abgemeldet. Es kann Sie erneut fragen.",
    ended: "{name} hat keinen Zugriff mehr",
    notEnded: "Der Zugriff von {name} wurde nicht beendet"
  },
  fr: {
    hint: "Les programmes d’autres éditeurs qui peuvent agir pour vous. Mettez fin à l’accès de ceux que vous n’utilisez pas.",
    none: "Aucun programme n’a accès",
    noneBody: "Un programme que vous autorisez apparaît ici.",
    authorized: "Autorisé {time}",
    until: "Jusqu’à {time}",
    oneSite: "Un site",
    end: "Mettre fin à l’accès",
    endTitle: "Mettre fin à l’accès de {name} ?",
    endBody: "Le programme est déconnecté immédiatement. Il peut vous redemander l’accès.",
    ended: "{name} n’a plus accès",
    notEnded: "L’accès de {name} n’a pas pris fin"
  }
})
