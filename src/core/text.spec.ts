import { expect, it } from '@jest/globals';
import { urlOf } from './text.js';

it('is the URL that a text is, or none', () => {
  expect(urlOf('https://example.org/a?b')?.pathname).toBe('/a');
  for (const text of ['', 'example.org', '/path', 'https://', 'http://[::1', 'https://a b/'])
    expect(urlOf(text)).toBeNull();
});

it('stays the same however often it is asked', () => {
  const hosts = new Set<string | undefined>();
  for (let n = 0; n < 20_000; n++) hosts.add(urlOf('https://bücher.example/')?.hostname);
  expect([...hosts]).toEqual(['xn--bcher-kva.example']);
});
