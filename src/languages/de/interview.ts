import type { InterviewTexts } from '../en/shapes.js';

/** The interviewer's words. */
export const interview: InterviewTexts = {
  manner: 'plain spoken German, with the polite "Sie"',
  quote: (name) => `„${name}“`,
  and: 'und',
  or: 'oder',
  greeting: (role) =>
    `Guten Tag und willkommen zu Ihrem Interview${role === '' ? '' : ` für die Stelle ${role}`}. Ich stelle Ihnen nacheinander einige Fragen und bitte Sie hin und wieder um ein Beispiel. Lassen Sie sich Zeit, und sagen Sie mir jederzeit, wenn ich eine Frage wiederholen soll. Hier kommt die erste.`,
  topics: {
    process: [
      {
        ask: (title) =>
          `Das Thema dieser Frage: ${title} Denken Sie bitte an eine Arbeit aus letzter Zeit, bei der es darauf ankam. Wie sind Sie vorgegangen, Schritt für Schritt?`,
        again: [
          (title) =>
            `Gern. Ich möchte wissen, wie Sie bei diesem Thema arbeiten: ${title} Nehmen Sie irgendeine Aufgabe, an die Sie sich erinnern. Was haben Sie zuerst getan, und was kam danach?`,
          (title) =>
            `Ich sage es einfacher. Das Thema: ${title} Erzählen Sie mir von einem Fall, in dem es wichtig war, und was Sie getan haben.`,
        ],
      },
      {
        ask: (title) =>
          `Als Nächstes möchte ich etwas zu diesem Thema hören: ${title} Erzählen Sie mir von einer Situation aus Ihrer eigenen Arbeit, was Sie entschieden haben und warum.`,
        again: [
          (title) =>
            `Gern. Es geht um dieses Thema: ${title} Beschreiben Sie bitte eine Situation, in der es eine Rolle spielte. Wie haben Sie sich entschieden?`,
          (title) =>
            `Mit anderen Worten, das Thema: ${title} Wie gehen Sie normalerweise damit um? Ein echtes Beispiel genügt.`,
        ],
      },
      {
        ask: (title) =>
          `Mein nächstes Thema: ${title} Wann ist dabei zuletzt etwas anders gelaufen, als Sie geplant hatten, und wie sind Sie damit umgegangen?`,
        again: [
          (title) =>
            `Natürlich. Mein Thema: ${title} Denken Sie an einen Fall, in dem dabei etwas nicht nach Plan lief. Was ist passiert, und was haben Sie getan?`,
          (title) =>
            `Ich frage einfacher. Das Thema: ${title} Was fiel Ihnen daran schwer, und wie haben Sie es gelöst?`,
        ],
      },
    ],
    correctness: [
      {
        ask: (title) =>
          `Mein Thema jetzt: ${title} Erzählen Sie mir von etwas, das Sie gemacht haben und das stimmen musste. Wie haben Sie dafür gesorgt?`,
        again: [
          (title) =>
            `Gern. Es geht um dieses Thema: ${title} Wie haben Sie geprüft, ob Ihre Arbeit stimmt? Nehmen Sie bitte eine Arbeit, an die Sie sich erinnern.`,
          (title) =>
            `Ich sage es einfacher. Das Thema: ${title} Woran erkennen Sie, dass Ihr Ergebnis richtig ist?`,
        ],
      },
      {
        ask: (title) =>
          `Das nächste Thema: ${title} Beschreiben Sie bitte einen Fehler, den Sie dabei gefunden haben. Wie haben Sie ihn gefunden, und woher wussten Sie, dass er behoben war?`,
        again: [
          (title) =>
            `Gern. Es geht um dieses Thema: ${title} Denken Sie an etwas, das falsch war und damit zu tun hatte. Wie haben Sie es bemerkt, und was haben Sie geändert?`,
          (title) =>
            `Mit anderen Worten, das Thema: ${title} Erzählen Sie mir von einem Problem damit, das Sie gelöst haben.`,
        ],
      },
      {
        ask: (title) =>
          `Ich möchte Sie auch zu diesem Thema fragen: ${title} Wie prüfen Sie dabei Ihre eigene Arbeit? Nehmen Sie bitte ein echtes Beispiel.`,
        again: [
          (title) =>
            `Natürlich. Es geht um dieses Thema: ${title} Angenommen, Sie sind gerade mit einer Arbeit fertig, die damit zu tun hat. Was tun Sie, bevor Sie sie an andere weitergeben?`,
          (title) =>
            `Einfacher gesagt, das Thema: ${title} Worauf achten Sie, um zu sehen, ob Ihre Arbeit daran gut ist?`,
        ],
      },
    ],
    other: [
      {
        ask: (title) =>
          `Ich möchte etwas über Ihre Erfahrung mit diesem Thema hören: ${title} Was haben Sie selbst gemacht?`,
        again: [
          (title) =>
            `Gern. Es geht um dieses Thema: ${title} Was haben Sie bisher getan, das damit zu tun hat?`,
          (title) =>
            `Ich sage es einfacher. Das Thema: ${title} Nennen Sie mir ein Beispiel dafür aus Ihrer eigenen Arbeit.`,
        ],
      },
      {
        ask: (title) =>
          `Machen wir mit diesem Thema weiter: ${title} Welche Ihrer Arbeiten zeigt es am besten, und was war Ihr Anteil daran?`,
        again: [
          (title) =>
            `Gern. Es geht um dieses Thema: ${title} Wählen Sie bitte eine Arbeit, die damit zu tun hat, und sagen Sie mir, was Sie dabei getan haben.`,
          (title) => `Mit anderen Worten, das Thema: ${title} Wo war es in Ihrer Arbeit wichtig?`,
        ],
      },
    ],
  },
  unnamedTopic: 'dieser Teil der Arbeit.',
  general:
    'Erzählen Sie mir bitte von einer Arbeit aus letzter Zeit, auf die Sie stolz sind. Was war Ihr Anteil daran?',
  generalAgain: [
    'Gern. Nehmen Sie irgendeine Arbeit aus letzter Zeit. Worum ging es, und was haben Sie selbst getan?',
    'Ich sage es einfacher. Woran haben Sie gearbeitet, und was haben Sie gemacht?',
  ],
  ownAgain: [
    (text) => `Gern, hier ist die Frage noch einmal. ${text}`,
    (text) => `Ich sage es noch einmal. ${text} Jedes Beispiel aus Ihrer eigenen Arbeit ist gut.`,
  ],
  afterFollowUp: [
    'Ich hatte um etwas mehr zur Frage davor gebeten.',
    'Ich meinte dieselbe Frage wie vorher, wenn möglich mit einem Beispiel.',
  ],
  followUps: {
    short: [
      [
        'Können Sie dazu etwas mehr sagen? Was genau haben Sie getan?',
        'Ich würde gern mehr hören. Wie lief das ab, von Anfang an?',
        'Bitte erzählen Sie weiter. Wie war die Lage, und was war Ihr Anteil daran?',
      ],
      [
        'Gibt es ein Beispiel, an das Sie sich gut erinnern? Was ist passiert, und wie ging es aus?',
        'Vielleicht hilft ein echter Fall. Was war das Problem, und was haben Sie dagegen getan?',
        'Alles, was Ihnen einfällt, ist gut. Was würden Sie zuerst tun, und warum?',
      ],
    ],
    vague: [
      [
        'Können Sie mir dafür ein Beispiel aus Ihrer eigenen Arbeit nennen?',
        'Können Sie das an einem Fall zeigen, an den Sie sich erinnern?',
        'Wann haben Sie das zuletzt getan, und wie ist es gelaufen?',
      ],
      [
        'Was haben Sie selbst dabei getan, und was kam dabei heraus?',
        'Welche Werkzeuge oder Schritte haben Sie gewählt, und warum diese?',
        'Woran haben Sie gemerkt, dass es funktioniert hat, und was würden Sie heute anders machen?',
      ],
    ],
  },
  closing: (hurried) =>
    hurried
      ? 'Unsere Zeit ist fast um, deshalb ist dies meine letzte Frage. Möchten Sie noch etwas hinzufügen?'
      : 'Vielen Dank, das waren meine Fragen. Möchten Sie noch etwas hinzufügen, bevor wir zum Ende kommen?',
  closingAgain: [
    'Gern. Ich wollte nur wissen, ob Sie noch etwas hinzufügen möchten, bevor wir zum Ende kommen.',
    'Wir sind am Ende. Wenn Sie mir noch etwas sagen möchten, können Sie es jetzt tun.',
  ],
};
