import { describe, expect, it } from '@jest/globals';
import { connectMongo } from './connection.js';
import { parseMongoUrl } from './url.js';

describe('a MongoDB URL', () => {
  it('names its database by its path, `assay` without one, and is shown without credentials and options', () => {
    const cases = [
      ['mongodb://localhost', 'assay', 'mongodb://localhost/assay'],
      ['mongodb://localhost/', 'assay', 'mongodb://localhost/assay'],
      ['mongodb://localhost/?tls=true', 'assay', 'mongodb://localhost/assay'],
      ['mongodb://localhost?replicaSet=rs', 'assay', 'mongodb://localhost/assay'],
      ['mongodb://user:pass@a:1,b:2/views?authSource=admin', 'views', 'mongodb://a:1,b:2/views'],
      [
        'mongodb+srv://user:p%40ss%2F@cluster.example.org/v%2Di',
        'v-i',
        'mongodb+srv://cluster.example.org/v-i',
      ],
    ] as const;
    for (const [url, database, shown] of cases) {
      const signsIn = url.includes('@');
      expect(parseMongoUrl(url)).toEqual({ url, database, shown, signsIn });
    }
  });

  it('is refused where it is none or names no database for us, and nothing secret is told', async () => {
    const bad = [
      'http://localhost',
      'mongodb://',
      'mongodb://user:s3cret@',
      'mongodb://user:x@s3cret/w@host/db',
      'mongodb://user:s3cret?x@host/db',
      'mongodb://user:s3cret/x@host/db',
      'mongodb://user:s3cret@host/a.b',
      'mongodb://user:s3cret@host/admin',
      `mongodb://user:s3cret@host/${'x'.repeat(64)}`,
      'mongodb://user:s3cret%zz@host/db',
      'mongodb://user:s3cret@host:99999/db',
      'mongodb://user:s3cret@host/db?tls=maybe',
      'mongodb://user:s3cret@host/db?noSuchOption=1',
    ];
    for (const url of bad) {
      await expect(connectMongo(url)).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.not.stringContaining('s3cret'),
      });
    }
  });
});
