import { describe, expect, it } from '@jest/globals';
import { asyncApiBreaks, mayBreak, openApiBreaks } from '../contract/changes.js';
import { DOCUMENTS, kept, lastPublished, served } from '../contract/kept.js';

const BREAKS = { openapi: openApiBreaks, asyncapi: asyncApiBreaks };
const versionOf = (document: Readonly<Record<string, unknown>>): string =>
  (document.info as { readonly version: string }).version;

describe('the contract', () => {
  it('is kept as it is served: `npm run contract:write` writes it', async () => {
    const now = await served();
    for (const name of DOCUMENTS) expect({ [name]: now[name] }).toEqual({ [name]: kept(name) });
  });

  it('breaks no client without a version that says so', () => {
    const published = lastPublished();
    for (const name of DOCUMENTS) {
      const [before, after] = [kept(name, published), kept(name)];
      expect(versionOf(before)).toBe(published);
      const breaks = BREAKS[name](before, after);
      if (!mayBreak(published, versionOf(after))) expect({ [name]: breaks }).toEqual({ [name]: [] });
    }
  });
});
