import { expect, it } from '@jest/globals';
import { answeredLines, createLogger } from './log.js';

const request = {
  requestId: 'A.b_c-9',
  correlationId: 'd9ac0c52-2b2f-4a1c-8f26-d1b1fca4d6b5',
  method: 'GET',
  route: '/organisations/:orgId/signal',
  status: 200,
  durationMs: 1.234,
};

it('writes the line of an answered request as the log writes any other', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  answeredLines(logger)(request);
  logger.info(request, 'answered');
  const [own = '', general = ''] = lines.map((line) => line.replace(/"time":"[^"]*"/, '"time":""'));
  expect(own).toBe(general);
  expect(JSON.parse(own)).toEqual({ level: 'info', time: '', ...request, msg: 'answered' });
});

it('leaves it out where the level is higher', () => {
  const lines: string[] = [];
  answeredLines(createLogger('warn', { write: (line) => void lines.push(line) }))(request);
  expect(lines).toEqual([]);
});
