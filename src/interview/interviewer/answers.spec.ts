import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LANGUAGES } from '../../languages/languages.js';
import { type AnswerQuality, qualityOf } from './answers.js';

const examples: Readonly<Record<AnswerQuality, readonly string[]>> = {
  asks_again: [
    '',
    '   \n\t ',
    '…',
    '???',
    'Sorry?',
    'sorry',
    'Pardon me?',
    'What?',
    'Huh',
    'Could you repeat that?',
    'could you please repeat the question',
    'Um, sorry, can you say that again, please?',
    'Sorry, I did not understand. Could you repeat the question?',
    'i did not understand could you repeat that please',
    'I didn’t catch that.',
    'I don’t understand the question.',
    'What do you mean?',
    'What do you mean by error handling?',
    'okay what do you mean by step by step',
    'What does idempotent mean?',
    'Can you explain what you mean?',
    'Would you rephrase that for me?',
    'Please repeat.',
    'Come again?',
    'What was the question again?',
    'I am sorry, I am not sure I understand what you are asking.',
    "I'm afraid I couldn't hear you. Once more, please.",
    'May I hear the question again?',
  ],
  short: [
    'Yes.',
    'No, sorry.',
    'I don’t know.',
    'Nothing special.',
    'I always test.',
    'Testing, testing, testing, testing, testing, testing.',
    'I am a hard worker and I like it.',
    'Next question please.',
    'Yes, I can explain the question.',
    '好的',
  ],
  vague: [
    'I always try to do a good job and to keep everybody happy and to be careful with all things.',
    'communication is very important to me and i think that people should talk a lot with each other every day',
    'I need to be very organised and I like to work in a good team with nice people around me.',
    'Well it depends, usually it is fine, sometimes it is not, and you just have to see what works best.',
  ],
  full: [
    // What a request looks like, within an answer.
    'The customer asked me "what do you mean by fast", so I measured: the page took 4 seconds.',
    'Could you repeat that, I always ask my team, because a misunderstanding is expensive.',
    'I did not understand the legacy code at first, so I wrote tests around it before I changed anything.',
    'Sorry, that was my mistake: I deployed on a Friday and we lost two hours.',
    // Short, but it says something.
    'Postgres, because we needed real transactions.',
    'I rewrote the parser in Rust.',
    // As a recogniser writes it.
    'i found the bug in the payment service and then i added a test so that it could not come back',
    'we had about three hundred customers and the import broke every night',
    'my team used kafka before and i moved it to a simple queue because nobody understood it',
    // A second language.
    'I make first the test, then I change code, after I show to my colleague.',
    'Customer is angry because invoice was wrong two time, I speak with him and repair it.',
    'For example in my last company the deploy was by hand, I do script for it.',
    'In unserem Team habe ich die Tests mit Jest geschrieben und danach den Fehler gefunden.',
    'En mi trabajo con Angular hicimos pruebas cada semana y arreglamos muchos errores graves.',
    // Code.
    'You call the useEffect hook and clean it up when the component goes away again.',
    'the order_id column was missing an index and the whole table was scanned every time',
  ],
};

/** Any code points at all, lone surrogates among them. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 60 })
  .map((points) => String.fromCodePoint(...points));

/** The same in English and in German. */
const pairs: readonly (readonly [AnswerQuality, string, string])[] = [
  ['short', 'Yes.', 'Ja.'],
  ['short', 'I don’t know.', 'Ich weiß es nicht.'],
  ['short', 'I always test.', 'Ich teste immer.'],
  ['short', 'I am a hard worker and I like it.', 'Ich arbeite hart und ich mag das.'],
  ['short', 'I like good code and clean tests.', 'Ich mag guten Code und saubere Tests.'],
  [
    'vague',
    'I always try to do a good job and to keep everybody happy and to be careful with all things.',
    'Ich versuche immer, gute Arbeit zu leisten, alle Kollegen glücklich zu machen und mit allen Dingen vorsichtig zu sein.',
  ],
  [
    'vague',
    'communication is very important to me and i think that people should talk a lot with each other every day',
    'Kommunikation ist mir sehr wichtig und ich finde, dass Menschen jeden Tag viel miteinander sprechen sollten.',
  ],
  [
    'vague',
    'I need to be very organised and I like to work in a good team with nice people around me.',
    'Ich muss sehr organisiert sein und ich arbeite gern in einem guten Team mit netten Leuten um mich herum.',
  ],
  [
    'vague',
    'Quality and teamwork matter to me, and customers should always be happy with the work of the team.',
    'Qualität und Teamarbeit sind mir wichtig, und die Kunden sollten mit der Arbeit des Teams immer zufrieden sein.',
  ],
  ['full', 'I rewrote the parser in Rust.', 'Ich habe den Parser in Rust neu geschrieben.'],
  [
    'full',
    'i found the bug in the payment service and then i added a test so that it could not come back',
    'ich habe den fehler im zahlungsdienst gefunden und dann einen test geschrieben damit er nicht wiederkommt',
  ],
  [
    'full',
    'we had about three hundred customers and the import broke every night',
    'wir hatten etwa dreihundert kunden und der import brach jede nacht ab',
  ],
  [
    'full',
    'Postgres, because we needed real transactions.',
    'Postgres, weil wir echte Transaktionen brauchten.',
  ],
  [
    'full',
    'I make first the test, then I change code, after I show to my colleague.',
    'Ich mache erst den Test, dann ändere ich Code, danach zeige ich es dem Kollegen.',
  ],
  [
    'full',
    'For example in my last company the deploy was by hand.',
    'Zum Beispiel wurde in meiner letzten Firma von Hand ausgeliefert.',
  ],
  [
    'full',
    'We built a small queue for the invoices.',
    'Wir bauten eine kleine Warteschlange für die Rechnungen.',
  ],
  ['full', 'The integration tests took 40 minutes.', 'Die Integrationstests dauerten 40 Minuten.'],
];

describe('an answer in either language', () => {
  it.each(pairs)('is %s: %s', (quality, english, german) => {
    // Whatever language the interview is in: people mix them.
    for (const language of LANGUAGES)
      expect([qualityOf(english, language), qualityOf(german, language)]).toEqual([quality, quality]);
  });
});

describe('an answer', () => {
  for (const [quality, texts] of Object.entries(examples))
    it.each(texts)(`is ${quality}: %s`, (text) => {
      expect(qualityOf(text, 'en')).toBe(quality);
    });

  it('is judged in good time, whatever it is', () => {
    const before = performance.now();
    for (const piece of ['first ', 'what does ', 'a', 'I x ', 'sorry ', ', A', '🙂', '\u0301', '字'])
      qualityOf(piece.repeat(16_384), 'en');
    expect(performance.now() - before).toBeLessThan(3_000);
    fc.assert(fc.property(anyText, (text) => qualityOf(text, 'de') === qualityOf(text, 'de')));
  });

  it('asks for nothing again that is long, and never less for being said twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...examples.full), fc.string(), (answer, more) => {
        expect(qualityOf(`${answer} ${more}`, 'en')).toBe('full');
      }),
    );
  });
});
