import { expect, it } from '@jest/globals';
import { refusedWork } from './refused-work.js';

// `hostile-archives.spec` compares every sentence.
it.each([
  [
    'The path “in.zip” is a zip archive by its content. Hand in what it holds, as files of this one.',
    'Der Pfad „in.zip“ ist nach seinem Inhalt ein zip-Archiv. Geben Sie die Dateien darin selbst ab.',
  ],
  [
    'The path “is {} there $& twice.” differs from “IS {} THERE $& TWICE.” only in upper and lower case, or in how its letters are encoded.',
    'Der Pfad „is {} there $& twice.“ unterscheidet sich von „IS {} THERE $& TWICE.“ nur durch Groß- und Kleinschreibung oder dadurch, wie seine Buchstaben kodiert sind.',
  ],
  [
    'You have handed in 20 times for this ticket: there can be no more. The last one counts.',
    'Sie haben für diese Aufgabe 20-mal abgegeben, mehr ist nicht möglich. Die letzte Abgabe zählt.',
  ],
  ['A sentence of a later release.', 'A sentence of a later release.'],
])('a reason for which work is refused is in German, with the names as they are: %s', (english, german) => {
  expect(refusedWork(english)).toBe(german);
});
