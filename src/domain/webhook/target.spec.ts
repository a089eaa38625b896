import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isPublicAddress, MAX_URL, targetProblem } from './target.js';

const problem = (url: string): string | null => targetProblem(url, { allowPrivate: false });

describe('A target', () => {
  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com/path?token=a%20b',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com./',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('in the public internet is taken: %s', (url) => {
    expect(problem(url)).toBeNull();
  });

  it.each([
    ['', 'absolute https URL'],
    ['hooks.example.com', 'absolute https URL'],
    ['//hooks.example.com', 'absolute https URL'],
    ['http://hooks.example.com', 'absolute https URL'],
    ['ftp://hooks.example.com', 'absolute https URL'],
    ['javascript:alert(1)', 'absolute https URL'],
    ['file:///etc/passwd', 'absolute https URL'],
    ['https://', 'absolute https URL'],
    ['https://hooks.example.com:99999/', 'absolute https URL'],
    ['https://hooks.exam\nple.com/', 'absolute https URL'],
    [' https://hooks.example.com/', 'absolute https URL'],
    ['https:\\\\hooks.example.com\\', 'absolute https URL'],
    ['https://user@hooks.example.com/', 'password'],
    ['https://user:word@hooks.example.com/', 'password'],
    ['https://:word@hooks.example.com/', 'password'],
    ['https://hooks.example.com/#there', 'fragment'],
    ['https://hooks.example.com/#', 'fragment'],
    [`https://hooks.example.com/${'a'.repeat(MAX_URL)}`, '2000 characters'],
  ])('that is wrong in itself is refused: %j', (url, words) => {
    expect(problem(url)).toContain(words);
    expect(problem(url)).toMatch(/^url .*\.$/);
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'intranet',
    'db.internal',
    'printer.local',
    'box.lan',
    'nas.home.arpa',
    'localhost.localdomain',
    'localhost..',
    '127.0.0.1..',
    'hooks..example.com',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(126)}example.com`,
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:1::]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
  ])('in a network of somebody’s own is refused in every spelling: %s', (host) => {
    expect(problem(`https://${host}/`)).toContain('private or set apart');
    expect(targetProblem(`https://${host}/`, { allowPrivate: true })).toBeNull();
  });

  it('may be private and without TLS where that is allowed, and is nothing else', () => {
    const allowed = (url: string) => targetProblem(url, { allowPrivate: true });
    expect(allowed('http://localhost:3000/hook')).toBeNull();
    expect(allowed('ftp://localhost/')).toContain('https or http');
    expect(allowed('http://a:b@localhost/')).toContain('password');
  });

  const octet = fc.nat({ max: 255 });
  const isPrivate = ([a, b]: readonly number[]): boolean =>
    a === 10 || a === 127 || a === 0 || (a === 172 && b! >= 16 && b! < 32) || (a === 192 && b === 168);

  it('is judged alike however its IPv4 address is written', () => {
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const [a, b, c, d] = octets;
        const whole = ((a * 256 + b) * 256 + c) * 256 + d;
        const spellings = [
          octets.join('.'),
          `${octets.join('.')}.`,
          `${whole}`,
          `0x${whole.toString(16)}`,
          `0${whole.toString(8)}`,
          octets.map((part) => `0x${part.toString(16)}`).join('.'),
          `${a}.${b}.${c * 256 + d}`,
          `${a}.${(b * 256 + c) * 256 + d}`,
        ];
        const said = new Set(spellings.map((host) => problem(`https://${host}/`) === null));
        expect([...said]).toEqual([isPublicAddress(octets.join('.'))]);
        if (isPrivate(octets)) expect([...said]).toEqual([false]);
      }),
      { numRuns: 300 },
    );
  });

  it('is never an address that hides another one', () => {
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const [a, b, c, d] = octets.map((part) => part.toString(16).padStart(2, '0'));
        for (const prefix of ['::ffff:', '::', '64:ff9b::', '2002:'])
          expect(isPublicAddress(`${prefix}${a}${b}:${c}${d}${prefix === '2002:' ? '::' : ''}`)).toBe(false);
      }),
    );
  });

  it.each(['', 'x', '1.2.3', '2606:4700::1%eth0', '::1%lo', '1.2.3.4 '])('is no address: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});
