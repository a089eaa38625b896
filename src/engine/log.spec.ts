import { describe, expect, it } from '@jest/globals';
import { silentLog, RepeatedWarnings } from './log.js';

describe('RepeatedWarnings', () => {
  it('are said when they come, become others, or come again', () => {
    const lines: string[] = [];
    const warnings = new RepeatedWarnings({
      ...silentLog,
      warn: (fields, message) => lines.push(`${message} ${(fields as { reason: string }).reason}`),
    });
    for (const reason of ['away', 'away', 'slow', 'slow', 'away']) warnings.warn('lease a', { reason }, 'A:');
    warnings.warn('lease b', { reason: 'away' }, 'B:');
    warnings.resolved('lease a');
    warnings.warn('lease b', { reason: 'away' }, 'B:');
    warnings.warn('lease a', { reason: 'away' }, 'A:');
    expect(lines).toEqual(['A: away', 'A: slow', 'A: away', 'B: away', 'A: away']);
  });
});
