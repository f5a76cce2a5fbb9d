/** The app's texts in German, with the formal address (Sie). */
import type { FirstWords } from "./words.ts";

export const de: FirstWords = {
  skip: "Zum Inhalt",
  loading: "Lädt …",
  more: "Mehr anzeigen",
  cancel: "Abbrechen",
  close: "Schließen",
  save: "Speichern",
  delete: "Löschen",
  copy: "Kopieren",
  copied: "Kopiert",
  keysHint: "Tastenkürzel",
  undo: "Rückgängig",
  notes: "Hinweise",
  optional: "optional",
  made: "erstellt",
  none: "keine",
  yes: "Ja",
  no: "Nein",
  creditsUnit: () => "Credits",
  nav: {
    label: "Hauptnavigation",
    menu: "Menü",
    new: "Neue Extraktion",
    extractions: "Extraktionen",
    schemas: "Schemas",
    webhooks: "Webhooks",
    keys: "API-Schlüssel",
    billing: "Abrechnung",
    account: "Konto"
  },
  problem: {
    offline: "Sie sind offline. Es geht automatisch weiter, sobald die Verbindung steht.",
    unreachable: "Der Server ist nicht erreichbar. Vielleicht startet er gerade neu.",
    requestId: "Anfragekennung für Ihren Betreiber:",
    again: "Erneut versuchen",
    busy: "Viele Anfragen in kurzer Zeit. Es geht automatisch weiter.",
    againIn: (seconds) => `Erneut versuchen in ${seconds} s`
  },
  unknown: { title: "Seite nicht gefunden", text: "Diese Seite gibt es nicht. Weiter zu" },
  signedOut: {
    title: "Sie sind abgemeldet",
    text: "Öffnen Sie den Anmeldelink Ihres Betreibers. Jeder Link gilt einmal und 15 Minuten lang.",
    signIn: "Anmelden",
    signInWith: (issuer) => `Anmelden mit ${issuer}`,
    elsewhere: "Melden Sie sich in der Anwendung an, aus der Sie kommen, und kehren Sie dann zurück.",
    operator: "Sie betreiben diesen Server?",
    command: "Das gibt einen Anmeldelink für ein Konto aus:",
    operatorView: "Betreiberansicht öffnen"
  },
  kinds: { video: "Video", photos: "Fotos", webpage: "Webseite" },
  status: {
    done: "Fertig",
    noMatch: "Kein Treffer",
    uncertain: "Unsicher",
    failed: "Fehlgeschlagen",
    queued: "In der Warteschlange",
    waiting: "Startet",
    working: "Läuft"
  },
  filters: {
    label: "Filter",
    any: "Alle",
    search: "Suche",
    searchHint: "Titel oder Adresse",
    status: "Status",
    outcome: "Ergebnis",
    kind: "Art",
    statuses: {
      queued: "In der Warteschlange",
      pending: "Startet",
      running: "Läuft",
      complete: "Fertig",
      failed: "Fehlgeschlagen"
    },
    outcomes: { ok: "Werte gefunden", no_match: "Kein Treffer", uncertain: "Unsicher" }
  },
  list: {
    emptyTitle: "Noch nichts extrahiert",
    emptyText:
      "Fügen Sie die Adresse eines Videos, einer Bilderstrecke oder eines Artikels ein und sehen Sie den Preis.",
    noneFound: "Keine Extraktion passt zu diesen Filtern",
    showAll: "Alle Extraktionen anzeigen",
    again: "Erneut ausführen",
    peek: "Vorschau",
    peekAt: (name) => `Vorschau von ${name}`,
    open: "Öffnen",
    againOf: (name) => `${name} erneut ausführen`,
    cancelOf: (name) => `${name} abbrechen`,
    deleteOf: (name) => `${name} löschen`,
    deleted: "Extraktion gelöscht",
    madeBy: { api: "API", web: "Web-App", mcp: "MCP" },
    madeByKey: (key) => `Schlüssel „${key}“`
  }
};
