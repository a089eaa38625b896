import type { SignalTexts } from '../en/console-signal.js';

/** Texts of the console's page about the signal. */
export const signalTexts: SignalTexts = {
  signal: {
    title: 'Zahlen',
    what: 'die Zahlen',
    none: 'Noch keine Zahlen',
    noneText: 'Zahlen gibt es mit der ersten Stelle und ihren abgeschlossenen Bewertungen.',
    total: 'Alle Stellen',
    asOf: 'Stand',
    now: 'jetzt',
    endOf: (date) => `Ende des ${date}`,
    funnel: 'Von der Bewertung zur Einstellung',
    step: 'Schritt',
    count: 'Anzahl',
    ofCompleted: 'Anteil',
    steps: {
      completed: 'Abgeschlossen',
      recorded: 'Ergebnis eingetragen',
      passed: 'Gespräch bestanden',
      hired: 'Eingestellt',
    },
    stages: {
      title: 'Zeit je Abschnitt',
      what: 'die Zeiten',
      text: 'Wie lange Bewerbungen von einem Abschnitt zum nächsten brauchen, ab der Einladung.',
      name: 'Abschnitt',
      median: 'Die Hälfte bis',
      p90: 'Neun von zehn bis',
      stage: {
        started: 'Bis zum Beginn',
        completed: 'Bis zum Abschluss',
        evaluated: 'Bis zur Auswertung',
        decided: 'Bis zum Ergebnis',
      },
      newestOnly: (count) => `Von den neuesten ${count} Bewerbungen.`,
    },
    outcomes: 'Ergebnisse',
    outcome: {
      awaiting: 'Noch kein Ergebnis',
      passed: 'Gespräch bestanden',
      failed: 'Nicht bestanden',
      hired: 'Eingestellt',
      declined: 'Abgelehnt',
    },
    applications: 'Bewerbungen im Moment',
    whatApplications: 'der Stand der Bewerbungen',
    scores: 'Punktzahlen nach Ergebnis',
    showScores: 'Verteilung zeigen',
    whatScores: 'die Punktzahlen',
    score: 'Punktzahl',
    scoresOf: (count, isCut) =>
      isCut
        ? `Die neuesten ${count} Auswertungen mit Punktzahl.`
        : `Alle Auswertungen mit Punktzahl: ${count}.`,
    perRole: 'Je Stelle',
  },
};
