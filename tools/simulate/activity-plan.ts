import type { Random } from './random.js';

export interface PlannedActivity {
  readonly eventType: string;
  readonly payload: Readonly<Record<string, string | number>>;
  /** Seconds since the candidate began. */
  readonly at: number;
}

const QUESTIONS = [
  'Which of the two parsers does the report use?',
  'Should an empty list be an error or an empty report?',
  'ok',
  'I would rather add a test for the rounding first.',
  'The totals are off by one cent when the tax is split. Is that known?',
  'done',
];
const PATHS = ['src/parser.ts', 'src/report.ts', 'src/totals.ts', 'test/report.spec.ts'];

/** What a candidate does in one session: work on the role's tickets, talk, and now and then look away. */
export function planActivities(random: Random, ticketIds: readonly string[]): readonly PlannedActivity[] {
  const activities: PlannedActivity[] = [];
  let at = 0;
  let passed = 0;
  const act = (eventType: string, payload: PlannedActivity['payload'] = {}): void => {
    at += random.between(2, 9);
    activities.push({ eventType, payload, at });
  };
  const carefulness = random.next();
  for (const ticketId of ticketIds.length > 0 ? ticketIds : ['']) {
    if (ticketId !== '') act('ticket.started', { ticketId });
    for (let step = random.between(1, 5); step > 0; step -= 1) {
      if (random.chance(0.4)) act('message.sent', { text: random.pick(QUESTIONS), to: 'assistant' });
      act('file.changed', {
        path: random.pick(PATHS),
        linesAdded: random.between(1, carefulness > 0.4 ? 50 : 160),
        linesRemoved: random.between(0, 20),
      });
      if (!random.chance(carefulness)) continue;
      passed += random.between(0, 3);
      const failed = random.chance(0.4) ? random.between(1, 4) : 0;
      act('test.run', { passed, failed, durationMs: random.between(200, 9000) });
    }
    if (random.chance(0.2)) {
      const characters = random.between(40, 900);
      act('clipboard.pasted', { characters, nonBlankCharacters: Math.floor(characters * 0.8) });
    }
    if (random.chance(0.25)) {
      act('page.hidden');
      at += random.between(1, 60);
      act('page.shown');
    }
    if (random.chance(0.15)) at += 180;
    if (ticketId !== '' && random.chance(0.8)) act('ticket.finished', { ticketId });
  }
  if (random.chance(0.3)) act('editor.theme_changed', { theme: 'dark', 'a.b': 1, $where: '1' });
  return activities;
}
