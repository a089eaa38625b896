import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readReadsCursor, writeReadsCursor } from './reads.js';

describe('the cursor of a list of reads', () => {
  it('comes back as the place that it was made from', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        fc.uuid(),
        (at, id) => {
          const place = { at: at.toISOString(), id };
          expect(readReadsCursor(writeReadsCursor(place))).toEqual(place);
        },
      ),
    );
    expect(readReadsCursor(null)).toBeNull();
  });

  it('is refused where no list gave it', () => {
    const good = writeReadsCursor({ at: new Date(0).toISOString(), id: 'i' });
    const made = ['x', '1970 i', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z ', ' i'].map((text) =>
      Buffer.from(text).toString('base64url'),
    );
    for (const cursor of [...made, `${good}=`, `${good}AA`, 'é', `${good} `])
      expect(() => readReadsCursor(cursor)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (cursor) => {
        expect(() => readReadsCursor(cursor)).toThrow();
      }),
    );
  });
});
