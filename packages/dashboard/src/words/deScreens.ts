/** German texts of the other screens: webhooks, keys, schemas, billing, account, operator's view, and the form. */
import { deRun } from "./deRun.ts";
import { plural } from "./en.ts";
import type { ScreenWords } from "./words.ts";

const field = (name: string, otherwise: string): string => (name === "" ? otherwise : name);

export const deScreens: ScreenWords = {
  ...deRun,
  ended: {
    title: "Ihre Sitzung ist abgelaufen",
    text: "Öffnen Sie in einem anderen Tab einen neuen Anmeldelink und kommen Sie zurück. Ihre Eingaben bleiben hier.",
    still: "Sie sind noch nicht wieder angemeldet.",
    again: "Ich bin wieder angemeldet",
    leave: "Verlassen"
  },
  help: {
    title: "Tastenkürzel",
    off: "Einzelne Tasten lassen sich unter Konto abschalten.",
    groups: { everywhere: "Überall", list: "In der Liste", run: "In einer Extraktion" },
    keys: {
      everywhere: {
        "?": "Diese Hilfe",
        n: "Neue Extraktion",
        g: "Alle Extraktionen",
        "/": "Suchen",
        z: "Löschen rückgängig machen"
      },
      list: {
        j: "Nächste Zeile",
        k: "Vorige Zeile",
        Enter: "Öffnen",
        Space: "Vorschau neben der Liste",
        Escape: "Vorschau schließen"
      },
      run: {
        Space: "Abspielen oder anhalten",
        ArrowLeft: "5 Sekunden zurück",
        ArrowRight: "5 Sekunden vor",
        e: "Nächstes Zitat",
        "/": "Im Transkript suchen"
      }
    }
  },
  money: {
    cached: "Kostenlos: aus einer gleichen Extraktion von vor Kurzem.",
    debited: (debited) => `${debited} Credits.`,
    allBack: (debited) => `${debited} Credits abgebucht und ganz erstattet.`,
    partBack: (debited, back) => `${debited} Credits abgebucht, ${back} erstattet.`
  },
  webhooks: {
    deliveries: "Zustellungen",
    statuses: { pending: "Wartet", delivered: "Zugestellt", failed: "Fehlgeschlagen" },
    hint: "Jeder Endpunkt erhält ein Ereignis, wenn eine Extraktion fertig wird oder fehlschlägt.",
    add: "Endpunkt hinzufügen",
    emptyTitle: "Noch keine Endpunkte",
    emptyText:
      "Tragen Sie eine URL Ihres Servers ein, um über das Ende einer Extraktion benachrichtigt zu werden.",
    url: "URL des Endpunkts",
    urlHint: "Sie muss mit https:// beginnen und aus dem Internet erreichbar sein.",
    secret: "Signaturgeheimnis",
    receiver: "Prüfen Sie damit jede Zustellung:",
    healthy: "Zustellungen sind erfolgreich.",
    known: "Diese URL ist bereits eingetragen",
    failingSince: "Fehlgeschlagen seit",
    test: "Test senden",
    testUnderWay: "Der Test ist unterwegs …",
    tested: "Der Test wurde zugestellt.",
    testFailed: (reason) => `Der Test wurde nicht zugestellt: ${reason}`,
    testAttempts: "Zu seinen Versuchen",
    enable: "Wieder einschalten",
    rotate: "Geheimnis erneuern",
    rotateText: "24 Stunden lang werden Zustellungen mit beiden Geheimnissen signiert.",
    bothUntil: (date) => `Bis ${date} wird auch mit dem alten Geheimnis signiert.`,
    deleteTitle: "Diesen Endpunkt löschen?",
    noDeliveries: "Es wurde noch nichts gesendet.",
    recover: "Fehlgeschlagene erneut senden",
    recovered: (count) =>
      `${count} ${plural(count, "Zustellung wird", "Zustellungen werden")} erneut gesendet`,
    events: {
      "extraction.completed": "Extraktion fertig",
      "extraction.failed": "Extraktion fehlgeschlagen",
      "batch.completed": "Stapel fertig",
      test: "Test"
    },
    attemptCount: (count) => `${count} ${plural(count, "Versuch", "Versuche")}`,
    delivery: "Zustellung",
    next: "Nächster Versuch",
    redeliver: "Erneut senden",
    attempts: "Versuche",
    attempt: (number) => `Versuch ${number}`,
    noAttempts: "Noch keine Versuche.",
    answer: "Antwort des Endpunkts"
  },
  secret: { once: "Dies wird nur einmal angezeigt. Kopieren Sie es jetzt.", kept: "Ich habe es gesichert" },
  apiKeys: {
    hint: "Programme melden sich mit einem API-Schlüssel an. Ihre Extraktionen erscheinen auch hier.",
    create: "Schlüssel erstellen",
    name: "Name",
    nameHint: "Zum Beispiel: nächtlicher Import",
    daily: "Maximale Credits pro Tag",
    perDay: (credits) => `höchstens ${credits} Credits pro Tag`,
    lastUsed: "zuletzt benutzt",
    neverUsed: "nie benutzt",
    emptyTitle: "Noch keine API-Schlüssel",
    emptyText: "Erstellen Sie einen für ein Programm, die Befehlszeile oder einen Assistenten.",
    use: "Zum Ausprobieren:",
    revoke: "Widerrufen",
    revokeOf: (name) => `${name} widerrufen`,
    revokeTitle: (name) => `„${name}“ widerrufen?`,
    revokeText:
      "Programme mit diesem Schlüssel haben sofort keinen Zugriff mehr. Das lässt sich nicht rückgängig " +
      "machen."
  },
  schemas: {
    hint:
      "Ein Schema legt fest, welche Werte extrahiert werden. Jede Version hat eine eigene Kennung und " +
      "ändert sich nie.",
    create: "Neues Schema",
    emptyTitle: "Noch keine Schemas gespeichert",
    emptyText: "Speichern Sie eines, um es hier und in Programmen über seine Kennung zu benutzen.",
    name: "Name",
    version: (version) => `Version ${version}`,
    saveNext: (version) => `Als Version ${version} speichern`,
    saved: (name, version) => `${name} als Version ${version} gespeichert`,
    never: "Frühere Versionen ändern sich nicht.",
    nameField: "Benennen Sie mindestens ein Feld.",
    deleteTitle: (name, version) => `${name}, Version ${version}, löschen?`,
    deleteText: "Aufträge mit dieser Kennung werden abgewiesen. Frühere Ergebnisse bleiben.",
    tryOn: "An einer früheren Extraktion ausprobieren",
    tryHint:
      "Öffnet das Formular mit derselben Adresse und diesem Schema. Sie sehen den Preis, bevor Sie beginnen."
  },
  billing: {
    balance: "Guthaben",
    buy: (credits, price) => `${credits} Credits für ${price} kaufen`,
    buyHint: "Sie bezahlen auf einer Seite des Zahlungsdienstes und kommen hierher zurück.",
    paid: "Danke. Die Credits erscheinen hier, sobald die Zahlung bestätigt ist, meist in wenigen Sekunden.",
    topUp: "Für weitere Credits wenden Sie sich an Ihren Betreiber. 10.000 Credits entsprechen 1 US-Dollar.",
    usage: "Verbrauch nach Tagen",
    usedInAll: (credits, days) => `${credits} Credits in ${days} Tagen`,
    asTable: "Als Tabelle anzeigen",
    day: "Tag",
    ledger: "Buchungen",
    when: "Wann",
    what: "Was",
    credits: "Credits",
    after: "Guthaben danach",
    csv: "Als CSV herunterladen",
    runOf: (date) => `Extraktion vom ${date}`,
    kinds: {
      debit: "Abbuchung",
      refund: "Erstattung",
      top_up: "Aufladung",
      bonus: "Bonus",
      adjustment: "Korrektur"
    }
  },
  account: {
    facts: "Konto",
    name: "Name",
    id: "Kennung",
    plan: "Tarif",
    runningMax: "Gleichzeitige Extraktionen",
    waitingMax: "Extraktionen in der Warteschlange",
    maxDuration: "Maximale Videolänge",
    retention: "Aufbewahrung",
    days: (count) => `${count} ${plural(count, "Tag", "Tage")}`,
    look: "Darstellung",
    theme: "Farben",
    themes: { system: "System", light: "Hell", dark: "Dunkel" },
    language: "Sprache",
    shortcuts: "Kürzel mit einzelnen Tasten",
    signOut: "Abmelden",
    sessions: "Sitzungen",
    thisBrowser: "dieser Browser",
    someBrowser: "Unbekannter Browser",
    signedInAt: "seit",
    members: "Mitglieder",
    membersHint:
      "Personen, die sich über Ihren Anmeldedienst ohne Link des Betreibers anmelden dürfen. Eingeladene " +
      "nehmen bei der nächsten Anmeldung an und haben dann vollen Zugriff auf das Konto.",
    memberEmail: "E-Mail-Adresse",
    addMember: "Einladen",
    invitedUntil: "eingeladen bis",
    withdraw: "Zurückziehen",
    withdrawTitle: (name) => `Einladung an ${name} zurückziehen?`,
    withdrawText: "Die Person kann sie dann nicht mehr annehmen. Sie können sie erneut einladen.",
    memberSince: "Mitglied seit",
    remove: "Entfernen",
    removeTitle: (name) => `${name} entfernen?`,
    removeText: "Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden.",
    madeThese: "Von ihr stammen:",
    madeKey: (name) => `API-Schlüssel „${name}“`,
    madeEndpoint: (url) => `Webhook-Endpunkt ${url}`,
    madeInvitation: (email) => `Einladung an ${email}`,
    revokeMade: "Alles widerrufen. Programme mit diesen Schlüsseln funktionieren sofort nicht mehr.",
    mcp: "Mit einem Assistenten verwenden (MCP)",
    mcpText: "Fügen Sie das den MCP-Servern Ihres Assistenten hinzu, mit einem Ihrer API-Schlüssel:",
    signOutAll: "Überall abmelden",
    signOutAllText:
      "Jeder Browser wird abgemeldet, auch dieser, und ungenutzte Anmeldelinks gelten nicht mehr."
  },
  operator: {
    title: "Betrieb",
    token: "Admin-Token",
    tokenHint:
      "WINNOW_ADMIN_TOKEN oder die Datei admin-token im Datenordner. Es wird nur gespeichert, bis diese " +
      "Seite geschlossen wird.",
    wrong: "Das ist nicht das Admin-Token dieses Servers.",
    enter: "Weiter",
    back: "Zur Web-App",
    ready: "Bereit",
    newAccount: "Name eines neuen Kontos",
    create: "Konto anlegen",
    find: "Konto nach Name oder Kennung suchen",
    topUp: "Aufladen",
    toppedUp: (balance) => `Das Guthaben ist jetzt ${balance}`,
    creditsFor: (name) => `Credits für ${name}`,
    signInLink: "Anmeldelink",
    linkUntil: (date) => `Gilt einmal, bis ${date}.`,
    signOutAll: "Überall abmelden",
    signedOut: "Alle Sitzungen des Kontos sind beendet",
    load: "Auslastung",
    running: "In Arbeit",
    waiting: "Wartend",
    oldest: "Längste Wartezeit",
    seconds: (count) => `${count} s`,
    webhooks: "Ausstehende Webhooks",
    memory: "Speicher dieses Prozesses",
    disk: "Freier Speicherplatz",
    places: { data: "Datenordner", artifacts: "Dateien" },
    plan: "Tarif",
    failures: "Fehlschläge nach Grund",
    noFailures: "Keine Extraktion ist fehlgeschlagen.",
    ofProcess: "Gezählt vom antwortenden Prozess seit seinem Start.",
    onTrial: (version: string) => `${version} wird erprobt`,
    available: (version: string) => `${version} ist verfügbar: winnow programs update`,
    reads: (read: string, failed: string) => `${read} gelesen, ${failed} fehlgeschlagen`,
    otherHosts: "Andere Hosts"
  },
  address: {
    label: "Adresse",
    hint: "Eine öffentliche Seite mit Video, Bildern oder Artikel. Einfügen geht überall auf dieser Seite.",
    fault: "Das ist keine Webadresse. Sie beginnt mit https:// oder http://."
  },
  parts: {
    parts: "Was geladen wird",
    inputs: "Was das Modell liest",
    names: { transcript: "Transkript", comments: "Kommentare", audio: "Ton", video: "Video" },
    price: (credits) => `+ ${credits} Credits`,
    notHere: "hier nicht verfügbar"
  },
  schema: {
    question: "Werte extrahieren?",
    choices: {
      none: "Nein, nur herunterladen",
      saved: "Mit gespeichertem Schema",
      own: "Mit eigenen Feldern",
      auto: "Das Modell entscheidet"
    },
    choiceHints: {
      none: "Dateien und Metadaten",
      saved: "Eigenes oder vorgegebenes",
      own: "Benennen Sie, was Sie wissen wollen",
      auto: "Es erstellt ein Schema und speichert es"
    },
    saved: "Schema",
    choose: "Schema wählen …",
    mine: "Von Ihnen gespeichert",
    predefined: "Vorgegeben",
    version: (name, version) => `${name}, Version ${version}`,
    prompt: "Hinweise für das Modell",
    promptHint: "Zum Beispiel: Preise in Euro, Namen wie geschrieben",
    editAs: "Bearbeiten als",
    asFields: "Felder",
    asText: "JSON Schema",
    text: "JSON Schema",
    textHint: "JSON Schema eines Objekts, höchstens 100 KB.",
    onlyText: "Dieses Schema ist zu komplex für die Liste der Felder und wird deshalb als Text bearbeitet.",
    syntax: (line) =>
      line === null ? "Das ist kein gültiges JSON." : `Das ist kein gültiges JSON: siehe Zeile ${line}.`,
    notObject: "Das Schema muss ein JSON-Objekt sein.",
    namesNothing:
      "Dieses Schema benennt keinen Wert, es gäbe also nichts zu extrahieren. Ergänzen Sie eine Eigenschaft.",
    fieldName: "Name",
    fieldType: (name) => `Typ von ${field(name, "neues Feld")}`,
    fieldMeans: (name) => `Bedeutung von ${field(name, "neues Feld")}`,
    fieldMeansHint: "Was es bedeutet (optional)",
    types: {
      text: "Text",
      number: "Zahl",
      integer: "Ganze Zahl",
      boolean: "Ja oder nein",
      date: "Datum",
      texts: "Liste von Texten"
    },
    required: "Pflichtfeld",
    removeField: (name) => `${field(name, "Dieses Feld")} entfernen`,
    addField: "Feld hinzufügen",
    repeated: (name) => `Zwei Felder heißen ${name}. Geben Sie jedem einen eigenen Namen.`
  },
  options: {
    title: "Weitere Einstellungen",
    language: "Sprache des Transkripts",
    languageHint: "Original, oder de, en, pt-BR …",
    policy: "Wenn etwas fehlt",
    policies: {
      fallback: "Mit Warnung fortfahren",
      strict: "Abbrechen und erstatten",
      "best-effort": "Ohne Warnung fortfahren"
    },
    webhookUrl: "Auch diesen Webhook benachrichtigen",
    force: "Kein vorhandenes Ergebnis wiederverwenden",
    speech: "Ton transkribieren, wenn es keine Untertitel gibt",
    speechHint: "Dann kommt der Preis für den Ton hinzu. Er wird erstattet, wenn es Untertitel gibt.",
    auto: "Mit Text beginnen, Ton und Video nur bei Bedarf",
    maxSpend: "Höchstens ausgeben (Credits)"
  },
  price: {
    title: "Preis",
    paste: "Fügen Sie eine Adresse ein, um den genauen Preis zu sehen. Die Preisabfrage ist kostenlos.",
    asking: "Der Preis wird abgefragt …",
    chooseSchema: "Wählen Sie ein Schema, um den Preis zu sehen.",
    fixSchema: "Beheben Sie den Fehler im Schema, um den Preis zu sehen.",
    nameField: "Benennen Sie mindestens ein Feld, um den Preis zu sehen.",
    enterSpend: "Geben Sie an, was es höchstens kosten darf, um den Preis zu sehen.",
    long: (clock) => `${clock} lang`,
    images: (count) => `${count} ${plural(count, "Bild", "Bilder")}`,
    hasSubtitles: "mit Untertiteln",
    hasComments: "mit Kommentaren",
    cached: "aus einer gleichen Extraktion von vor Kurzem",
    unknownLength: "Die Länge ist unbekannt: 5 Minuten werden abgebucht, der Überschuss wird erstattet.",
    lacks: (credits) => `Ihrem Guthaben fehlen ${credits} Credits.`,
    extract: "Extrahieren",
    extractFree: "Kostenlos extrahieren",
    extractFor: (credits, unit) => `Für ${credits} ${unit} extrahieren`,
    promise: "Was nicht gefunden wird, wird erstattet. Ein fehlgeschlagener Lauf kostet nichts."
  },
  code: {
    title: "Aus einem Programm verwenden",
    kinds: { curl: "curl", typescript: "TypeScript", cli: "Befehlszeile" }
  }
};
