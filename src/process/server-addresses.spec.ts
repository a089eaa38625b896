import { describe, expect, it } from '@jest/globals';
import { encryptedEnd, eventStoreProblem, mongodbNotice, mongodbProblem } from './server-addresses.js';

describe('the address of an EventStoreDB', () => {
  it.each([
    'esdb://localhost:2113?tls=false',
    'esdb://user:pass@10.0.0.1:2113',
    'esdb+discover://a:1,b:2,c:3/log?tls=true&nodePreference=leader',
    'kurrentdb://host',
    'kurrentdb+discover://host:2113/name',
    'kdb://[::1]:2113?tls=false',
  ])('may be %s while developing', (text) => {
    expect(eventStoreProblem(text, false)).toBeNull();
  });

  it.each(['', 'host', 'http://host', 'mongodb://host', 'esdb://', 'esdb://a,,b', 'esdb://a b', 'esdb:/a'])(
    'is not %j',
    (text) => {
      expect(eventStoreProblem(text, false)).toMatch(/^must be an address such as esdb:/);
    },
  );

  it.each([
    'esdb://a:99999',
    'esdb://a:0',
    'esdb://a:1,b:two',
    'esdb://[::1]:x',
    'esdb://::1',
    'esdb://a:',
    'esdb://u:p/w@a',
  ])('has a port that is one: %s', (text) => {
    expect(eventStoreProblem(text, false)).toMatch(/a port from 1 to 65535/);
    expect(mongodbProblem(text.replace('esdb', 'mongodb'), false)).toMatch(/a port from 1 to 65535/);
  });

  it.each([
    ['esdb://u:p4ss@db.example.org:2113?tls=false', /tls=false/],
    ['esdb://u:p4ss@127.0.0.1:2113,db:2113?TLS=false', /TLS=false|tls=false/],
    ['esdb://u:p4ss@db:2113?tlsVerifyCert=false', /certificate/],
    ['kurrentdb://u:p4ss@db:2113?tls-verify-cert=false', /certificate/],
    ['kurrentdb://u:p4ss@db:2113?TLS_Verify_Cert=false', /certificate/],
    ['esdb://db:2113', /user and a password/],
    ['esdb://admin:changeit@db:2113', /well-known password/],
    ['esdb://ops:ops@db:2113', /well-known password/],
    ['esdb://admin:change%69t@db:2113', /well-known password/],
  ])('is refused in production: %s', (text, sentence) => {
    expect(eventStoreProblem(text, true)).toMatch(sentence);
    expect(eventStoreProblem(text, false)).toBeNull();
  });

  it.each([
    'esdb://u:p4ss@db:2113',
    'esdb://127.0.0.1:2113?tls=false',
    'esdb://localhost:2113,[::1]:2114?tls=false',
    'esdb://db:2113?userCertFile=/c&userKeyFile=/k',
  ])('may be %s in production', (text) => {
    expect(eventStoreProblem(text, true)).toBeNull();
  });
});

describe('the address of a MongoDB', () => {
  it.each(['', 'mongo', 'postgres://h', 'esdb://h', 'mongodb://', 'mongodb://a,,b'])('is not %j', (text) => {
    expect(mongodbProblem(text, false)).toMatch(/^must be an address such as mongodb:/);
  });

  it.each([
    ['mongodb://u:p4ss@db/assay', /tls=true/],
    ['mongodb://u:p4ss@127.0.0.1,db/assay', /tls=true/],
    ['mongodb+srv://u:p4ss@db/assay?tls=false', /tls=true/],
    ['mongodb://u:p4ss@db/assay?tls=true&tlsInsecure=true', /certificate/],
    ['mongodb://u:p4ss@db/assay?ssl=true&tlsAllowInvalidHostnames=true', /certificate/],
    ['mongodb://db/assay?tls=true', /user and a password/],
    ['mongodb://root:example@db/assay?tls=true', /well-known password/],
    ['mongodb://assay:assay@db/assay?tls=true', /well-known password/],
  ])('is refused in production: %s', (text, sentence) => {
    expect(mongodbProblem(text, true)).toMatch(sentence);
    expect(mongodbProblem(text, false)).toBeNull();
  });

  it.each([
    'mongodb://u:p4ss@a:1,b:2/assay?replicaSet=rs0&tls=true',
    'mongodb+srv://u:p4ss@db/assay',
    'mongodb://localhost:27017/assay',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/assay',
    'mongodb://db/assay?tls=true&authMechanism=MONGODB-X509',
  ])('may be %s in production', (text) => {
    expect(mongodbProblem(text, true)).toBeNull();
  });
});

describe('the TLS end of an address', () => {
  it.each([
    ['esdb://a', ['a 2113'], null],
    ['esdb+discover://u:p@a:1,[::1]:2?tlsCAFile=/ca', ['a 1', '::1 2'], '/ca'],
    ['mongodb://u:p@a,b:5/assay?tls=true', ['a 27017', 'b 5'], null],
    ['mongodb://a/assay?ssl=true&tlsCAFile=/ca', ['a 27017'], '/ca'],
  ])('of %s is known', (text, hosts, authorityFile) => {
    const end = encryptedEnd(text);
    const named = end?.hosts.map(({ host, port }) => `${host} ${port}`);
    expect([named, end?.authorityFile]).toEqual([hosts, authorityFile]);
  });

  it.each(['esdb://a?tls=false', 'mongodb://a/assay', 'mongodb+srv://a/assay', 'nothing'])(
    'of %s is not there',
    (text) => {
      expect(encryptedEnd(text)).toBeNull();
    },
  );
});

describe('a certificate that is not verified outside production is told: of a MongoDB', () => {
  it.each([
    ['mongodb://db/assay?tls=true&tlsInsecure=true', 'tlsInsecure=true'],
    ['mongodb+srv://db/assay?tlsAllowInvalidCertificates=true', 'tlsAllowInvalidCertificates=true'],
    ['mongodb://db/assay?ssl=true&tlsAllowInvalidHostnames=true', 'tlsAllowInvalidHostnames=true'],
  ])('%s', (text, option) => {
    expect(mongodbProblem(text, false)).toBeNull();
    expect(mongodbNotice(text)).toMatch(`${option} in MONGODB_URL: the server’s certificate is not verified`);
  });

  it.each(['mongodb://db/assay?tls=true', 'mongodb://db/assay?tlsInsecure=true', 'mongodb+srv://db/assay'])(
    'nothing of %s',
    (text) => {
      expect(mongodbNotice(text)).toBeNull();
    },
  );
});
