import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { nameOf, needBothClients, NoPlace, parsePlace } from './place.js';

describe('a place to copy from or to', () => {
  it('is a folder where it begins with no scheme', () => {
    expect(parsePlace('./data')).toEqual({ kind: 'folder', folder: resolve('data') });
    expect(parsePlace('/var/lib/a,b')).toEqual({ kind: 'folder', folder: '/var/lib/a,b' });
  });

  it('is two URLs, the second beginning where a second scheme does', () => {
    const events = 'esdb://admin:a,b@one:2113,two:2113/name?tls=false';
    const views = 'mongodb://u:p@one:27017,two:27017/assay?replicaSet=rs';
    const servers = { kind: 'servers', eventStoreUrl: events, mongoUrl: views };
    expect(parsePlace(`${events},${views}`)).toEqual(servers);
    expect(parsePlace(`${views},${events}`)).toEqual(servers);
    expect(parsePlace('kurrentdb+discover://one,mongodb+srv://two')).toEqual({
      kind: 'servers',
      eventStoreUrl: 'kurrentdb+discover://one',
      mongoUrl: 'mongodb+srv://two',
    });
  });

  it.each([
    ['', 'cannot be empty'],
    ['esdb://localhost:2113', 'the MongoDB URL is missing'],
    ['mongodb://localhost:27017', 'the EventStoreDB URL is missing'],
    ['http://localhost,mongodb://localhost', 'http:// is the scheme of neither'],
    ['esdb://a,mysql://b', 'mysql:// is the scheme of neither'],
    ['esdb://a,esdb://b', 'the MongoDB URL is missing'],
    ['esdb://a,mongodb://b,esdb://c', 'these are 3 URLs'],
  ])('is refused as %j', (text, why) => {
    expect(() => parsePlace(text)).toThrow(NoPlace);
    expect(() => parsePlace(text)).toThrow(why);
  });

  it('is named without what signs in to it', () => {
    const place = parsePlace(
      'esdb://me:p@ss@one:1,two:2/log?userKeyFile=k,mongodb://u:p%40@three/assay?tls=true',
    );
    expect(nameOf(place)).toBe('esdb://one:1,two:2/log,mongodb://three/assay');
    expect(nameOf(parsePlace('esdb://me:p?ss@one,mongodb://two'))).toBe('esdb://one,mongodb://two');
    expect(nameOf(parsePlace('/data'))).toBe('/data');
  });

  it('goes with another one of the same client', () => {
    const [old, successor] = [parsePlace('esdb://a,mongodb://b'), parsePlace('kdb://a,mongodb://b')];
    expect(needBothClients(old, successor)).toBe(true);
    expect(needBothClients(old, parsePlace('esdb+discover://c,mongodb://b'))).toBe(false);
    expect(needBothClients(old, parsePlace('./data'))).toBe(false);
  });
});
