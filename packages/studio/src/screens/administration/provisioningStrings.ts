/** The strings of provisioning by SCIM. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of provisioning by SCIM. */
export const provisioningStrings = defineStrings({
  en: {
    title: "Provisioning",
    body: "Your identity provider adds, disables and removes members and teams by SCIM 2.0. Enter this URL and a token there.",
    url: "Base URL of SCIM",
    tokens: "Tokens of the provider",
    new: "New SCIM token",
    label: "Name",
    defaultLabel: "Identity provider",
    tokenBody:
      "The token acts for you, and ends when you leave the organization or are no longer an administrator.",
    empty: "No SCIM token",
    emptyBody: "Create a token, and enter it at the identity provider.",
    domains: "Domains of new members: {domains}",
    noDomains: "No new members can be added: the organization has no e-mail domain.",
    recent: "Last changes",
    noChanges: "The identity provider has changed nothing yet."
  },
  de: {
    title: "Bereitstellung",
    body: "Ihr Identitätsanbieter fügt Mitglieder und Teams per SCIM 2.0 hinzu, deaktiviert und entfernt sie. Tragen Sie dort diese URL und ein Token ein.",
    url: "Basis-URL von SCIM",
    tokens: "Tokens des Anbieters",
    new: "Neues SCIM-Token",
    label: "Name",
    defaultLabel: "Identitätsanbieter",
    tokenBody:
      "Das Token handelt für Sie und endet, wenn Sie die Organisation verlassen oder sie nicht mehr verwalten.",
    empty: "Kein SCIM-Token",
    emptyBody: "Erstellen Sie ein Token, und tragen Sie es beim Identitätsanbieter ein.",
    domains: "Domains neuer Mitglieder: {domains}",
    noDomains: "Es können keine Mitglieder hinzukommen: Die Organisation hat keine E-Mail-Domain.",
    recent: "Letzte Änderungen",
    noChanges: "Der Identitätsanbieter hat noch nichts geändert."
  },
  fr: {
    title: "Provisionnement",
    body: "Votre fournisseur d’identité ajoute, désactive et retire les membres et les équipes par SCIM 2.0. Saisissez-y cette URL et un jeton.",
    url: "URL de base de SCIM",
    tokens: "Jetons du fournisseur",
    new: "Nouveau jeton SCIM",
    label: "Nom",
    defaultLabel: "Fournisseur d’identité",
    tokenBody:
      "Le jeton agit pour vous, et expire lorsque vous quittez l’organisation ou ne l’administrez plus.",
    empty: "Aucun jeton SCIM",
    emptyBody: "Créez un jeton et saisissez-le chez le fournisseur d’identité.",
    domains: "Domaines des nouveaux membres : {domains}",
    noDomains: "Aucun membre ne peut être ajouté : l’organisation n’a pas de domaine de messagerie.",
    recent: "Dernières modifications",
    noChanges: "Le fournisseur d’identité n’a encore rien modifié."
  }
})
