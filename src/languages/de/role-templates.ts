import type { RoleTemplateTexts } from '../en/shapes.js';

const process = 'Arbeitsweise';

export const roleTemplates: RoleTemplateTexts = {
  backend: {
    name: 'Backend-Entwicklung',
    description:
      'Dienste, Schnittstellen und ihre Daten: einen Fehler beheben oder eine Funktion ergänzen, mit Tests.',
    instructions:
      'Bearbeiten Sie die Aufgaben wie in Ihrem Team: Lesen Sie zuerst den Code, machen Sie eine Änderung, die Sie erklären können, und testen Sie sie. Wenn Sie einen Kompromiss eingehen, sagen Sie es in Ihrer Antwort.',
    correctness: {
      name: 'Funktionierender Code',
      rubric:
        'Die Änderung tut, was die Aufgabe verlangt, auch bei Eingaben am Rand und bei Ausfällen. Tests decken das Geänderte ab. Nichts, was vorher ging, ist kaputt.',
    },
    process: {
      name: process,
      rubric:
        'Sucht die Ursache, bevor etwas geändert wird. Arbeitet in kleinen Schritten und lässt nach jedem die Tests laufen. Sagt, was unsicher ist und warum eine Lösung gewählt wurde.',
    },
    questions: [
      { text: 'Wie haben Sie die Ursache des Fehlers gefunden?', about: 'process' },
      { text: 'Welche Eingabe könnte Ihre Lösung noch zum Scheitern bringen?', about: 'correctness' },
      { text: 'Was würden Sie ändern, bevor das unter zehnfacher Last läuft?', about: 'correctness' },
      { text: 'Wogegen haben Sie sich entschieden, und warum?', about: 'process' },
    ],
    ticket: {
      title: 'Die letzte Bestellung fehlt',
      description: [
        '`node statement.mjs < orders.csv` gibt aus, wie viel jede Kundin und jeder Kunde schuldet. Einige sagen, dass ihre letzte Bestellung darin fehlt.',
        '1. Finden Sie die Ursache und beheben Sie sie, mit einem Test, der vorher fehlschlug.\n2. Manche Bestellungen kommen aus einer Tabellenkalkulation: Die Zeilen dieser Dateien enden mit CRLF, und es können leere Zeilen folgen. Auch dann muss die Ausgabe stimmen.\n3. Wer insgesamt für mehr als 100,00 bestellt, bekommt 5 % Rabatt auf die ganze Summe. Ein halber Cent wird aufgerundet.',
        '`node --test` führt die Tests aus; Pakete brauchen Sie nicht. Schreiben Sie in wenigen Sätzen in `NOTES.md`, was die Ursache war und was offen bleibt.',
      ].join('\n\n'),
    },
  },
  frontend: {
    name: 'Frontend-Entwicklung',
    description: 'Oberflächen im Browser: Verhalten, Barrierefreiheit, Zustände, in denen etwas schiefgeht.',
    instructions:
      'Bauen Sie, was die Aufgaben beschreiben, so dass alle es benutzen können: mit der Tastatur, auf dem Telefon, bei langsamer Verbindung. Wählen Sie den einfachsten Entwurf, der geht, und sagen Sie, was Sie mit mehr Zeit verbessern würden.',
    correctness: {
      name: 'Funktionierende Oberfläche',
      rubric:
        'Die Oberfläche tut in jedem Zustand, was die Aufgabe verlangt: leer, ladend, gescheitert und voll. Sie geht mit der Tastatur und mit einem Screenreader. Tests decken ihr Verhalten ab.',
    },
    process: {
      name: process,
      rubric:
        'Geht von dem aus, was Menschen damit tun. Arbeitet in kleinen Schritten und sieht sich nach jedem das Ergebnis an. Erklärt die Abwägung zwischen Aufwand und Ergebnis.',
    },
    questions: [
      { text: 'Wie haben Sie geprüft, dass die Seite ohne Maus geht?', about: 'correctness' },
      {
        text: 'Was geschieht in Ihrer Lösung, wenn eine Anfrage auf halbem Weg scheitert?',
        about: 'correctness',
      },
      { text: 'In welcher Reihenfolge haben Sie sie gebaut, und warum?', about: 'process' },
      { text: 'Welchen Teil würden Sie mit einem weiteren Tag anders entwerfen?', about: 'process' },
    ],
    ticket: {
      title: 'Eine Suche, auf die Verlass ist',
      description: [
        'Die Seite in `index.html` durchsucht die Artikel eines Geschäfts, während jemand tippt. `articles.mjs` steht für einen Dienst, der langsam ist und manchmal nicht antwortet: Lassen Sie die Datei, wie sie ist. Um die Seite zu sehen, stellen Sie den Ordner bereit, etwa mit `python3 -m http.server`.',
        '1. Zeigen Sie, in welchem Zustand die Suche ist: nichts eingegeben, sie sucht, gefunden, nichts gefunden und gescheitert, mit der Möglichkeit, es noch einmal zu versuchen.\n2. Eine Antwort auf eine frühere Eingabe darf die Antwort auf die jetzige nicht ersetzen.\n3. Das Gefundene soll mit der Tastatur zu erreichen sein, und ein Screenreader soll sagen, wie viel gefunden wurde.\n4. Die Seite soll auf einem Telefon mit 320 Pixeln Breite gehen.',
        'Schreiben Sie in wenigen Sätzen in `NOTES.md`, wie Sie es ausprobiert haben und was Sie mit mehr Zeit verbessern würden.',
      ].join('\n\n'),
    },
  },
  data: {
    name: 'Datenanalyse',
    description: 'Fragen, die Daten beantworten: Abfragen, Prüfung der Daten, Schlüsse, die tragen.',
    instructions:
      'Beantworten Sie die Fragen der Aufgaben mit den Daten, die Sie bekommen. Prüfen Sie die Daten, bevor Sie ihnen trauen. Schreiben Sie Ihre Annahmen auf, und sagen Sie bei jeder Antwort, wie sicher Sie sind.',
    correctness: {
      name: 'Tragfähige Ergebnisse',
      rubric:
        'Die Zahlen stimmen und lassen sich aus den Daten erneut berechnen. Fehlende, doppelte und falsche Einträge sind gefunden und behandelt. Die Schlüsse folgen aus den Zahlen.',
    },
    process: {
      name: process,
      rubric:
        'Sieht sich die Daten an, bevor gerechnet wird. Prüft Ergebnisse auf einem zweiten Weg. Nennt Annahmen und Grenzen so, dass auch Menschen ohne Datenkenntnisse sie verstehen.',
    },
    questions: [
      { text: 'Was hat Sie in den Daten überrascht?', about: 'process' },
      { text: 'Wie haben Sie geprüft, dass Ihre Zahlen stimmen?', about: 'correctness' },
      { text: 'Bei welchem Schluss sind Sie am wenigsten sicher, und warum?', about: 'correctness' },
      { text: 'Wie würden Sie Ihr Ergebnis jemandem erklären, der eine Minute hat?', about: 'process' },
    ],
    ticket: {
      title: 'Wer kündigt früh?',
      description: [
        '`customers.csv` hat eine Zeile für jede Anmeldung eines Monats: wann, den Tarif, das Land, wann gekündigt wurde (leer: noch nicht) und wie viele Fragen in der ersten Woche gestellt wurden. Niemand hat die Daten geprüft.',
        '1. Wie viele haben innerhalb von 30 Tagen nach der Anmeldung gekündigt?\n2. Was haben sie gemeinsam?\n3. Was sollte das Unternehmen als Erstes tun?',
        'Schreiben Sie in `answer.md` eine Seite für die Produktleitung. Ergänzen Sie, wie Sie die Zahlen berechnet haben, welche Zeilen Sie warum nicht mitgezählt haben und wie sicher Sie bei jeder Antwort sind. Jedes Werkzeug ist recht: Geben Sie auch ab, was Sie damit gemacht haben.',
      ].join('\n\n'),
    },
  },
  support: {
    name: 'Technischer Support',
    description: 'Probleme von Kundinnen und Kunden: eingrenzen, lösen und Antworten schreiben, die helfen.',
    instructions:
      'Die Aufgaben sind Anfragen von Kundinnen und Kunden. Finden Sie heraus, was dahintersteckt, lösen Sie, was Sie lösen können, und schreiben Sie die Antwort, die Sie senden würden. Wenn Sie mehr wissen müssen, schreiben Sie auf, was Sie fragen würden.',
    correctness: {
      name: 'Gelöstes Problem',
      rubric:
        'Die Ursache ist gefunden, und die Lösung geht. Die Antwort ist richtig und vollständig, und man kann ihr ohne Hilfe folgen.',
    },
    process: {
      name: process,
      rubric:
        'Grenzt das Problem Schritt für Schritt ein. Fragt, was nötig ist, und nichts sonst. Schreibt freundlich und klar und übergibt, was andere lösen müssen, mit allem, was sie brauchen.',
    },
    questions: [
      { text: 'Wie haben Sie das Problem eingegrenzt?', about: 'process' },
      { text: 'Woher wissen Sie, dass Ihre Lösung für diese Person geht?', about: 'correctness' },
      { text: 'Wann hätten Sie die Anfrage übergeben, und an wen?', about: 'process' },
      { text: 'Was würde anderen dieses Problem ersparen?', about: 'correctness' },
    ],
    ticket: {
      title: 'Niemand kann sich anmelden',
      description: [
        'Ines von Lark Foods schreibt um 8:20 Uhr:',
        '> Guten Tag, seit heute früh kann sich niemand von uns 14 anmelden: „Zugriff verweigert (4031)“. Es ist dringend, wir haben mittags eine Lieferung! Hier hat niemand etwas geändert. Wir haben nur seit gestern neue E-Mail-Adressen, lark-foods.example statt larkfoods.example, aber das hat damit nichts zu tun. Bitte setzen Sie unsere Passwörter zurück. Ines',
        'Das Protokoll ihrer Organisation:',
        '```\n08:02:11 refused 4031 unknown_user ines@lark-foods.example\n08:02:40 refused 4031 unknown_user tom@lark-foods.example\n08:05:02 signed_in              admin@larkfoods.example\n08:06:19 refused 4031 unknown_user ines@lark-foods.example\n```',
        'Bis zu fünf Adressen können Sie selbst ändern. Für mehr braucht das Kontenteam eine Anfrage von jemandem, der bei der Kundin Administrator ist, von einer uns bekannten Adresse; es dauert zwei Stunden.',
        'Schreiben Sie:\n\n1. die Antwort, die Sie Ines senden,\n2. was Sie an wen übergeben,\n3. was anderen dieses Problem ersparen würde.',
      ].join('\n\n'),
    },
  },
};
