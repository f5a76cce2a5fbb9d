/** German texts of the screen of one extraction. */
import { plural } from "./en.ts";
import type { RunWords } from "./words.ts";

export const deRun: RunWords = {
  steps: {
    inspecting: "Quelle wird untersucht",
    fetching: "Wird geladen",
    converting: "Wird umgewandelt",
    transcribing: "Wird transkribiert",
    analysing: "Wird analysiert",
    storing: "Wird gespeichert"
  },
  transcribed: (done: number, total: number, unit: "s" | "min") =>
    `${done} von ${total} ${unit} transkribiert`,
  run: {
    parts: "Bestandteile",
    partStates: {
      found: "gefunden",
      not_found: "bei der Quelle nicht vorhanden",
      lookup_failed: "Abruf fehlgeschlagen; erstattet"
    },
    title: "Extraktion",
    again: "Erneut ausführen",
    cancel: "Lauf abbrechen",
    deleteTitle: "Diese Extraktion löschen?",
    deleteText: "Ergebnis, Dateien und Anfrage werden endgültig entfernt. Die Buchungen bleiben.",
    underWay: "Das Ergebnis erscheint hier automatisch. Sie können diese Seite verlassen.",
    retryable: "Dieselbe Extraktion kann später gelingen.",
    final: "Ein erneuter Versuch hilft nicht.",
    fileCount: (count) => `${count} ${plural(count, "Datei", "Dateien")}`,
    player: "Player",
    transcript: "Transkript",
    lines: "Zeilen des Transkripts",
    follow: "Wiedergabe folgen",
    searchTranscript: "Im Transkript suchen",
    linesFound: (count) => `${count} ${plural(count, "Zeile", "Zeilen")}`,
    playFrom: (time) => `Ab ${time} abspielen`,
    onPage: (page) => `Seite ${page}`,
    markedAt: (time) => `Zitat markiert bei ${time}`,
    marked: "Zitat markiert",
    text: "Text",
    table: "Tabelle",
    description: "Beschreibung",
    values: "Werte",
    copyJson: "JSON kopieren",
    noValue: "nicht genannt",
    notQuoted: "nicht belegt",
    notSupported: "Dieses Zitat stützt den Wert nicht",
    backToValue: "Zurück zum Wert",
    sources: {
      transcript: "Transkript",
      comments: "Kommentare",
      page: "Seite",
      description: "Beschreibung",
      metadata: "Metadaten",
      structured: "strukturierte Daten",
      slides: "Bild"
    },
    files: "Dateien",
    downloadAll: "Alle herunterladen",
    images: "Bilder",
    imageNumber: (number) => `Bild ${number}`,
    comments: "Kommentare",
    somebody: "Unbekannt",
    likes: (count) => `${count}-mal gefällt das`,
    rawJson: "Ergebnis als JSON"
  },
  metadata: {
    title: "Metadaten der Quelle",
    hint: "Angaben der Quelle, jede mit der Stelle, an der sie steht.",
    fields: {
      title: "Titel",
      author: "Von",
      siteName: "Website",
      platform: "Plattform",
      publishedAt: "Veröffentlicht",
      modifiedAt: "Geändert",
      language: "Sprache",
      duration: "Länge",
      stats: "Statistik",
      tags: "Schlagwörter",
      captions: "Untertitel",
      canonicalUrl: "Adresse"
    },
    stats: {
      views: (count) => `${count} Aufrufe`,
      likes: (count) => `${count}-mal gefällt das`,
      comments: (count) => `${count} Kommentare`,
      shares: (count) => `${count}-mal geteilt`
    },
    captions: { people: "von Menschen", automatic: "automatisch" },
    origins: {
      "json-ld": "JSON-LD",
      "open-graph": "Open Graph",
      microdata: "Microdata",
      meta: "Meta-Angaben",
      page: "Text der Seite",
      document: "Dateieigenschaften",
      platform: "die Plattform"
    },
    chapters: "Kapitel",
    described: "Strukturierte Daten",
    types: {
      Product: "Produkt",
      Recipe: "Rezept",
      Event: "Veranstaltung",
      JobPosting: "Stelle",
      VideoObject: "Video",
      Article: "Artikel"
    },
    contradicts: "Die Quelle nennt widersprüchliche Werte für diese Felder, darum fehlen sie:"
  },
  statement: {
    title: "Kosten",
    debited: "Abgebucht",
    refunded: "Erstattet",
    paid: "Bezahlt",
    failed: "Der Lauf ist fehlgeschlagen, deshalb wurde alles erstattet.",
    notFound: "Was nicht gefunden wurde oder kürzer war als angenommen, wurde erstattet.",
    timeLine: "Zeitverlauf",
    submitted: "Beauftragt",
    waited: "Wartezeit",
    worked: "Laufzeit",
    settled: "Abgerechnet",
    inAll: "Insgesamt"
  }
};
