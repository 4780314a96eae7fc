/** The strings of the passkeys and the recovery codes of the person. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of the passkeys and the recovery codes of the person. */
export const passkeyStrings = defineStrings({
  en: {
    hint: "Sign in with your fingerprint, your face, the PIN of your device or a security key. A passkey belongs to {host}.",
    add: "Add a passkey",
    added: "Passkey {name} added",
    notAdded: "No passkey was added",
    none: "No passkey",
    noneBody: "A passkey signs you in without an e-mail, and works on this website only.",
    noSession: "No session to manage passkeys",
    noSessionBody:
      "You use an API token here, or a session that is limited to one organization. Sign in by an e-mail to manage your passkeys.",
    signIn: "Sign in",
    ipAddress: "Passkeys are off",
    ipAddressBody:
      "A passkey is bound to a host name, and this server is opened by an IP address. Open it by its host name.",
    insecure: "Passkeys are off",
    insecureBody: "Browsers offer passkeys over https only. The operator of the server can set it up.",
    created: "Added {time}",
    used: "Last used {time}",
    unused: "Never used",
    synced: "Synchronized",
    rename: "Rename",
    renameTitle: "Rename the passkey",
    name: "Name",
    save: "Save",
    remove: "Remove",
    removeTitle: "Remove {name}?",
    removeBody: "It no longer signs you in. Remove it in your device or your password manager as well.",
    removeLastBody:
      "It no longer signs you in. It is your last passkey: your recovery codes end with it, and organizations that require a second factor deny access.",
    removed: "{name} removed",
    notRemoved: "{name} was not removed",
    codes: "Recovery codes",
    codesHint: {
      one: "You have {count} code. Each replaces a passkey once, if you have lost your devices.",
      other: "You have {count} codes. Each replaces a passkey once, if you have lost your devices."
    },
    createCodes: "Create recovery codes",
    replaceCodes: "Create new codes",
    replaceTitle: "Create new recovery codes?",
    replaceBody: "The current codes stop working.",
    codesCreated: "Your recovery codes",
    codesOnce: "Store them in a safe place: they are displayed only once. Each works once.",
    codesNotCreated: "No codes were created",
    copyCodes: "Copy the codes",
    copied: "Copied",
    close: "Close",
    required: "An organization of yours requires a second factor.",
    verify: "Confirm the sign-in",
    verifyHint: "Confirm the sign-in with a passkey or a recovery code to change your passkeys."
  },
  de: {
    hint: "Melden Sie sich mit Fingerabdruck, Gesicht, der PIN Ihres Geräts oder einem Sicherheitsschlüssel an. Ein Passkey gehört zu {host}.",
    add: "Passkey hinzufügen",
    added: "Passkey {name} hinzugefügt",
    notAdded: "Es wurde kein Passkey hinzugefügt",
    none: "Kein Passkey",
    noneBody: "Ein Passkey meldet Sie ohne E-Mail an und funktioniert nur auf dieser Website.",
    noSession: "Keine Sitzung, die Passkeys verwaltet",
    noSessionBody:
      "Sie verwenden hier ein API-Token oder eine Sitzung, die auf eine Organisation beschränkt ist. Melden Sie sich per E-Mail an, um Ihre Passkeys zu verwalten.",
    signIn: "Anmelden",
    ipAddress: "Passkeys sind aus",
    ipAddressBody:
      "Ein Passkey ist an einen Hostnamen gebunden, und dieser Server wird über eine IP-Adresse geöffnet. Öffnen Sie ihn über seinen Hostnamen.",
    insecure: "Passkeys sind aus",
    insecureBody: "Browser bieten Passkeys nur über https an. Der Betreiber des Servers kann es einrichten.",
    created: "Hinzugefügt {time}",
    used: "Zuletzt verwendet {time}",
    unused: "Nie verwendet",
    synced: "Synchronisiert",
    rename: "Umbenennen",
    renameTitle: "Passkey umbenennen",
    name: "Name",
    save: "Speichern",
    remove: "Entfernen",
    removeTitle: "{name} entfernen?",
    removeBody:
      "Er meldet Sie nicht mehr an. Entfernen Sie ihn auch in Ihrem Gerät oder Ihrem Passwort-Manager.",
    removeLastBody:
      "Er meldet Sie nicht mehr an. Es ist Ihr letzter Passkey: Ihre Wiederherstellungscodes enden mit ihm, und Organisationen, die einen zweiten Faktor verlangen, verweigern den Zugriff.",
    removed: "{name} entfernt",
    notRemoved: "{name} wurde nicht entfernt",
    codes: "Wiederherstellungscodes",
    codesHint: {
      one: "Sie haben {count} Code. Jeder ersetzt einmal einen Passkey, falls Sie Ihre Geräte verloren haben.",
      other:
        "Sie haben {count} Codes. Jeder ersetzt einmal einen Passkey, falls Sie Ihre Geräte verloren haben."
    },
    createCodes: "Wiederherstellungscodes erstellen",
    replaceCodes: "Neue Codes erstellen",
    replaceTitle: "Neue Wiederherstellungscodes erstellen?",
    replaceBody: "Die bisherigen Codes funktionieren dann nicht mehr.",
    codesCreated: "Ihre Wiederherstellungscodes",
    codesOnce:
      "Bewahren Sie sie an einem sicheren Ort auf: Sie werden nur einmal angezeigt. Jeder funktioniert einmal.",
    codesNotCreated: "Es wurden keine Codes erstellt",
    copyCodes: "Codes kopieren",
    copied: "Kopiert",
    close: "Schließen",
    required: "Eine Ihrer Organisationen verlangt einen zweiten Faktor.",
    verify: "Anmeldung bestätigen",
    verifyHint:
      "Bestätigen Sie die Anmeldung mit einem Passkey oder einem Wiederherstellungscode, um Ihre Passkeys zu ändern."
  },
  fr: {
    hint: "Connectez-vous avec votre empreinte, votre visage, le code de votre appareil ou une clé de sécurité. Une clé d’accès est liée à {host}.",
    add: "Ajouter une clé d’accès",
    added: "Clé d’accès {name} ajoutée",
    notAdded: "Aucune clé d’accès n’a été ajoutée",
    none: "Aucune clé d’accès",
    noneBody: "Une clé d’accès vous connecte sans e-mail, et ne fonctionne que sur ce site.",
    noSession: "Aucune session pour gérer les clés d’accès",
    noSessionBody:
      "Vous utilisez ici un jeton d’API, ou une session limitée à une organisation. Connectez-vous par e-mail pour gérer vos clés d’accès.",
    signIn: "Se connecter",
    ipAddress: "Les clés d’accès sont désactivées",
    ipAddressBody:
      "Une clé d’accès est liée à un nom d’hôte, et ce serveur est ouvert par une adresse IP. Ouvrez-le par son nom d’hôte.",
    insecure: "Les clés d’accès sont désactivées",
    insecureBody:
      "Les navigateurs proposent les clés d’accès uniquement en https. L’opérateur du serveur peut le configurer.",
    created: "Ajoutée {time}",
    used: "Dernière utilisation {time}",
    unused: "Jamais utilisée",
    synced: "Synchronisée",
    rename: "Renommer",
    renameTitle: "Renommer la clé d’accès",
    name: "Nom",
    save: "Enregistrer",
    remove: "Supprimer",
    removeTitle: "Supprimer {name} ?",
    removeBody:
      "Elle ne vous connectera plus. Supprimez-la aussi dans votre appareil ou votre gestionnaire de mots de passe.",
    removeLastBody:
      "Elle ne vous connectera plus. C’est votre dernière clé d’accès : vos codes de récupération prennent fin avec elle, et les organisations qui exigent un second facteur refusent l’accès.",
    removed: "{name} supprimée",
    notRemoved: "{name} n’a pas été supprimée",
    codes: "Codes de récupération",
    codesHint: {
      one: "Vous avez {count} code. Chacun remplace une fois une clé d’accès, si vous avez perdu vos appareils.",
      other:
        "Vous avez {count} codes. Chacun remplace une fois une clé d’accès, si vous avez perdu vos appareils."
    },
    createCodes: "Créer des codes de récupération",
    replaceCodes: "Créer de nouveaux codes",
    replaceTitle: "Créer de nouveaux codes de récupération ?",
    replaceBody: "Les codes actuels ne fonctionneront plus.",
    codesCreated: "Vos codes de récupération",
    codesOnce:
      "Conservez-les en lieu sûr : ils ne s’affichent qu’une seule fois. Chacun fonctionne une fois.",
    codesNotCreated: "Aucun code n’a été créé",
    copyCodes: "Copier les codes",
    copied: "Copié",
    close: "Fermer",
    required: "Une de vos organisations exige un second facteur.",
    verify: "Confirmer la connexion",
    verifyHint:
      "Confirmez la connexion avec une clé d’accès ou un code de récupération pour modifier vos clés d’accès."
  }
})
