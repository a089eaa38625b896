import { describe, it } from '@jest/globals';
import * as fc from 'fast-check';
import { views } from '../../projections/index.js';
import { DocumentsRig } from '../support/documents-rig.js';
import { histories } from '../support/histories.js';

describe('Documents of the real views, replayed', () => {
  it('are those of the live passes, for any pages and any end of the log', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories({ maxActions: 80 }),
        fc.nat(),
        fc.integer({ min: 1, max: 40 }),
        async (history, cut, page) => {
          const rig = new DocumentsRig();
          await rig.append(...history.slice(0, 1 + (cut % history.length)));
          for (const view of views) {
            await rig.feed(view, rig.generation(view), page);
            await rig.expectFresh(view);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('are those of the live passes after a person was erased', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ maxActions: 60 }), fc.nat(), async (history, pick) => {
        const rig = new DocumentsRig();
        await rig.append(...history);
        for (const view of views) await rig.feed(view, rig.generation(view));
        const persons = [...rig.vault.known.keys()];
        if (persons.length > 0) await rig.vault.keys.erase(persons[pick % persons.length]!);
        for (const view of views) await rig.expectFresh(view);
      }),
      { numRuns: 5 },
    );
  });
});
