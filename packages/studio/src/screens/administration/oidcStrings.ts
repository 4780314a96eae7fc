/** The strings of OpenID Connect providers. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of OpenID Connect providers. */
export const oidcStrings = defineStrings({
  en: {
    kind: "OpenID Connect",
    new: "New OpenID Connect provider",
    edit: "Edit OpenID Connect provider",
    issuer: "URL of the issuer",
    issuerHint:
      "The address below which the provider publishes its configuration, such as https://login.example.com.",
    clientId: "Client id",
    secret: "Client secret",
    secretHint:
      "It is stored encrypted and never displayed. An empty field leaves it unchanged; a public client has no secret.",
    domains: "Domains of new members",
    domainsHint:
      "People with an address in these domains become members when they sign in. Others must be members already. Separate them by commas.",
    redirectUrl: "Redirect URL",
    logoutUrl: "URL after the logout",
    deleteTitle: "Delete the provider “{label}”?",
    deleteBody: "Members can no longer sign in by it. Their sessions from it end.",
    deleted: "Provider “{label}” deleted",
    notDeleted: "The provider was not deleted"
  },
  de: {
    kind: "OpenID Connect",
    new: "Neuer OpenID-Connect-Anbieter",
    edit: "OpenID-Connect-Anbieter bearbeiten",
    issuer: "URL des Ausstellers",
    issuerHint:
      "Die Adresse, unter der der Anbieter seine Konfiguration veröffentlicht, etwa https://login.example.com.",
    clientId: "Client-ID",
    secret: "Client-Geheimnis",
    secretHint:
      "Es wird verschlüsselt gespeichert und nie angezeigt. Lassen Sie das Feld leer, um es zu behalten, oder für einen öffentlichen Client.",
    domains: "Domains neuer Mitglieder",
    domainsHint:
      "Personen mit einer Adresse in diesen Domains werden bei der Anmeldung Mitglieder. Andere müssen es schon sein. Trennen Sie sie durch Kommas.",
    redirectUrl: "Weiterleitungs-URL",
    logoutUrl: "URL nach der Abmeldung",
    deleteTitle: "Anbieter „{label}“ löschen?",
    deleteBody: "Mitglieder können sich darüber nicht mehr anmelden. Ihre Sitzungen darüber enden.",
    deleted: "Anbieter „{label}“ gelöscht",
    notDeleted: "Der Anbieter wurde nicht gelöscht"
  },
  fr: {
    kind: "OpenID Connect",
    new: "Nouveau fournisseur OpenID Connect",
    edit: "Modifier le fournisseur OpenID Connect",
    issuer: "URL de l’émetteur",
    issuerHint:
      "L’adresse sous laquelle le fournisseur publie sa configuration, par exemple https://login.example.com.",
    clientId: "Identifiant du client",
    secret: "Secret du client",
    secretHint:
      "Il est stocké chiffré et n’est jamais affiché. Laissez le champ vide pour le conserver, ou pour un client public.",
    domains: "Domaines des nouveaux membres",
    domainsHint:
      "Les personnes ayant une adresse dans ces domaines deviennent membres en se connectant. Les autres doivent déjà l’être. Séparez-les par des virgules.",
    redirectUrl: "URL de redirection",
    logoutUrl: "URL après la déconnexion",
    deleteTitle: "Supprimer le fournisseur « {label} » ?",
    deleteBody: "Les membres ne pourront plus se connecter par lui. Leurs sessions par lui se terminent.",
    deleted: "Fournisseur « {label} » supprimé",
    notDeleted: "Le fournisseur n’a pas été supprimé"
  }
})
