import { describe, expect, it } from '@jest/globals';
import { silentLog, Troubles } from './log.js';

describe('Troubles', () => {
  it('are said when they come, become others, or come again', () => {
    const lines: string[] = [];
    const troubles = new Troubles({
      ...silentLog,
      warn: (fields, message) => lines.push(`${message} ${(fields as { reason: string }).reason}`),
    });
    for (const reason of ['away', 'away', 'slow', 'slow', 'away']) troubles.warn('lease a', { reason }, 'A:');
    troubles.warn('lease b', { reason: 'away' }, 'B:');
    troubles.over('lease a');
    troubles.warn('lease b', { reason: 'away' }, 'B:');
    troubles.warn('lease a', { reason: 'away' }, 'A:');
    expect(lines).toEqual(['A: away', 'A: slow', 'A: away', 'B: away', 'A: away']);
  });
});
