import { describe, expect, it } from '@jest/globals';
import { logOf, storedSession, withData, withMetadata } from '../../../test/evidence/evidence-log.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { StoreUnusable } from '../../core/errors.js';
import { Sealer } from '../../core/sealing.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { currentRuleSet } from '../../scoring/rule-sets.js';
import { recomputeAll } from './recompute.js';

const progress = { begin: () => undefined, update: () => undefined, end: () => undefined };

describe('a recompute of results of which some are damaged', () => {
  it('goes on to the others, and names each with its reason', async () => {
    const vault = new MemoryVault();
    const made = () => storedSession(vault);
    const sessions = await Promise.all([made(), made(), made(), made(), made()]);
    const [, changed, cut, refused, keyless] = sessions;
    vault.known.delete(keyless.person);
    const events = sessions.flatMap((session) => {
      if (session === changed)
        return session.events.with(
          2,
          withMetadata(session.events[2]!, (text) =>
            text.replace(/"personal":"(....)/, '"personal":"$1AAAA'),
          ),
        );
      if (session === cut)
        return session.events.with(
          2,
          withData(session.events[2]!, () => '{'),
        );
      return session.events;
    });
    const log = logOf(events);
    const side = {
      log: {
        ...log,
        readStream: (...[stream, options]: Parameters<typeof log.readStream>) => {
          if (stream === `trial-${refused.session}`) throw new StoreUnusable('The page is torn.');
          return log.readStream(stream, options);
        },
        ordinal: () => 0,
      },
      codec: createCodec(eventRegistry, new Sealer(vault)),
      unit: 'events',
    } as const;
    const report = await recomputeAll(side, {
      ruleSet: currentRuleSet,
      examples: 9,
      progress,
      signal: new AbortController().signal,
    });
    expect(report).toMatchObject({ evaluations: 5, recomputed: 1, erased: 0, unusable: 4 });
    expect(report.unusableExamples).toEqual([
      { evaluationId: changed.evaluation, reason: expect.stringContaining('changed in the store') },
      { evaluationId: cut.evaluation, reason: expect.stringContaining('not a JSON object') },
      { evaluationId: refused.evaluation, reason: 'The page is torn.' },
      { evaluationId: keyless.evaluation, reason: expect.stringContaining('neither a key') },
    ]);
  });
});
